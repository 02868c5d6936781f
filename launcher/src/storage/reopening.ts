// Between two openings of the data directory: what is there is set aside and something else takes its place. Only renames, each
// written down before it is relied on: a launcher that is killed in between goes on, or goes back, at the next start.
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { DataDir } from "./data-dir.ts";

/** `inside`: what lies in the folder goes into the other one, except what is named so. */
export type Move = { readonly from: string; readonly to: string; readonly inside?: { readonly except: string } };

type Plan = {
  readonly moves: readonly Move[];
  /** The folder that what is there goes to; of no use where all stays as it was. */
  readonly aside: string;
  /** Folders that are of no use once all is moved. */
  readonly emptied: readonly string[];
  /** What a person is told of it once it is done. */
  readonly says?: string;
};
type Journal = Plan & { readonly isGoingBack: boolean; readonly done: number };

/** Renames are on the disk once their folders are. Where a system does not know that, its renames are. */
function syncFolder(path: string): void {
  try {
    const folder = openSync(path, "r");
    fsyncSync(folder);
    closeSync(folder);
  } catch {
    // Windows has no such thing.
  }
}

/** Replaces a small file so that it is whole or as it was before. */
export function writeWhole(path: string, text: string): void {
  const part = `${path}.part`;
  const file = openSync(part, "w", 0o600);
  writeFileSync(file, text);
  fsyncSync(file);
  closeSync(file);
  renameSync(part, path);
  syncFolder(dirname(path));
}

/** One thing from here to there. Done already is done; two things for one place are an error. */
function moveOne(from: string, to: string): void {
  if (!existsSync(from)) return;
  if (existsSync(to)) throw new Error(`${to} is there already`);
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  renameSync(from, to);
  syncFolder(dirname(from));
  syncFolder(dirname(to));
}

function moveInside(from: string, to: string, except: string): void {
  if (!existsSync(from)) return;
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(from)) if (name !== except) moveOne(join(from, name), join(to, name));
}

function move({ from, to, inside }: Move): void {
  if (inside === undefined) moveOne(from, to);
  else moveInside(from, to, inside.except);
}

/** What stands in its way was never moved, and stays. */
function moveBack({ from, to, inside }: Move): void {
  if (inside === undefined && existsSync(from)) return;
  move({ from: to, to: from, ...(inside && { inside }) });
}

/** Written down: from now on the next opening does it. */
export function planReopening(dir: DataDir, plan: Plan): void {
  writeWhole(dir.reopening, JSON.stringify({ ...plan, isGoingBack: false, done: 0 } satisfies Journal));
}

type CarriedOut = { readonly failed?: unknown; readonly says?: string };

/**
 * Does what was planned; to be called while nobody uses the directory. Where a step fails, the ones before it are taken back.
 * `onStep` is called after each rename and each note of it.
 */
export function carryOut(dir: DataDir, onStep: () => void = () => undefined): CarriedOut {
  let journal = JSON.parse(readFileSync(dir.reopening, "utf8")) as Journal;
  const note = (change: Partial<Journal>) => {
    journal = { ...journal, ...change };
    writeWhole(dir.reopening, JSON.stringify(journal));
    onStep();
  };
  let failed: unknown;
  while (!journal.isGoingBack && journal.done < journal.moves.length) {
    try {
      move(journal.moves[journal.done] as Move);
    } catch (error) {
      failed = error;
      // The step that failed may have moved some of its files.
      note({ isGoingBack: true, done: journal.done + 1 });
      break;
    }
    onStep();
    note({ done: journal.done + 1 });
  }
  while (journal.isGoingBack && journal.done > 0) {
    moveBack(journal.moves[journal.done - 1] as Move);
    onStep();
    note({ done: journal.done - 1 });
  }
  const useless = journal.isGoingBack ? [journal.aside] : journal.emptied;
  for (const folder of useless) rmSync(folder, { recursive: true, force: true });
  rmSync(dir.reopening, { force: true });
  syncFolder(dir.path);
  if (journal.isGoingBack) return { failed: failed ?? new Error("an earlier start failed to do it") };
  return { ...(journal.says !== undefined && { says: journal.says }) };
}

export const isReopeningPlanned = (dir: DataDir): boolean => existsSync(dir.reopening);
