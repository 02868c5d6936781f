// The data directory: the paths in it, which only its owner can read, and the lock that ensures one launcher per directory.

import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { MessageError } from "@kit/contract/message";
import { probeWrite } from "./disk-space.ts";
import { classifyFailure, DataDirInUse, systemErrorCode } from "./failure.ts";
import { makePrivateOnWindows } from "./windows-permissions.ts";

export type DataDir = {
  readonly path: string;
  readonly database: string;
  /** Folder of the live copy. Empty while no launcher runs. */
  readonly liveCopy: string;
  readonly backups: string;
  readonly quarantine: string;
  /** Folder of the data that restores, wipes and repairs replaced, in a subfolder for each of them. */
  readonly previousData: string;
  /** Plan of the renames that replace the database before it is opened the next time. */
  readonly swapPlan: string;
  /** Folder in which the next database is prepared. */
  readonly staging: string;
  /** Remaining steps of a wipe whose rows are already deleted. */
  readonly pendingWipe: string;
  readonly lock: string;
  /** Exists while the database is open. If it exists at the start, the last shutdown was not clean. */
  readonly openMarker: string;
  readonly secret: string;
  /** File with the running launcher's process id and port. */
  readonly running: string;
  /** File that reserves disk space. Kit deletes it when the disk is full. */
  readonly reserve: string;
  /** Folder of temporary pages that pass a sign-in ticket to the browser. */
  readonly tickets: string;
  /** File with OBS's WebSocket password. */
  readonly obsPassword: string;
  /** File that names the capturing process. */
  readonly capture: string;
  /** Folder of copies of clips that fit the limits of networks. */
  readonly networkCopies: string;
  /** Folder of passwords and keys that a person entered. */
  readonly credentials: string;
};

/** Returns the paths below `path`, without file access. */
export function dataDirAt(path: string): DataDir {
  return {
    path,
    database: join(path, "kit.db"),
    liveCopy: join(path, "live-copy"),
    backups: join(path, "backups"),
    quarantine: join(path, "quarantine"),
    previousData: join(path, "aside"),
    swapPlan: join(path, "reopening.json"),
    staging: join(path, "incoming"),
    pendingWipe: join(path, "wiping.json"),
    lock: join(path, "lock.db"),
    openMarker: join(path, "open"),
    secret: join(path, "secret"),
    running: join(path, "running.json"),
    reserve: join(path, "reserve"),
    tickets: join(path, "tickets"),
    obsPassword: join(path, "obs-password"),
    capture: join(path, "capture.json"),
    networkCopies: join(path, "fitted"),
    credentials: join(path, "secrets"),
  };
}

/** The nearest existing folder at or above `path`. */
const nearestExisting = (path: string): string =>
  existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));

/**
 * Creates the directory with mode 0700, or gives an existing one that mode. On Windows, leaves a new directory to its user if Windows
 * allows that; `kit doctor` looks. Does not throw if that fails for an existing directory, or
 * because the disk is full, where the directory is created later. Otherwise throws an error that says what to do.
 */
export function ensureDataDir(dir: DataDir): void {
  try {
    const created = mkdirSync(dir.path, { recursive: true, mode: 0o700 });
    if (process.platform === "win32") {
      if (created !== undefined) makePrivateOnWindows(dir.path);
    } else if ((statSync(dir.path).mode & 0o077) !== 0) chmodSync(dir.path, 0o700);
  } catch (error) {
    // On a read-only disk, Node only reports that the parent folder does not exist. A test write finds the cause.
    const code = systemErrorCode(error) ?? probeWrite(nearestExisting(dirname(dir.path)));
    if (code === undefined) throw error;
    const { reason, isFull } = classifyFailure(Object.assign(error as Error, { code }), dir.path);
    if (!isFull && !existsSync(dir.path)) throw new MessageError(reason, { cause: error });
  }
}

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

/** Returns true if no launcher uses the data folder of this lock. */
export function isLockFree(lock: string): boolean {
  try {
    takeDataDirLock(lock).close();
    return true;
  } catch {
    return false;
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
