// The files of the open database were deleted, moved, replaced or overwritten: what they held is written to where it belongs.
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
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { isSound } from "./backup.ts";
import { nameOfTime } from "./backup-names.ts";
import { type DataDir, ensureDataDir } from "./data-dir.ts";
import { databaseEnds, type FileWatch } from "./file-watch.ts";
import { markClosed } from "./recovery.ts";
import { carryOut, isReopeningPlanned, type Move, planReopening } from "./reopening.ts";

/** What the folder was when the database was opened. */
export type Footing = { readonly disk: bigint; readonly names: readonly string[] };

export const footingOf = ({ path }: DataDir): Footing => ({
  disk: statSync(path, { bigint: true }).dev,
  names: readdirSync(path),
});

/** What a person would miss, beside what the launcher makes again by itself. */
const missable = ["backups", "clips", "secrets", "aside", "quarantine", "obs-password"];

const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
const nearest = (path: string): string => (isThere(path) ? path : nearest(dirname(path)));

/** Of a disk that is away, the place is another disk's: what is written there would be hidden when it comes back. */
function assertSameDisk({ path, database }: DataDir, { disk }: Footing): void {
  const there = statSync(nearest(path), { bigint: true, throwIfNoEntry: false });
  if (there?.dev !== disk && !existsSync(database))
    throw new Error(`${path} is not on the disk it was on. Bring that disk back, or make ${path} a folder on it.`);
}

/** The folder, and nothing but a folder, at its path. */
function makeFolder(dir: DataDir, footing: Footing, now: Date): void {
  assertSameDisk(dir, footing);
  if (existsSync(dir.path) && !statSync(dir.path).isDirectory())
    renameSync(dir.path, `${dir.path}-aside-${nameOfTime(now)}`);
  ensureDataDir(dir);
}

/** A whole, checked copy of what the open files hold, in a folder of its own. Gives its path. */
function makeCopy(folder: string, copyInto: (path: string) => void): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const copy = join(folder, "kit.db");
  const file = openSync(copy, "wx+", 0o600);
  try {
    copyInto(copy);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  if (!isSound(copy)) throw new Error("What was left of the database could not be read as a whole.");
  return copy;
}

/** What is there now makes room: what is ours is in the copy, anything else is set aside. */
function movesFor(dir: DataDir, watch: FileWatch, folder: string, aside: string): Move[] {
  return databaseEnds.map((end) => {
    const from = dir.database + end;
    return { from, to: join(watch.isOpenOne(end) ? join(folder, "old") : aside, basename(from)) };
  });
}

/** Copied, not moved: SQLite still has these files open and would write into them once more when it closes them. */
function copyAside({ database }: DataDir, aside: string): void {
  mkdirSync(aside, { recursive: true, mode: 0o700 });
  for (const from of [database, `${database}-wal`])
    if (existsSync(from)) copyFileSync(from, join(aside, basename(from)));
}

/** `more`: what was set aside and what else is missing, as sentences. */
type Placed = { readonly file: BigIntStats; readonly more: string };

type PutBack = {
  readonly dir: DataDir;
  readonly footing: Footing;
  readonly watch: FileWatch;
  /** Somebody else wrote into the open files: as they are now, they are kept like any other file that lies there. */
  readonly isOverwritten: boolean;
  /** Takes the lock anew where its file went, too. */
  readonly relock: () => void;
  /** Writes all that is to be kept into a new file. */
  readonly copyInto: (path: string) => void;
};

/**
 * Puts the copy in the database's place. Throws where that is impossible now: then nothing changed, and the open files still hold
 * all. Whoever removed the files may be at it still: whether it is there is known once it is open.
 */
export function putBack({ dir, footing, watch, isOverwritten, relock, copyInto }: PutBack, now: Date): Placed {
  makeFolder(dir, footing, now);
  relock();
  if (isReopeningPlanned(dir)) throw new Error("Another database is about to take its place.");
  const folder = join(dir.path, "put-back");
  const copy = makeCopy(folder, copyInto);
  const aside = join(dir.aside, `${nameOfTime(now)}-replaced`);
  const file = statSync(copy, { bigint: true });
  if (isOverwritten) copyAside(dir, aside);
  const moves = [...movesFor(dir, watch, folder, aside), { from: copy, to: dir.database }];
  planReopening(dir, { moves, aside, emptied: [folder] });
  const { failed } = carryOut(dir);
  if (failed !== undefined) throw failed;
  // The copy was checked a moment ago.
  markClosed(dir);
  const missing = missable.filter((name) => footing.names.includes(name) && !existsSync(join(dir.path, name)));
  const kept = existsSync(aside) ? ` What lay in its place is kept in ${aside}.` : "";
  return { file, more: kept + (missing.length === 0 ? "" : ` Missing beside it: ${missing.join(", ")}.`) };
}
