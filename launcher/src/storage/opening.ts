// Opens the database. Moves a damaged one to quarantine, restores the newest good backup, and salvages readable rows.

import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { detailOf, type Message, MessageError, type MessageOrText } from "@kit/contract/message";
import { message } from "@kit/contract/messages";
import { removePatientlySync, renamePatientlySync } from "../renames.ts";
import { isOwnBackup, listBackups, passesDatabaseCheck } from "./backup.ts";
import { openConnection } from "./connection.ts";
import type { DataDir } from "./data-dir.ts";
import { writeFileAtomically } from "./data-swap.ts";
import { isCorruption, isStatementError, SetAsideError } from "./failure.ts";
import { hasKnownSchema } from "./schema.ts";
import { type RunFileTask, runDatabaseFileTask } from "./threads/database-file-task.ts";

/** With more quarantines in a day, the disk is probably failing, and more copies would only fill it. */
const quarantinesPerDayMax = 3;
const dayMs = 86_400_000;

function quarantinesSince(folder: string, sinceMs: number): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder).filter((name) => statSync(join(folder, name)).mtimeMs > sinceMs).length;
}

/** A quarantined database that has not been salvaged yet. `backup` is the backup to restore, if there is a good one. */
type QuarantinedDatabase = {
  readonly place: string;
  readonly backup: string | undefined;
  readonly attempts: number;
};

/** What is stored about a salvage to do. Names the backup without its path, because the data directory may be moved. */
type Note = { readonly backup: string | null; readonly tries: number };
/** The note exists until the quarantined database has been salvaged. */
const notePath = (place: string) => join(place, "to-salvage.json");

const writeNote = ({ place, backup, attempts: tries }: QuarantinedDatabase): void =>
  writeFileAtomically(
    notePath(place),
    JSON.stringify({ backup: backup === undefined ? null : basename(backup), tries }),
  );

/** Finds a salvage that a crash interrupted. */
export function findPendingSalvage(dir: DataDir): QuarantinedDatabase | undefined {
  if (!existsSync(dir.quarantine)) return undefined;
  const place = readdirSync(dir.quarantine)
    .map((name) => join(dir.quarantine, name))
    .find((path) => existsSync(notePath(path)));
  if (place === undefined) return undefined;
  const { backup, tries } = JSON.parse(readFileSync(notePath(place), "utf8")) as Note;
  return { place, backup: backup === null ? undefined : join(dir.backups, backup), attempts: tries };
}

/** Must be called before each attempt, so that a file that crashes the process cannot do so at every start. */
export const recordSalvageAttempt = (aside: QuarantinedDatabase): void =>
  writeNote({ ...aside, attempts: aside.attempts + 1 });

const recordSalvageDone = ({ place }: QuarantinedDatabase): void =>
  removePatientlySync(notePath(place), { force: true });

/** The newest good backup made by this launcher, otherwise the newest good backup of any origin. */
async function findGoodBackup(
  { backups }: DataDir,
  isUsable: (backup: string) => boolean,
): Promise<string | undefined> {
  const usable = listBackups(backups).filter(isUsable);
  for (const backup of usable) if ((await isOwnBackup(backups, backup)) && passesDatabaseCheck(backup)) return backup;
  return usable.find((backup) => passesDatabaseCheck(backup));
}

/** Moves the damaged files to quarantine. Writes a note first, so that the next start continues after a crash. */
export async function quarantineDatabase(
  dir: DataDir,
  now: Date,
  isUsable: (backup: string) => boolean,
): Promise<QuarantinedDatabase> {
  if (quarantinesSince(dir.quarantine, now.getTime() - dayMs) >= quarantinesPerDayMax) {
    throw new MessageError(message("storage.damaged_often", { times: quarantinesPerDayMax + 1 }));
  }
  const place = join(dir.quarantine, now.toISOString().replaceAll(":", "-"));
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const aside = { place, backup: await findGoodBackup(dir, isUsable), attempts: 0 };
  writeNote(aside);
  for (const suffix of ["", "-wal", "-shm"]) {
    const file = dir.database + suffix;
    if (existsSync(file)) renamePatientlySync(file, join(place, basename(file)));
  }
  return aside;
}

/** Copies the backup to the database's path in one step. Does nothing without a backup, or if the database exists. */
function restoreBackup(dir: DataDir, { backup }: QuarantinedDatabase): void {
  if (backup === undefined || existsSync(dir.database)) return;
  const part = `${dir.database}.part`;
  copyFileSync(backup, part);
  renamePatientlySync(part, dir.database);
}

const quarantineNotice = ({ place, backup }: QuarantinedDatabase): Message =>
  backup === undefined
    ? message("storage.quarantined_empty", { folder: place })
    : message("storage.quarantined", { folder: place, backup: basename(backup) });

/** Whether the last process ended without closing the database. */
export const wasClosedUncleanly = (dir: DataDir): boolean => existsSync(dir.openMarker);

