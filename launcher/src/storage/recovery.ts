// A damaged database is set aside, never deleted, and the newest good backup takes its place; salvage/ adds what can be read.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { isSound } from "./backup.ts";
import { listBackups } from "./backup-names.ts";
import type { DataDir } from "./data-dir.ts";
import { isMadeHere } from "./made-backups.ts";
import { writeWhole } from "./reopening.ts";

/** More than this in a day is not an accident: the disk is failing, and copying on would only fill it. */
const quarantinesPerDayMax = 3;
const dayMs = 86_400_000;

function quarantinesSince(folder: string, sinceMs: number): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder).filter((name) => statSync(join(folder, name)).mtimeMs > sinceMs).length;
}

/** A database that was set aside and not looked through yet. `backup`: what was restored, if there was a good one. */
export type SetAside = { readonly place: string; readonly backup: string | undefined; readonly tries: number };

/** Names, since a data directory may be moved between two starts. */
type Note = { readonly backup: string | null; readonly tries: number };
/** In the folder of what was set aside, until what can be read of it is in the database again. */
const noteIn = (place: string) => join(place, "to-salvage.json");

const note = ({ place, backup, tries }: SetAside): void =>
  writeWhole(noteIn(place), JSON.stringify({ backup: backup === undefined ? null : basename(backup), tries }));

/** What a start that was killed left to do. */
export function leftToSalvage(dir: DataDir): SetAside | undefined {
  if (!existsSync(dir.quarantine)) return undefined;
  const place = readdirSync(dir.quarantine)
    .map((name) => join(dir.quarantine, name))
    .find((path) => existsSync(noteIn(path)));
  if (place === undefined) return undefined;
  const { backup, tries } = JSON.parse(readFileSync(noteIn(place), "utf8")) as Note;
  return { place, backup: backup === null ? undefined : join(dir.backups, backup), tries };
}

/** To be called before it is tried: a file that ends the process must not do so at every start. */
export const noteTry = (aside: SetAside): void => note({ ...aside, tries: aside.tries + 1 });

export const noteSalvaged = ({ place }: SetAside): void => rmSync(noteIn(place), { force: true });

/** The newest of those that this launcher made; only where none of them is good, of any that lie there. */
async function goodBackup({ backups }: DataDir, isUsable: (backup: string) => boolean): Promise<string | undefined> {
  const usable = listBackups(backups).filter(isUsable);
  for (const backup of usable) if ((await isMadeHere(backups, backup)) && isSound(backup)) return backup;
  return usable.find((backup) => isSound(backup));
}

/** Moves the damaged files away. What is left of them to do is noted first, so that a start that is killed is gone on with. */
export async function setAside(dir: DataDir, now: Date, isUsable: (backup: string) => boolean): Promise<SetAside> {
  if (quarantinesSince(dir.quarantine, now.getTime() - dayMs) >= quarantinesPerDayMax) {
    throw new Error(`The database was damaged ${quarantinesPerDayMax + 1} times in a day: check the disk.`);
  }
  const place = join(dir.quarantine, now.toISOString().replaceAll(":", "-"));
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const aside = { place, backup: await goodBackup(dir, isUsable), tries: 0 };
  note(aside);
  for (const suffix of ["", "-wal", "-shm"]) {
    const file = dir.database + suffix;
    if (existsSync(file)) renameSync(file, join(place, basename(file)));
  }
  return aside;
}

/** Puts the backup in the database's place, whole or not at all. */
export function restoreBackup(dir: DataDir, { backup }: SetAside): void {
  if (backup === undefined || existsSync(dir.database)) return;
  const part = `${dir.database}.part`;
  copyFileSync(backup, part);
  renameSync(part, dir.database);
}

export const setAsideSays = ({ place, backup }: SetAside): string =>
  backup === undefined
    ? `The database was damaged. It is kept in ${place}; there was no good backup, so Kit began anew.`
    : `The database was damaged. It is kept in ${place}; the backup ${basename(backup)} was restored.`;

/** True when the last process that had the database open ended without closing it. */
export const endedUncleanly = (dir: DataDir): boolean => existsSync(dir.openMarker);

export const markOpen = (dir: DataDir): void => writeFileSync(dir.openMarker, "", { mode: 0o600 });

export const markClosed = (dir: DataDir): void => rmSync(dir.openMarker, { force: true });
