// Opens database connections with Kit's settings. Used only in the storage threads.
import { accessSync, closeSync, constants, openSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { isCorruption } from "./failure.ts";
import type { Row, Statement } from "./sql.ts";

/** Older versions can corrupt a WAL database that two connections use. */
const sqliteVersionMin = "3.51.3";

const pragmas = `
  PRAGMA auto_vacuum = INCREMENTAL;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA fullfsync = 1;
  PRAGMA checkpoint_fullfsync = 1;
  PRAGMA foreign_keys = 1;
  PRAGMA trusted_schema = 0;
  PRAGMA journal_size_limit = 16777216;
  PRAGMA cell_size_check = 1;
`;

/** CRC-32 as text. SQLite itself does not notice a flipped bit inside a row. Shows damage, not manipulation. */
function checksum(text: unknown): string {
  // zlib is loaded on first use, because an import would slow down the start of both threads.
  return process.getBuiltinModule("node:zlib").crc32(String(text)).toString(16).padStart(8, "0");
}

function assertSqliteVersion(): void {
  const parts = (version: string) => version.split(".").map(Number);
  const [major = 0, minor = 0, patch = 0] = parts(process.versions.sqlite ?? "0");
  const [wantMajor = 0, wantMinor = 0, wantPatch = 0] = parts(sqliteVersionMin);
  const older = major - wantMajor || minor - wantMinor || patch - wantPatch;
  if (older < 0)
    throw new Error(`SQLite ${process.versions.sqlite} is too old: ${sqliteVersionMin} or newer is needed`);
}

/** Opens the database at `path`. Creates it, readable only by its owner, if it does not exist. */
export function openConnection(path: string | URL, mode: "write" | "read"): DatabaseSync {
  assertSqliteVersion();
  // SQLite would create the file with the umask's mode, which may let other users read it.
  if (mode === "write") closeSync(openSync(path, "a", 0o600));
  const database = new DatabaseSync(path, { timeout: 5_000, readOnly: mode === "read" });
  try {
    database.enableDefensive(true);
    database.exec(mode === "write" ? pragmas : "PRAGMA trusted_schema = 0; PRAGMA cell_size_check = 1;");
    database.function("checksum", { deterministic: true, directOnly: false }, checksum);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

const isEmpty = (path: string) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Opens the database for reading. On a full or read-only disk SQLite cannot create the index of the WAL. If there is no WAL either,
 * the file is opened as immutable. With `forOnce`, the caller must close the connection after one query: a WAL may appear, which an
 * immutable connection ignores, and an index that was opened read-only blocks the writer of this process.
 */
export function openForReading(path: string): { readonly database: DatabaseSync; readonly forOnce: boolean } {
  const atRest = () => {
    const frozen = pathToFileURL(path);
    frozen.searchParams.set("immutable", "1");
    return { database: openConnection(frozen, "read"), forOnce: true };
  };
  const database = openConnection(path, "read");
  try {
    database.prepare("PRAGMA schema_version").get();
    return { database, forOnce: !isWritable(path) };
  } catch (error) {
    database.close();
    if (isCorruption(error) || !isEmpty(`${path}-wal`)) throw error;
    return atRest();
  }
}

/** Creates a runner that prepares each SQL text only once, because preparing a statement costs as much as running it. */
export function createStatementRunner(database: DatabaseSync): {
  run(statement: Statement): void;
  /** Returns rows until they have more than `charsMax` characters of text. `whole` is true if no row is left. */
  page(statement: Statement, charsMax: number): { rows: Row[]; whole: boolean };
} {
  const prepared = new Map<string, ReturnType<DatabaseSync["prepare"]>>();
  const prepare = (text: string) => {
    let statement = prepared.get(text);
    if (statement === undefined) {
      statement = database.prepare(text);
      prepared.set(text, statement);
    }
    return statement;
  };
  return {
    run: ({ text, values }) => {
      prepare(text).run(...values);
    },
    page({ text, values }, charsMax) {
      const rows: Row[] = [];
      let chars = 0;
      for (const row of prepare(text).iterate(...values) as Iterable<Row>) {
        if (chars > charsMax) return { rows, whole: false };
        rows.push(row);
        for (const value of Object.values(row)) if (typeof value === "string") chars += value.length;
      }
      return { rows, whole: true };
    },
  };
}