/** Must not be called before the database has its schema: a marked database that is empty has lost its content. */
export const markDatabaseOpen = (dir: DataDir): void => writeFileSync(dir.openMarker, "", { mode: 0o600 });

export const markDatabaseClosed = (dir: DataDir): void => removePatientlySync(dir.openMarker, { force: true });

/** Whether the file lost its content since Kit stored data in it. SQLite would take it for a new database. */
function wasEmptied(dir: DataDir): boolean {
  const bytes = statSync(dir.database, { throwIfNoEntry: false })?.size;
  if (wasClosedUncleanly(dir)) return !bytes;
  // If there is no file, this is the first start, or somebody moved the database away.
  return bytes === 0 && listBackups(dir.backups).length > 0;
}

/** A salvage interrupted by a crash is retried once. */
const salvageTriesMax = 2;

/** Adds a text to each search index and takes it back. SQLite cannot check an index that holds no texts. */
function tryIndexes(database: DatabaseSync): void {
  const indexes = database
    .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'virtual'")
    .all();
  database.exec("BEGIN");
  try {
    for (const { name } of indexes) {
      const [column] = database.prepare("SELECT name FROM pragma_table_info(?)").all(String(name));
      database.exec(`INSERT INTO "${name}" (rowid, "${column?.name}") VALUES (${Number.MAX_SAFE_INTEGER}, 'probe')`);
    }
    // Makes the indexes write what they hold in memory.
    database.exec("SAVEPOINT written");
  } finally {
    database.exec("ROLLBACK");
  }
}

function passesCheck(database: DatabaseSync): boolean {
  try {
    if (database.prepare("PRAGMA quick_check(1)").get()?.quick_check !== "ok") return false;
    tryIndexes(database);
    return true;
  } catch (error) {
    if (isCorruption(error) || isStatementError(error)) return false;
    throw error;
  }
}

/** Restores the backup, salvages rows of the quarantined database, and adds what happened to `notices`. */
async function restoreAndSalvage(
  dir: DataDir,
  migrations: string,
  aside: QuarantinedDatabase,
  runFileTask: RunFileTask,
  notices: MessageOrText[],
): Promise<void> {
  restoreBackup(dir, aside);
  notices.push(quarantineNotice(aside));
  const { place: from, backup } = aside;
  const salvage = async (isUnreadable: boolean) => {
    const task = { type: "salvage", dataDir: dir.path, from, backup, migrations, isUnreadable } as const;
    const { report } = await runFileTask(task);
    if (report !== undefined) notices.push(report);
  };
  if (aside.attempts >= salvageTriesMax) await salvage(true);
  else {
    recordSalvageAttempt(aside);
    await salvage(false).catch(async (error: unknown) => {
      notices.push(message("storage.nothing_recovered", { problem: detailOf(error) }));
      await salvage(true);
    });
  }
  recordSalvageDone(aside);
}

export type OpenOptions = {
  /** Check the whole file, even after a clean shutdown. */
  readonly mustCheck: boolean;
  /** Set if another program wrote to the file. Returns whether the file, if intact, is still the same database. */
  readonly isSameDatabase?: (database: DatabaseSync) => boolean;
  /** Whether modification times reveal writes by other programs. */
  readonly areTimesReliable: boolean;
  /** Whether the launcher has already loaded data from the file. It must not get another content then. */
  readonly isLoaded: boolean;
  readonly runFileTask: RunFileTask;
};

export const defaultOpenOptions: OpenOptions = {
  mustCheck: false,
  areTimesReliable: true,
  isLoaded: false,
  runFileTask: runDatabaseFileTask,
};

/**
 * Opens the database, after replacing a damaged one. Adds what happened to `notices`. Throws SetAsideError if the file is damaged
 * and was already loaded; the next opening replaces it.
 */
export async function openIntactDatabase(
  dir: DataDir,
  migrations: string,
  { mustCheck: isInDoubt, isSameDatabase: isOurs = () => true, isLoaded, runFileTask }: OpenOptions,
  notices: MessageOrText[],
): Promise<DatabaseSync> {
  const left = findPendingSalvage(dir);
  if (left !== undefined) await restoreAndSalvage(dir, migrations, left, runFileTask, notices);
  let damaged: DatabaseSync | undefined;
  if (!wasEmptied(dir)) {
    try {
      const database = openConnection(dir.database, "write");
      if (!isInDoubt || (passesCheck(database) && isOurs(database))) return database;
      damaged = database;
    } catch (error) {
      if (!isCorruption(error)) throw error;
    }
  }
  damaged?.close();
  const isUsable = (backup: string) => hasKnownSchema(backup, migrations);
  const aside = await quarantineDatabase(dir, new Date(), isUsable);
  if (isLoaded) throw new SetAsideError();
  await restoreAndSalvage(dir, migrations, aside, runFileTask, notices);
  return openConnection(dir.database, "write");
}
