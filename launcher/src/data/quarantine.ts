// What was set aside: listed, brought back, deleted. A folder each; where the clips lie elsewhere, their part lies with them.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { isAbsolute, join, relative, resolve } from "node:path";
import { type Aside, KitError } from "@kit/contract";
import { madeAtMs, nameOfTime } from "../storage/backup-names.ts";
import type { DataDir } from "../storage/data-dir.ts";
import type { Move } from "../storage/reopening.ts";
import { bytesIn } from "./folder-size.ts";

/** Within the clips folder, where that is on another disk. */
const asideOfClips = ".aside";
/** Lies in one that has all there was, not only the database. */
const wholeMark = "whole";

export type Place = { readonly dir: DataDir; readonly clipsDir: string };
type Why = Aside["why"];

const isInside = (folder: string, path: string) => {
  const inside = relative(folder, path);
  return !(inside.startsWith("..") || isAbsolute(inside));
};

const clipsAsideAt = ({ dir, clipsDir }: Place, name: string): string =>
  isInside(dir.path, clipsDir) ? join(dir.aside, name, "clips") : join(clipsDir, asideOfClips, name);

function foldersIn(path: string): string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

const whyOf = (name: string): Why =>
  (["wiped", "replaced"] as const).find((why) => name.endsWith(`-${why}`)) ?? "restored";

/** Newest first. */
export async function listReplacedData(place: Place): Promise<Aside[]> {
  const { dir } = place;
  const asides = [
    ...foldersIn(dir.aside).map((name) => ({ name, path: join(dir.aside, name), why: whyOf(name) })),
    ...foldersIn(dir.quarantine).map((name) => ({ name, path: join(dir.quarantine, name), why: "damaged" as const })),
  ];
  const told = asides.map(async ({ name, path, why }) => {
    const beside = clipsAsideAt(place, name);
    const bytes = (await bytesIn(path)) + (isInside(path, beside) ? 0 : await bytesIn(beside));
    return { name, at: new Date(madeAtMs(path)).toISOString(), bytes, why };
  });
  return (await Promise.all(told)).sort((one, other) => other.at.localeCompare(one.at));
}

/** The folder of one. Throws KitError when there is none; a name never leads anywhere else. */
export function asidePath({ dir }: Place, name: string): string {
  const folder = [dir.aside, dir.quarantine].find((one) => foldersIn(one).includes(name));
  if (folder === undefined)
    throw new KitError("not_found", `Nothing was set aside as ${name}. \`kit backup\` lists what was.`);
  return join(folder, name);
}

export async function deleteAside(place: Place, name: string): Promise<void> {
  const path = asidePath(place, name);
  await rm(clipsAsideAt(place, name), { recursive: true, force: true });
  await rm(path, { recursive: true, force: true });
}

export const isWhole = (path: string): boolean => existsSync(join(path, wholeMark));

/** A name for what is set aside now. `all`: the backups, the copies and the clips, too. */
export function newAside({ dir }: Place, why: Exclude<Why, "damaged">, atMs: number, all: boolean): string {
  const name = `${nameOfTime(new Date(atMs))}-${why}`;
  mkdirSync(join(dir.aside, name), { recursive: true, mode: 0o700 });
  if (all) writeFileSync(join(dir.aside, name, wholeMark), "");
  return name;
}

const databaseFiles = ["kit.db", "kit.db-wal", "kit.db-shm"];
const besideDatabase = ["backups", "fitted"];

/** What brings the clips' files there, all of them. */
function clipMoves(place: Place, from: string, to: string): Move {
  const whole = isInside(place.dir.path, place.clipsDir);
  return { from, to, ...(whole ? {} : { inside: { except: asideOfClips } }) };
}

/** What is there now goes there. */
export function movesAside(place: Place, name: string, all: boolean): Move[] {
  const { dir, clipsDir } = place;
  const names = [...databaseFiles, ...(all ? besideDatabase : [])];
  const moves = names.map((file) => ({ from: join(dir.path, file), to: join(dir.aside, name, file) }));
  return all ? [...moves, clipMoves(place, clipsDir, clipsAsideAt(place, name))] : moves;
}

/** What was set aside comes back to where it was. */
export function movesBack(place: Place, name: string, all: boolean): Move[] {
  const path = asidePath(place, name);
  const names = [...databaseFiles, ...(all ? besideDatabase : [])];
  const moves = names.map((file) => ({ from: join(path, file), to: join(place.dir.path, file) }));
  return all ? [...moves, clipMoves(place, clipsAsideAt(place, name), place.clipsDir)] : moves;
}

/** Clips can be set aside unless the folder they lie in is the one Kit keeps everything in. */
export const canSetClipsAside = ({ dir, clipsDir }: Place): boolean => !isInside(resolve(clipsDir), dir.path);
