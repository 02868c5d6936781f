// How storage fails: what needs a person, what SQLite's error codes mean, and what to tell its owner.

/** Another process holds the lock on the data directory. */
export class DataDirInUse extends Error {
  override name = "DataDirInUse";
}

/** The file was written by a newer Kit: an older one must not touch it. */
export class NewerDatabase extends Error {
  override name = "NewerDatabase";
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

const advice: Record<number, string> = {
  5: "Another program holds the database. Close it.",
  8: "The data directory is read-only. Make it writable, or start with --data-dir on another disk.",
  10: "The disk reports errors. Free space, check the disk, or start with --data-dir on another one.",
  11: "The database is damaged. It is set aside and the newest good backup restored at the next attempt.",
  13: "The disk is full. Free space, or start with --data-dir on another disk.",
  14: "The database cannot be opened. Check that the data directory exists and is writable.",
  26: "The database file is damaged. It is set aside and the newest good backup restored at the next attempt.",
};

/** One sentence on what failed and what to do next. */
export function describeFailure(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `${advice[primaryCode(error)] ?? "Restart Kit; if it stays, run `kit doctor`."} (${message})`;
}
