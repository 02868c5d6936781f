// Classifies storage errors, and explains them to the user.

import { existsSync } from "node:fs";
import { parse, resolve } from "node:path";
import { detailOf, type Message, MessageError, type MessageOrText } from "@kit/contract/message";
import { message } from "@kit/contract/messages";
import { probeWrite } from "./disk-space.ts";

/** Another process holds the lock of the data directory. */
export class DataDirInUse extends MessageError {
  override name = "DataDirInUse";
}

/** The file has a schema of a newer Kit or a development build, so this Kit must not change it. */
export class UnknownSchema extends MessageError {
  override name = "UnknownSchema";
}

/** The file cannot be used as database: it is damaged, not a database, or has a foreign schema. */
export class InvalidDatabase extends MessageError {
  override name = "InvalidDatabase";
}

/** The open database is damaged and was moved to quarantine. What was loaded from it may differ from what can be read, so it must be opened anew. */
export class SetAsideError extends MessageError {
  override name = "SetAsideError";

  constructor() {
    super(damaged);
  }
}

/** The files of the open database were moved or replaced, and could not be restored. `cause` says why. */
export class FilesDisplaced extends MessageError {
  override name = "FilesDisplaced";
}

type SqliteError = Error & { errcode?: number };

/** SQLite's primary error code: the low byte of the extended code. */
const primaryCode = (error: unknown) => ((error as SqliteError)?.errcode ?? 0) & 0xff;

/** Whether the statement is wrong, and not the storage. Then only the sender of the statement gets the error. */
export const isStatementError = (error: unknown) => [1, 19, 20, 25].includes(primaryCode(error));

/** Whether the file is damaged or no database: SQLITE_CORRUPT, SQLITE_NOTADB. */
export const isCorruption = (error: unknown) => [11, 26].includes(primaryCode(error));

/** Whether an fsync failed. Then the system's cache of the file may differ from the disk. */
export const isFsyncError = (error: unknown) => (error as SqliteError)?.errcode === 1034;

/** The system error code of Node's file functions, if it is one that Kit explains. SQLite errors have none. */
export const systemErrorCode = (error: unknown): string | undefined => {
  const code = (error as NodeJS.ErrnoException)?.code;
  return typeof code === "string" && code in causes ? code : undefined;
};

const full = message("storage.disk_full");
const damaged = message("storage.damaged");
const readOnly = message("storage.read_only");
const forbidden = message("storage.forbidden");
const faulty = message("storage.disk_errors");
const gone = message("storage.drive_gone");
/** The failure shown while Kit tries to restore files that were moved or overwritten. */
export const filesDisplacedMessage = message("storage.displaced");
/** Explanations by the system's error code. */
const causes: Readonly<Record<string, Message>> = {
  ENOSPC: full,
  EDQUOT: full,
  EROFS: readOnly,
  EACCES: forbidden,
  EPERM: forbidden,
  EIO: faulty,
  ENXIO: gone,
  ENODEV: gone,
};

/** Explanations by SQLite's primary error code. */
const advice: Record<number, Message> = {
  5: message("storage.locked"),
  8: readOnly,
  10: faulty,
  11: damaged,
  13: full,
  14: message("storage.cannot_open"),
  26: message("storage.not_a_database"),
};
/** Whether the error is READONLY, IOERR or CANTOPEN, which do not say what the system refused. */
const isAmbiguous = (error: unknown) => [8, 10, 14].includes(primaryCode(error));

/** Windows has many codes for a drive that was removed, of which Node names few. */
const isDriveGone = (folder: string) => !existsSync(parse(resolve(folder)).root);

export type FailureExplanation = { readonly reason: MessageOrText; readonly isFull: boolean };

/**
 * Returns a sentence on what failed and what to do. If the error is ambiguous, writes a small test file to `folder` to find
 * out whether its disk is writable.
 */
export function classifyFailure(error: unknown, folder: string): FailureExplanation {
  const problem = detailOf(error);
  if (error instanceof UnknownSchema || error instanceof SetAsideError) return { reason: error.detail, isFull: false };
  if (error instanceof FilesDisplaced) {
    const { cause } = error;
    const explanation = causes[systemErrorCode(cause) ?? ""] ?? advice[primaryCode(cause)] ?? (cause as Error).message;
    const reason = message("join.sentences", { first: filesDisplacedMessage, second: explanation });
    return { reason, isFull: explanation === full };
  }
  const code = systemErrorCode(error) ?? (isAmbiguous(error) ? probeWrite(folder) : undefined);
  const known = causes[code ?? ""] ?? advice[primaryCode(error)] ?? message("storage.restart");
  const explanation = known !== full && isDriveGone(folder) ? gone : known;
  return { reason: message("storage.failed", { explanation, problem }), isFull: explanation === full };
}

export const describeFailure = (error: unknown, folder: string): MessageOrText => classifyFailure(error, folder).reason;
