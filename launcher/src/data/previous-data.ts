// Lists, restores and deletes previous data. Each replacement leaves a folder of its own; clips on another disk stay on that
// disk.

import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { isAbsolute, join, relative, resolve } from "node:path";
import { KitError, type PreviousData } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { removeWithRetry } from "../renames.ts";
import { backupCreatedMs, timestampFileName } from "../storage/backup.ts";
import type { DataDir } from "../storage/data-dir.ts";
import type { FileMove } from "../storage/data-swap.ts";

/** Subfolder of the clips folder for clips of previous data. Used if the clips folder is outside the data directory. */
const clipsSubfolder = ".aside";
/** Name of the file that marks previous data with backups and clips, not only the database. */
const allDataMarker = "whole";

export type DataLocation = { readonly dir: DataDir; readonly clipsDir: string };
type Why = PreviousData["why"];

const isInside = (folder: string, path: string) => {
  const inside = relative(folder, path);
  return !(inside.startsWith("..") || isAbsolute(inside));
};

const clipsAsideAt = ({ dir, clipsDir }: DataLocation, name: string): string =>
  isInside(dir.path, clipsDir) ? join(dir.previousData, name, "clips") : join(clipsDir, clipsSubfolder, name);

function foldersIn(path: string): string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

/** Returns the bytes of a file or of everything in a folder; 0 if it does not exist. Does not follow links to folders. */
export async function sizeOnDisk(path: string): Promise<number> {
  const is = await stat(path).catch(() => undefined);
  if (is === undefined) return 0;
  if (!is.isDirectory()) return is.size;
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    if (entry.isDirectory()) bytes += await sizeOnDisk(join(path, entry.name));
    else if (entry.isFile()) bytes += (await stat(join(path, entry.name)).catch(() => ({ size: 0 }))).size;
  }
  return bytes;
}

const whyOf = (name: string): Why =>
  (["wiped", "replaced"] as const).find((why) => name.endsWith(`-${why}`)) ?? "restored";

/** Lists previous data, newest first. */
export async function findPreviousData(place: DataLocation): Promise<PreviousData[]> {
  const { dir } = place;
  const asides = [
    ...foldersIn(dir.previousData).map((name) => ({ name, path: join(dir.previousData, name), why: whyOf(name) })),
    ...foldersIn(dir.quarantine).map((name) => ({ name, path: join(dir.quarantine, name), why: "damaged" as const })),
  ];
  const told = asides.map(async ({ name, path, why }) => {
    const beside = clipsAsideAt(place, name);
    const bytes = (await sizeOnDisk(path)) + (isInside(path, beside) ? 0 : await sizeOnDisk(beside));
    return { name, at: new Date(backupCreatedMs(path)).toISOString(), bytes, why };
  });
  return (await Promise.all(told)).sort((one, other) => other.at.localeCompare(one.at));
}

/** Returns the path of a listed folder. Throws KitError for any other name, so that no other text becomes a path. */
export function previousDataPath({ dir }: DataLocation, name: string): string {
  const folder = [dir.previousData, dir.quarantine].find((one) => foldersIn(one).includes(name));
  if (folder === undefined) throw new KitError("not_found", message("previous_data.unknown", { name }));
  return join(folder, name);
}

export async function removePreviousData(place: DataLocation, name: string): Promise<void> {
  const path = previousDataPath(place, name);
  await removeWithRetry(clipsAsideAt(place, name), { recursive: true, force: true });
  await removeWithRetry(path, { recursive: true, force: true });
}

export const holdsAllData = (path: string): boolean => existsSync(join(path, allDataMarker));

/**
 * Creates a folder and returns its name. With `all`, the folder is for backups, network copies and clips too, not only for
 * the database.
 */
export function createPreviousDataFolder(
  { dir }: DataLocation,
  why: Exclude<Why, "damaged">,
  atMs: number,
  all: boolean,
): string {
  const name = `${timestampFileName(new Date(atMs))}-${why}`;
  mkdirSync(join(dir.previousData, name), { recursive: true, mode: 0o700 });
  if (all) writeFileSync(join(dir.previousData, name, allDataMarker), "");
  return name;
}

const databaseFiles = ["kit.db", "kit.db-wal", "kit.db-shm"];
const besideDatabase = ["backups", "fitted"];

/** Returns the move of all clip files. */
function clipMoves(place: DataLocation, from: string, to: string): FileMove {
  const whole = isInside(place.dir.path, place.clipsDir);
  return { from, to, ...(whole ? {} : { inside: { except: clipsSubfolder } }) };
}

/** Returns the moves of the current data to the folder of previous data. */
export function movesToPreviousData(place: DataLocation, name: string, all: boolean): FileMove[] {
  const { dir, clipsDir } = place;
  const names = [...databaseFiles, ...(all ? besideDatabase : [])];
  const moves = names.map((file) => ({ from: join(dir.path, file), to: join(dir.previousData, name, file) }));
  return all ? [...moves, clipMoves(place, clipsDir, clipsAsideAt(place, name))] : moves;
}

/** Returns the file moves that put previous data back where it was. */
export function movesFromPreviousData(place: DataLocation, name: string, all: boolean): FileMove[] {
  const path = previousDataPath(place, name);
  const names = [...databaseFiles, ...(all ? besideDatabase : [])];
  const moves = names.map((file) => ({ from: join(path, file), to: join(place.dir.path, file) }));
  return all ? [...moves, clipMoves(place, clipsAsideAt(place, name), place.clipsDir)] : moves;
}

/** Returns false if the clips folder contains the data folder, because then clips cannot be moved alone. */
export const canMoveClips = ({ dir, clipsDir }: DataLocation): boolean => !isInside(resolve(clipsDir), dir.path);
