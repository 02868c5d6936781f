// Names and lists backup files, without opening a database.
import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";

export type BackupCreator = "launcher" | "person";

/** Suffix of backups that a person made. */
const personSuffix = "-own.db";

export const backupCreator = (file: string): BackupCreator => (file.endsWith(personSuffix) ? "person" : "launcher");

/** Formats a time as the beginning of a file name. */
export const timestampName = (at: Date): string => at.toISOString().replaceAll(":", "-");

export const backupName = (at: Date, by: BackupCreator): string =>
  timestampName(at) + (by === "person" ? personSuffix : ".db");

/** The time in the file's name, or the modification time of a file that a person copied there. */
export function createdAtMs(path: string): number {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d-\d\d-\d\d\.\d{3})Z/.exec(basename(path)) ?? [];
  const named = Date.parse(`${day}T${time?.replaceAll("-", ":")}Z`);
  return Number.isNaN(named) ? statSync(path).mtimeMs : named;
}

/** Backups in `folder`, newest first, optionally only those made by the launcher or by a person. */
export function listBackups(folder: string, by?: BackupCreator): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".db") && (by === undefined || backupCreator(name) === by))
      .sort()
      .reverse()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** Time of the launcher's newest backup, or 0 if there is none. */
export function newestBackupMs(folder: string): number {
  const [newest] = listBackups(folder, "launcher");
  return newest === undefined ? 0 : statSync(newest).mtimeMs;
}
