// Opens ClickHouse for a test: the engine of the server as a library in this process, in a folder of its own.
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathOf } from "./locate.ts";

type Library = {
  CreateConnection(folder: string): unknown;
  CloseConnection(connection: unknown): void;
  QueryWithConnection(connection: unknown, sql: string, format: "JSONEachRow"): string;
};

export type ClickHouse = Disposable & {
  /** Runs one statement and returns its rows. Throws what ClickHouse says about a wrong one. */
  run(sql: string): Record<string, unknown>[];
};

export function openClickHouse(): ClickHouse {
  const library = createRequire(import.meta.url)(pathOf("ClickHouse")) as Library;
  const folder = mkdtempSync(join(tmpdir(), "kit-clickhouse-"));
  const connection = library.CreateConnection(folder);
  return {
    run: (sql) =>
      library
        .QueryWithConnection(connection, sql, "JSONEachRow")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line)),
    [Symbol.dispose]() {
      library.CloseConnection(connection);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
