// Storage without threads on a real database, for tests of thousands of launchers. It can stop at any write as a killed process does.
import type { DatabaseSync } from "node:sqlite";
import { KitError } from "@kit/contract";
import { createStatementRunner } from "../../src/storage/connection.ts";
import { isCorruption } from "../../src/storage/failure.ts";
import type { Statement } from "../../src/storage/sql.ts";
import type { Storage } from "../../src/storage/storage.ts";

/** Never resolves: the process that waits for it is dead. */
const never = <T>() => new Promise<T>(() => undefined);
const pageCharsMax = 2 * 1024 * 1024;

export type StorageHere = Storage & {
  /** Whether a read or a write found damage. */
  isDamageFound(): boolean;
};

/** `survives` is asked before and after each write, and before each read. Once it says no, nothing happens any more. */
export function createStorageHere(database: DatabaseSync, survives: (at: "read" | "write") => boolean): StorageHere {
  const { run, page } = createStatementRunner(database);
  let isDamageFound = false;
  const orDamage = <T>(task: () => T): T => {
    try {
      return task();
    } catch (error) {
      if (!isCorruption(error)) throw error;
      isDamageFound = true;
      throw new KitError("storage_unavailable", "The database is damaged.");
    }
  };
  const commit = (statements: readonly Statement[]) => {
    database.exec("BEGIN IMMEDIATE");
    try {
      for (const statement of statements) run(statement);
      database.exec("COMMIT");
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      throw error;
    }
  };
  const writeDeferred = async (gathered: () => readonly Statement[]) => {
    // As in the launcher, never during the call: until the write starts, more counts are gathered for it.
    await Promise.resolve();
    if (!survives("write")) return never<void>();
    orDamage(() => commit(gathered()));
    if (!survives("write")) return never<void>();
  };
  const write = (...statements: Statement[]) => writeDeferred(() => statements);
  const readPage = async (statement: Statement, charsMax = pageCharsMax) =>
    survives("read") ? orDamage(() => page(statement, charsMax)) : never<ReturnType<typeof page>>();
  return {
    write,
    writeFreeing: write,
    writeDeferred,
    readPage: (statement) => readPage(statement),
    read: async (statement) => (await readPage(statement, Number.POSITIVE_INFINITY)).rows,
    async load(...loaders) {
      await Promise.all(loaders.map((loader) => loader()));
    },
    state: () => ({ failing: null, notices: [] }),
    isResting: () => false,
    verify: () => undefined,
    damaged: never(),
    onReopened: () => undefined,
    close: async () => undefined,
    isDamageFound: () => isDamageFound,
  };
}
