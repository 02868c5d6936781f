// Backups: whole copies of the database, checked before they count, the newest three kept.
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { backup as copyDatabase, DatabaseSync } from "node:sqlite";

const backupsKept = 3;

/** True when the file opens and SQLite finds its structure sound. Reads the whole file. */
export function isSound(path: string): boolean {
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
    try {
      return database.prepare("PRAGMA quick_check(1)").get()?.quick_check === "ok";
    } finally {
      database.close();
    }
  } catch {
    return false;
  }
}

/** Backups in `folder`, newest first. */
export function listBackups(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".db"))
      .sort()
      .reverse()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** When the newest backup was made, in ms; 0 when there is none. */
export function newestBackupAt(folder: string): number {
  const [newest] = listBackups(folder);
  return newest === undefined ? 0 : statSync(newest).mtimeMs;
}

/** Copies `database` to `folder`; throws, and leaves nothing behind, when the copy is not sound. */
export async function takeBackup(database: DatabaseSync, folder: string, now: Date): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${now.toISOString().replaceAll(":", "-")}.db`);
  const unfinished = `${path}.part`;
  try {
    await copyDatabase(database, unfinished);
    chmodSync(unfinished, 0o600);
    if (!isSound(unfinished)) throw new Error(`The backup ${path} did not pass its check`);
    renameSync(unfinished, path);
  } finally {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(unfinished + suffix, { force: true });
  }
  for (const old of listBackups(folder).slice(backupsKept)) rmSync(old, { force: true });
}
