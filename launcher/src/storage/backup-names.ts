// What backups are called, and which there are. Knows files only, no database.
import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";

export type MadeBy = "launcher" | "person";

/** Ends the name of one that a person made. */
const ownEnd = "-own.db";

export const madeBy = (file: string): MadeBy => (file.endsWith(ownEnd) ? "person" : "launcher");

/** A time as names of files begin with it. */
export const nameOfTime = (at: Date): string => at.toISOString().replaceAll(":", "-");

export const backupName = (at: Date, by: MadeBy): string => nameOfTime(at) + (by === "person" ? ownEnd : ".db");

/** When something was made whose name begins with its time; what a person put there has the time of its file. */
export function madeAtMs(path: string): number {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d-\d\d-\d\d\.\d{3})Z/.exec(basename(path)) ?? [];
  const named = Date.parse(`${day}T${time?.replaceAll("-", ":")}Z`);
  return Number.isNaN(named) ? statSync(path).mtimeMs : named;
}

/** Backups in `folder`, newest first: all, or those of one maker. */
export function listBackups(folder: string, by?: MadeBy): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".db") && (by === undefined || madeBy(name) === by))
      .sort()
      .reverse()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** When the launcher's newest backup was made, in ms; 0 when there is none. */
export function newestBackupAt(folder: string): number {
  const [newest] = listBackups(folder, "launcher");
  return newest === undefined ? 0 : statSync(newest).mtimeMs;
}
