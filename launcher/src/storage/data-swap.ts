// Replaces files of the data directory while the database is closed. The renames are planned and counted in a file, so that the
// next start finishes or undoes a replacement that a crash interrupted.
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { removePatientlySync, renamePatientlySync } from "../renames.ts";
import type { DataDir } from "./data-dir.ts";

/** `inside`: moves the contents of the folder instead of the folder, except the entry with that name. */
export type FileMove = { readonly from: string; readonly to: string; readonly inside?: { readonly except: string } };

type SwapPlan = {
  readonly moves: readonly FileMove[];
  /** Folder for the replaced data. Deleted if the swap is undone. */
  readonly aside: string;
  /** Folders to delete after the swap. */
  readonly emptied: readonly string[];
  /** Notice for the user after the swap. */
  readonly says?: string;
};
type SwapJournal = SwapPlan & { readonly isGoingBack: boolean; readonly done: number };

/** Makes the renames in a folder durable. */
function syncFolder(path: string): void {
  try {
    const folder = openSync(path, "r");
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch {
    // Windows cannot sync a folder.
  }
}

/** Replaces a small file atomically and durably. */
export function writeFileAtomically(path: string, text: string): void {
  const part = `${path}.part`;
  const file = openSync(part, "w", 0o600);
  writeFileSync(file, text);
  fsyncSync(file);
  closeSync(file);
  renamePatientlySync(part, path);
  syncFolder(dirname(path));
}

/** Renames a file or folder, if it still exists. Throws if the target exists. */
function moveOne(from: string, to: string): void {
  if (!existsSync(from)) return;
  if (existsSync(to)) throw new Error(`${to} already exists`);
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  renamePatientlySync(from, to);
  syncFolder(dirname(from));
  syncFolder(dirname(to));
}

function moveContents(from: string, to: string, except: string): void {
  if (!existsSync(from)) return;
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(from)) if (name !== except) moveOne(join(from, name), join(to, name));
}

function move({ from, to, inside }: FileMove): void {
  if (inside === undefined) moveOne(from, to);
  else moveContents(from, to, inside.except);
}

/** Undoes a move, unless it was never made. */
function moveBack({ from, to, inside }: FileMove): void {
  if (inside === undefined && existsSync(from)) return;
  move({ from: to, to: from, ...(inside && { inside }) });
}

/** Records the plan. From now on, the next opening executes it. */
export function planDataSwap(dir: DataDir, plan: SwapPlan): void {
  writeFileAtomically(dir.swapPlan, JSON.stringify({ ...plan, isGoingBack: false, done: 0 } satisfies SwapJournal));
}

type SwapResult = { readonly failed?: unknown; readonly says?: string };

/**
 * Executes the planned moves. Nobody may use the directory meanwhile. If a move fails, undoes the earlier ones. `onStep`, for tests,
 * is called after each move and each write of the plan.
 */
export function executeDataSwap(dir: DataDir, onStep: () => void = () => undefined): SwapResult {
  let journal = JSON.parse(readFileSync(dir.swapPlan, "utf8")) as SwapJournal;
  const note = (change: Partial<SwapJournal>) => {
    journal = { ...journal, ...change };
    writeFileAtomically(dir.swapPlan, JSON.stringify(journal));
    onStep();
  };
  let failed: unknown;
  while (!journal.isGoingBack && journal.done < journal.moves.length) {
    try {
      move(journal.moves[journal.done] as FileMove);
    } catch (error) {
      failed = error;
      // The failed step counts as done, because it may have moved some of its files, which must be moved back.
      note({ isGoingBack: true, done: journal.done + 1 });
      break;
    }
    onStep();
    note({ done: journal.done + 1 });
  }
  while (journal.isGoingBack && journal.done > 0) {
    moveBack(journal.moves[journal.done - 1] as FileMove);
    onStep();
    note({ done: journal.done - 1 });
  }
  const obsolete = journal.isGoingBack ? [journal.aside] : journal.emptied;
  for (const folder of obsolete) removePatientlySync(folder, { recursive: true, force: true });
  removePatientlySync(dir.swapPlan, { force: true });
  syncFolder(dir.path);
  if (journal.isGoingBack) return { failed: failed ?? new Error("an earlier start could not replace the data") };
  return { ...(journal.says !== undefined && { says: journal.says }) };
}

export const isSwapPlanned = (dir: DataDir): boolean => existsSync(dir.swapPlan);
