// One launcher a data directory. The lock is the operating system's, on a SQLite file: it ends with the process.
import { closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { DataDirInUse } from "./failure.ts";

/** Takes the lock and holds it until `close()`. Throws DataDirInUse at once when it is taken. */
export function takeLock(path: string): { close(): void } {
  closeSync(openSync(path, "a", 0o600));
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec("PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;");
    return database;
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === 5) throw new DataDirInUse("The data directory is in use");
    throw error;
  }
}
