// One launcher a data directory. The lock is the operating system's, on a SQLite file: it ends with the process.
import { closeSync, openSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { DataDirInUse } from "./failure.ts";

export type Lock = {
  /** False once the file at its path is another one: somebody else could take that. */
  isHeld(): boolean;
  close(): void;
};

/**
 * Takes the lock and holds it until `close()`. Throws DataDirInUse at once when it is taken. Where there can be none, because
 * nothing can be written, `otherwise` may throw a reason that comes first.
 */
export function takeLock(path: string, otherwise: () => void = () => undefined): Lock {
  try {
    return lockAt(path);
  } catch (error) {
    if (!(error instanceof DataDirInUse)) otherwise();
    throw error;
  }
}

function lockAt(path: string): Lock {
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

/** The same lock where its file is still there, else one on the new file. Throws DataDirInUse when somebody was faster. */
export function takeLockAgain(lock: Lock | undefined, path: string): Lock {
  if (lock?.isHeld()) return lock;
  const taken = takeLock(path);
  lock?.close();
  return taken;
}
