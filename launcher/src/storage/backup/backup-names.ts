// Names and lists backup files, without opening a database.
import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";

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
