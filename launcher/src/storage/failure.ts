// Classifies storage errors, and explains them to the user.
import { probeWrite } from "./disk-space.ts";

/** Another process holds the lock of the data directory. */
export class DataDirInUse extends Error {
  override name = "DataDirInUse";
}

/** The file has a schema of a newer Kit or a development build, so this Kit must not change it. */
export class UnknownSchema extends Error {
  override name = "UnknownSchema";
}

/** The file cannot be used as database: it is damaged, not a database, or has a foreign schema. */
export class InvalidDatabase extends Error {
  override name = "InvalidDatabase";
}

/** The files of the open database were moved or replaced, and could not be restored. `cause` says why. */
export class FilesDisplaced extends Error {
  override name = "FilesDisplaced";
}

type SqliteError = Error & { errcode?: number };

/** SQLite's primary error code: the low byte of the extended code. */
const primaryCode = (error: unknown) => ((error as SqliteError)?.errcode ?? 0) & 0xff;

/** The statement is wrong, not the storage. Only its sender gets the error. */
export const isStatementError = (error: unknown) => [1, 19, 20, 25].includes(primaryCode(error));

/** SQLITE_CORRUPT or SQLITE_NOTADB. */
export const isCorruption = (error: unknown) => [11, 26].includes(primaryCode(error));

/** An fsync failed, so the page cache may differ from the disk. */
export const isFsyncError = (error: unknown) => (error as SqliteError)?.errcode === 1034;

/** The system error code of Node's file functions, if it is one that Kit explains. SQLite errors have none. */
export const systemErrorCode = (error: unknown): string | undefined => {
  const code = (error as NodeJS.ErrnoException)?.code;
  return typeof code === "string" && code in causes ? code : undefined;
};

const full =
  "The disk is full. Free up space, and Kit continues automatically; or start with --data-dir on another disk.";
const readOnly =
  "The data directory is read-only. Make it writable, and Kit continues automatically; or start with --data-dir on another disk.";
const forbidden =
  "Kit has no permission to write to the data directory. Allow your user to write there, and Kit continues automatically; or start with another --data-dir.";
const faulty = "The disk reports errors. Free up space, check the disk, or start with --data-dir on another disk.";
/** The failure shown while Kit tries to restore the files. */
export const filesDisplacedText =
  "The database was deleted, moved, replaced or overwritten while Kit was running. Do not stop Kit: it still has the events, and writes them back as soon as possible.";
const causes: Readonly<Record<string, string>> = {
  ENOSPC: full,
  EDQUOT: full,
  EROFS: readOnly,
  EACCES: forbidden,
  EPERM: forbidden,
  EIO: faulty,
};

const advice: Record<number, string> = {
  5: "Another program has locked the database. Close that program.",
  8: readOnly,
  10: faulty,
  11: "The database is damaged. At the next attempt, Kit moves it to quarantine and restores the newest good backup.",
  13: full,
  14: "The database cannot be opened. Check that the data directory exists and is writable.",
  26: "The database file is damaged. At the next attempt, Kit moves it to quarantine and restores the newest good backup.",
};
/** READONLY, IOERR and CANTOPEN do not tell what the system refused. */
const isAmbiguous = (error: unknown) => [8, 10, 14].includes(primaryCode(error));

export type Failure = { readonly reason: string; readonly isFull: boolean };

/**
 * Returns a sentence on what failed and what to do. If the error is ambiguous, writes a small test file to `folder` to find
 * out whether its disk is writable.
 */
export function classifyFailure(error: unknown, folder: string): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof UnknownSchema) return { reason: message, isFull: false };
  if (error instanceof FilesDisplaced) {
    const { cause } = error;
    const explanation = causes[systemErrorCode(cause) ?? ""] ?? advice[primaryCode(cause)] ?? (cause as Error).message;
    return { reason: `${filesDisplacedText} ${explanation}`, isFull: explanation === full };
  }
  const code = systemErrorCode(error) ?? (isAmbiguous(error) ? probeWrite(folder) : undefined);
  const explanation =
    causes[code ?? ""] ?? advice[primaryCode(error)] ?? "Restart Kit. If that does not help, run `kit doctor`.";
  return { reason: `${explanation} (${message})`, isFull: explanation === full };
}

export const describeFailure = (error: unknown, folder: string): string => classifyFailure(error, folder).reason;
