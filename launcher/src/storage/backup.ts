// Backups: makes verified copies of the database, names and lists them, and deletes old ones. Stores the checksums of those that this
// launcher made, to recognise them and their copies later. The name and the folder of a file prove nothing, because anyone can put a
// file there.

import { createHash } from "node:crypto";
import { appendFileSync, chmodSync, createReadStream, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { type BackupOptions, backup as copyDatabase, DatabaseSync } from "node:sqlite";
import { pipeline } from "node:stream/promises";
// Not imported from "@kit/contract", which builds all its schemas in each thread that imports it.
import { manualBackupsMax } from "@kit/contract/limits";
import { removePatientlySync, renamePatientlySync } from "../renames.ts";
import { writeFileAtomically } from "./data-swap.ts";

export type BackupCreator = "launcher" | "person";

/** Suffix of backups that a person made. */
const personSuffix = "-own.db";

export const creatorOfBackup = (file: string): BackupCreator => (file.endsWith(personSuffix) ? "person" : "launcher");

/** ISO 8601 with hyphens for colons, which Windows forbids in file names. */
export const timestampFileName = (at: Date): string => at.toISOString().replaceAll(":", "-");

export const backupName = (at: Date, by: BackupCreator): string =>
  timestampFileName(at) + (by === "person" ? personSuffix : ".db");

/** When the backup was made, in milliseconds: the time in its name, or the modification time if a person named the file. */
export function backupCreatedMs(path: string): number {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d-\d\d-\d\d\.\d{3})Z/.exec(basename(path)) ?? [];
  const named = Date.parse(`${day}T${time?.replaceAll("-", ":")}Z`);
  return Number.isNaN(named) ? statSync(path).mtimeMs : named;
}

/** Paths of the backups in `folder`, newest first; with `by`, only those that the launcher or a person made. */
export function listBackups(folder: string, by?: BackupCreator): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".db") && (by === undefined || creatorOfBackup(name) === by))
      .sort()
      .reverse()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** Modification time of the launcher's newest backup in milliseconds, or 0 if there is none. */
export function newestBackupMs(folder: string): number {
  const [newest] = listBackups(folder, "launcher");
  return newest === undefined ? 0 : statSync(newest).mtimeMs;
}

/** Name of the file with the checksums, in the backups folder. */
export const ownBackupsFile = "made-here";
const noteBytesMax = 65_536;
const lineBytes = 65;

export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

function readDigests(folder: string): string[] {
  try {
    return readFileSync(join(folder, ownBackupsFile), "utf8").split("\n");
  } catch {
    // The file is missing until this launcher has made a backup.
    return [];
  }
}

/** Adds a checksum. At about a thousand, drops the older half. */
export function recordOwnBackup(folder: string, digest: string): void {
  const note = join(folder, ownBackupsFile);
  appendFileSync(note, `${digest}\n`, { mode: 0o600 });
  if (statSync(note).size <= noteBytesMax) return;
  writeFileAtomically(
    note,
    readDigests(folder)
      .slice(-noteBytesMax / lineBytes / 2)
      .join("\n"),
  );
}

export const isOwnBackup = async (folder: string, path: string): Promise<boolean> =>
  readDigests(folder).includes(await sha256OfFile(path));

// Makes verified copies of the database, and deletes old ones.
const backupsMax = { launcher: 3, person: manualBackupsMax } as const;
/**
 * Pages that SQLite copies in one step. The writing connection takes small steps and commits between them. Any other connection
 * copies everything in one step, because SQLite starts over after each commit of the writer.
 */
const pagesPerStep = { writing: 100, reading: 2 ** 30 } as const;

/** Whether SQLite opens the file and finds no damage. Reads the whole file. `integrity_check` also compares indices with tables. */
export function passesDatabaseCheck(path: string, check: "quick_check" | "integrity_check" = "quick_check"): boolean {
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
    try {
      return database.prepare(`PRAGMA ${check}(1)`).get()?.[check] === "ok";
    } finally {
      database.close();
    }
  } catch {
    return false;
  }
}

const triesMax = 200;
/** Whether the connection was inside a transaction at the first step. Node reports that with the error code 0. */
const isBusy = (error: unknown) => (error as { errcode?: number }).errcode === 0;

/** Copies `database` into the file at `path`. The connection may commit meanwhile; a copy that meets a transaction is retried. */
export async function copyAllPages(database: DatabaseSync, path: string, options: BackupOptions): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await copyDatabase(database, path, options);
      return;
    } catch (error) {
      if (!isBusy(error) || tries === triesMax) throw error;
    }
  }
}

/**
 * Makes a backup in `folder`, checks it, and deletes the oldest backups beyond the limit. Returns the path. If the backup fails its
 * check, removes it and throws.
 */
export async function createBackup(
  database: DatabaseSync,
  folder: string,
  now: Date,
  by: BackupCreator = "launcher",
  connection: keyof typeof pagesPerStep = "writing",
): Promise<string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, backupName(now, by));
  const unfinished = `${path}.part`;
  try {
    await copyAllPages(database, unfinished, { rate: pagesPerStep[connection] });
    chmodSync(unfinished, 0o600);
    if (!passesDatabaseCheck(unfinished)) throw new Error(`The backup ${path} did not pass its check`);
    recordOwnBackup(folder, await sha256OfFile(unfinished));
    renamePatientlySync(unfinished, path);
  } finally {
    for (const suffix of ["", "-wal", "-shm"]) removePatientlySync(unfinished + suffix, { force: true });
  }
  for (const old of listBackups(folder, by).slice(backupsMax[by])) removePatientlySync(old, { force: true });
  return path;
}
