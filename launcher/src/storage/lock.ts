// Ensures one launcher per data directory, with SQLite's exclusive lock on a file, which ends with the process.
import { closeSync, openSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { DataDirInUse } from "./failure.ts";

export type DataDirLock = {
  /** False if the lock file was replaced, in which case another process could lock the new file. */
  isHeld(): boolean;
  close(): void;
};

/**
 * Takes the lock until `close()`. Throws DataDirInUse immediately if another process holds it. If the lock file cannot be
 * written, calls `otherwise` first, which may throw a better reason.
 */
export function takeDataDirLock(path: string, otherwise: () => void = () => undefined): DataDirLock {
  try {
    return lockAt(path);
  } catch (error) {
    if (!(error instanceof DataDirInUse)) otherwise();
    throw error;
  }
}

function lockAt(path: string): DataDirLock {
  closeSync(openSync(path, "a", 0o600));
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec("PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;");
    const { dev, ino } = statSync(path, { bigint: true });
    return {
      isHeld() {
        const now = statSync(path, { bigint: true, throwIfNoEntry: false });
        return now !== undefined && now.dev === dev && now.ino === ino;
      },
      close: () => database.close(),
    };
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === 5) throw new DataDirInUse("The data directory is in use");
    throw error;
  }
}

/** Returns the same lock if its file still exists, otherwise locks the new file. Throws DataDirInUse if another process locked it. */
export function retakeDataDirLock(lock: DataDirLock | undefined, path: string): DataDirLock {
  if (lock?.isHeld()) return lock;
  const taken = takeDataDirLock(path);
  lock?.close();
  return taken;
}
