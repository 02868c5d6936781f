// Backups: whole copies of the database, checked before they count. Of the launcher's own the newest three are kept.
import { chmodSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type BackupOptions, backup as copyDatabase, DatabaseSync } from "node:sqlite";
// Not all of the contract: each thread would build its schemas, when it is started.
import { ownBackupsMax } from "@kit/contract/limits";
import { backupName, listBackups, type MadeBy } from "./backup-names.ts";
import { digestOf, noteMade } from "./made-backups.ts";

const backupsKept = { launcher: 3, person: ownBackupsMax } as const;
/**
 * Of the connection that writes, in small steps, between which it commits. Of another one in a single step: what is written
 * meanwhile would have the copy begin again at each.
 */
const pagesAtOnce = { writing: 100, reading: 2 ** 30 } as const;

/** True when the file opens and SQLite finds its structure sound. Reads the whole file; an integrity check compares indices, too. */
export function isSound(path: string, check: "quick_check" | "integrity_check" = "quick_check"): boolean {
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
/** What Node says where the first step met a transaction of the same connection: SQLite was busy, and has no error to tell. */
const isBusy = (error: unknown) => (error as { errcode?: number }).errcode === 0;

/** Copies `database` page by page into the file at `path`, while its connection may commit. */
export async function copyPages(database: DatabaseSync, path: string, options: BackupOptions): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await copyDatabase(database, path, options);
      return;
    } catch (error) {
      if (!isBusy(error) || tries === triesMax) throw error;
    }
  }
}

/** Copies `database` to `folder`, and says where; throws, and leaves nothing behind, when the copy is not sound. */
export async function takeBackup(
  database: DatabaseSync,
  folder: string,
  now: Date,
  by: MadeBy = "launcher",
  connection: keyof typeof pagesAtOnce = "writing",
): Promise<string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, backupName(now, by));
  const unfinished = `${path}.part`;
  try {
    await copyPages(database, unfinished, { rate: pagesAtOnce[connection] });
    chmodSync(unfinished, 0o600);
    if (!isSound(unfinished)) throw new Error(`The backup ${path} did not pass its check`);
    noteMade(folder, await digestOf(unfinished));
    renameSync(unfinished, path);
  } finally {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(unfinished + suffix, { force: true });
  }
  for (const old of listBackups(folder, by).slice(backupsKept[by])) rmSync(old, { force: true });
  return path;
}
