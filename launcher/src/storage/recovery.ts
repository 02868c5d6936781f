// A damaged database is set aside, never deleted, and the newest good backup takes its place.
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isSound } from "./backup.ts";
import { listBackups } from "./backup-names.ts";
import type { DataDir } from "./data-dir.ts";

/** More than this in a day is not an accident: the disk is failing, and copying on would only fill it. */
const quarantinesPerDayMax = 3;
const dayMs = 86_400_000;

function quarantinesSince(folder: string, sinceMs: number): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder).filter((name) => statSync(join(folder, name)).mtimeMs > sinceMs).length;
}

/** Moves the damaged files away, restores a backup if there is a good one, and says what was done. */
export function setAsideAndRestore(dir: DataDir, now: Date, isUsable: (backup: string) => boolean): string {
  if (quarantinesSince(dir.quarantine, now.getTime() - dayMs) >= quarantinesPerDayMax) {
    throw new Error(`The database was damaged ${quarantinesPerDayMax + 1} times in a day: check the disk.`);
  }
  const place = join(dir.quarantine, now.toISOString().replaceAll(":", "-"));
  mkdirSync(place, { recursive: true, mode: 0o700 });
  for (const suffix of ["", "-wal", "-shm"]) {
    const file = dir.database + suffix;
    if (existsSync(file)) renameSync(file, join(place, basename(file)));
  }
  const good = listBackups(dir.backups).find((backup) => isUsable(backup) && isSound(backup));
  if (good === undefined)
    return `The database was damaged. It is kept in ${place}; there was no good backup, so Kit began anew.`;
  copyFileSync(good, dir.database);
  return `The database was damaged. It is kept in ${place}; the backup ${basename(good)} was restored.`;
}

/** True when the last process that had the database open ended without closing it. */
export const endedUncleanly = (dir: DataDir): boolean => existsSync(dir.openMarker);

export const markOpen = (dir: DataDir): void => writeFileSync(dir.openMarker, "", { mode: 0o600 });

export const markClosed = (dir: DataDir): void => rmSync(dir.openMarker, { force: true });
