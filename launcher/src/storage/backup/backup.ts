// Makes verified copies of the database, and deletes old ones.
import { chmodSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type BackupOptions, backup as copyDatabase, DatabaseSync } from "node:sqlite";
// Not imported from "@kit/contract", which builds all its schemas in each thread that imports it.
import { manualBackupsMax } from "@kit/contract/limits";
import { type BackupCreator, backupName, listBackups } from "./backup-names.ts";
import { recordOwnBackup, sha256OfFile } from "./own-backups.ts";

const backupsMax = { launcher: 3, person: manualBackupsMax } as const;
/**
 * Pages that SQLite copies in one step. The writing connection takes small steps and commits between them. Any other connection
 * copies everything in one step, because SQLite starts over after each commit of the writer.
 */
const pagesPerStep = { writing: 100, reading: 2 ** 30 } as const;

/** Whether SQLite opens the file and finds no damage. Reads the whole file. `integrity_check` also compares indices with tables. */
export function passesDatabaseCheck(path: string, check: "quick_check" | "integrity_check" = "quick_check"): boolean {
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
    try {
      return database.prepare(`PRAGMA ${check}(1)`).get()?.[check] === "ok";
    } finally {
      database.close();
    }
  } catch {
    return false;
  }
}

const triesMax = 200;
/** Whether the connection was inside a transaction at the first step. Node reports that with the error code 0. */
const isBusy = (error: unknown) => (error as { errcode?: number }).errcode === 0;

/** Copies `database` into the file at `path`. The connection may commit meanwhile; a copy that meets a transaction is retried. */
export async function copyAllPages(database: DatabaseSync, path: string, options: BackupOptions): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await copyDatabase(database, path, options);
      return;
    } catch (error) {
      if (!isBusy(error) || tries === triesMax) throw error;
    }
  }
}

/**
 * Makes a backup in `folder`, checks it, and deletes the oldest backups beyond the limit. Returns the path. If the backup fails its
 * check, removes it and throws.
 */
export async function createBackup(
  database: DatabaseSync,
  folder: string,
  now: Date,
  by: BackupCreator = "launcher",
  connection: keyof typeof pagesPerStep = "writing",
): Promise<string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, backupName(now, by));
  const unfinished = `${path}.part`;
  try {
    await copyAllPages(database, unfinished, { rate: pagesPerStep[connection] });
    chmodSync(unfinished, 0o600);
    if (!passesDatabaseCheck(unfinished)) throw new Error(`The backup ${path} did not pass its check`);
    recordOwnBackup(folder, await sha256OfFile(unfinished));
    renameSync(unfinished, path);
  } finally {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(unfinished + suffix, { force: true });
  }
  for (const old of listBackups(folder, by).slice(backupsMax[by])) rmSync(old, { force: true });
  return path;
}
