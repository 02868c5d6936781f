// How storage fails: what needs a person, what SQLite's error codes mean, and what to tell its owner.
import { trialIn } from "./room.ts";

/** Another process holds the lock on the data directory. */
export class DataDirInUse extends Error {
  override name = "DataDirInUse";
}

/** The file has a schema that this Kit does not know, a newer Kit's or a development build's: this Kit must not touch it. */
export class UnknownSchema extends Error {
  override name = "UnknownSchema";
}

/** A file that cannot take the database's place: SQLite finds it damaged, it is none, or something in it is not Kit's. */
export class UnsoundDatabase extends Error {
  override name = "UnsoundDatabase";
}

/** The files of the open database are not where they belong, and could not be put back: `cause` says why. */
export class FilesAway extends Error {
  override name = "FilesAway";
}

type SqliteError = Error & { errcode?: number };

/** Primary code: the low byte of SQLite's extended one. */
const primaryCode = (error: unknown) => ((error as SqliteError)?.errcode ?? 0) & 0xff;

/** The statement was wrong, not the storage: only the one that sent it fails. */
export const isStatementFault = (error: unknown) => [1, 19, 20, 25].includes(primaryCode(error));

/** The file is damaged: CORRUPT or NOTADB. */
export const isDamage = (error: unknown) => [11, 26].includes(primaryCode(error));

/** An fsync failed: what the page cache holds can no longer be trusted. */
export const isFsyncFault = (error: unknown) => (error as SqliteError)?.errcode === 1034;

/** What Node's file functions throw, and SQLite's errors do not have. */
export const systemCodeOf = (error: unknown): string | undefined => {
  const code = (error as NodeJS.ErrnoException)?.code;
  return typeof code === "string" && code in causes ? code : undefined;
};

const full = "The disk is full. Free space and Kit goes on by itself, or start with --data-dir on another disk.";
const readOnly =
  "The data directory is read-only. Make it writable and Kit goes on by itself, or start with --data-dir on another disk.";
const forbidden =
  "Kit may not write into the data directory. Let your user write there and Kit goes on by itself, or start with another --data-dir.";
const faulty = "The disk reports errors. Free space, check the disk, or start with --data-dir on another one.";
/** Also while it is being put right. */
export const filesAway =
  "The database was deleted, moved, replaced or overwritten while Kit was running. Do not stop Kit: it still holds the events, and writes them back as soon as it can.";
const causes: Readonly<Record<string, string>> = {
  ENOSPC: full,
  EDQUOT: full,
  EROFS: readOnly,
  EACCES: forbidden,
  EPERM: forbidden,
  EIO: faulty,
};

const advice: Record<number, string> = {
  5: "Another program holds the database. Close it.",
  8: readOnly,
  10: faulty,
  11: "The database is damaged. It is set aside and the newest good backup restored at the next attempt.",
  13: full,
  14: "The database cannot be opened. Check that the data directory exists and is writable.",
  26: "The database file is damaged. It is set aside and the newest good backup restored at the next attempt.",
};
/** IOERR and CANTOPEN: what the system refused is not in SQLite's error. READONLY: whether the disk or the file is. */
const isVague = (error: unknown) => [8, 10, 14].includes(primaryCode(error));

export type Failure = { readonly reason: string; readonly isFull: boolean };

/**
 * One sentence on what failed and what to do next. Where the error does not tell whether the disk of `folder` can be written
 * to, a small file tells.
 */
export function failureOf(error: unknown, folder: string): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof UnknownSchema) return { reason: message, isFull: false };
  if (error instanceof FilesAway) {
    const { cause } = error;
    const said = causes[systemCodeOf(cause) ?? ""] ?? advice[primaryCode(cause)] ?? (cause as Error).message;
    return { reason: `${filesAway} ${said}`, isFull: said === full };
  }
  const code = systemCodeOf(error) ?? (isVague(error) ? trialIn(folder) : undefined);
  const said = causes[code ?? ""] ?? advice[primaryCode(error)] ?? "Restart Kit; if it stays, run `kit doctor`.";
  return { reason: `${said} (${message})`, isFull: said === full };
}

export const describeFailure = (error: unknown, folder: string): string => failureOf(error, folder).reason;
