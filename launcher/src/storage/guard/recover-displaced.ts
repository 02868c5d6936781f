// Restores the files of the open database after another program deleted, moved, replaced or overwrote them.

import {
  type BigIntStats,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Message, MessageError } from "@kit/contract/message";
import { message } from "@kit/contract/messages";
import { removePatientlySync, renamePatientlySync } from "../../renames.ts";
import { passesDatabaseCheck, timestampFileName } from "../backup.ts";
import { type DataDir, ensureDataDir } from "../data-dir.ts";
import { executeDataSwap, type FileMove, isSwapPlanned, planDataSwap } from "../data-swap.ts";
import { markDatabaseClosed } from "../opening.ts";
import { databaseSuffixes, type FileWatch } from "./file-guard.ts";

/** State of the data directory when the database was opened. */
export type DataDirState = { readonly disk: bigint; readonly names: readonly string[] };

export const readDataDirState = ({ path }: DataDir): DataDirState => ({
  disk: statSync(path, { bigint: true }).dev,
  names: readdirSync(path),
});

/** Files and folders that the launcher cannot recreate. */
const importantNames = ["backups", "clips", "secrets", "aside", "quarantine", "obs-password"];

const exists = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
/** The root of a drive that was removed does not exist either. */
const nearestExisting = (path: string): string =>
  exists(path) || dirname(path) === path ? path : nearestExisting(dirname(path));

/** Throws if the disk was unmounted, because files written to its mount point would be hidden when it returns. */
function assertSameDisk({ path, database }: DataDir, { disk }: DataDirState): void {
  const there = statSync(nearestExisting(path), { bigint: true, throwIfNoEntry: false });
  if (there?.dev !== disk && !existsSync(database)) throw new MessageError(message("storage.other_disk", { path }));
}

/** Ensures that the data directory exists. Renames a file that is in its place. */
function makeFolder(dir: DataDir, folderState: DataDirState, now: Date): void {
  assertSameDisk(dir, folderState);
  if (existsSync(dir.path) && !statSync(dir.path).isDirectory())
    renamePatientlySync(dir.path, `${dir.path}-aside-${timestampFileName(now)}`);
  ensureDataDir(dir);
}

/** Writes a verified copy of the open database into `folder`, and returns its path. */
function makeCopy(folder: string, copyInto: (path: string) => void): string {
  removePatientlySync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const copy = join(folder, "kit.db");
  const file = openSync(copy, "wx+", 0o600);
  try {
    copyInto(copy);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  if (!passesDatabaseCheck(copy)) throw new MessageError(message("storage.unreadable"));
  return copy;
}

/**
 * Plans to move away what is at the database's path now. Files of another program become previous data. The open files are deleted
 * afterwards, because the copy has their content.
 */
function planMoves(dir: DataDir, watch: FileWatch, folder: string, aside: string): FileMove[] {
  return databaseSuffixes.map((end) => {
    const from = dir.database + end;
    return { from, to: join(watch.isOpenFile(end) ? join(folder, "old") : aside, basename(from)) };
  });
}

/** Copies overwritten files. They cannot be moved, because SQLite has them open and writes to them when it closes them. */
function copyToPreviousData({ database }: DataDir, aside: string): void {
  mkdirSync(aside, { recursive: true, mode: 0o700 });
  for (const from of [database, `${database}-wal`])
    if (existsSync(from)) copyFileSync(from, join(aside, basename(from)));
}

/** `more`: messages about files that were moved away and files that are missing. */
type RestoredFile = { readonly file: BigIntStats; readonly more: readonly Message[] };

type RestoreOptions = {
  readonly dir: DataDir;
  readonly folderState: DataDirState;
  readonly watch: FileWatch;
  /** Another program wrote to the open files, so they are kept as previous data. */
  readonly isOverwritten: boolean;
  /** Takes the lock again if its file was removed as well. */
  readonly relock: () => void;
  /** Writes the database into a new file. */
  readonly copyInto: (path: string) => void;
};

/**
 * Writes the database back to its path. If that fails, throws without changing anything; the open files still have all data.
 * The caller must verify the file after opening it, because the other program may still be active.
 */
export function recoverDisplacedFiles(
  { dir, folderState, watch, isOverwritten, relock, copyInto }: RestoreOptions,
  now: Date,
): RestoredFile {
  makeFolder(dir, folderState, now);
  relock();
  if (isSwapPlanned(dir)) throw new MessageError(message("restore.already_planned"));
  const folder = join(dir.path, "put-back");
  const copy = makeCopy(folder, copyInto);
  const aside = join(dir.previousData, `${timestampFileName(now)}-replaced`);
  const file = statSync(copy, { bigint: true });
  if (isOverwritten) copyToPreviousData(dir, aside);
  const moves = [...planMoves(dir, watch, folder, aside), { from: copy, to: dir.database }];
  planDataSwap(dir, { moves, aside, emptied: [folder] });
  const { failed } = executeDataSwap(dir);
  if (failed !== undefined) throw failed;
  // The copy was already checked, so the next opening need not check it.
  markDatabaseClosed(dir);
  const missing = importantNames.filter(
    (name) => folderState.names.includes(name) && !existsSync(join(dir.path, name)),
  );
  const moved = existsSync(aside) ? [message("storage.files_moved", { folder: aside })] : [];
  const lacking = missing.length === 0 ? [] : [message("storage.also_missing", { files: missing.join(", ") })];
  return { file, more: [...moved, ...lacking] };
}
