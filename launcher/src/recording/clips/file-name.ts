// Names of clip files. Text of a game is reduced to a few ASCII letters, digits, `-` and `_`.

import { open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { MessageError } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { ClipPlan } from "../plans/plan.ts";

export type FileNameParts = {
  /** Time of the first moment, written in local time. */
  readonly atMs: number;
  readonly game: string | null;
  /** Event id or label. */
  readonly event: string;
};

const wordsMax = 40;
const two = (number: number) => String(number).padStart(2, "0");

/** Returns an empty string if no ASCII letter remains. */
function toAscii(text: string): string {
  const letters = text
    .slice(0, 1_000)
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "");
  const words = letters.replace(/[^A-Za-z0-9_]+/g, "-").replace(/^-+/, "");
  return words.slice(0, wordsMax).replace(/-+$/, "");
}

/**
 * E.g. `2026-11-21 20-15-03 saga saga_boss`. Starts with the date and ends with a letter, digit or `_`, so that no system treats
 * the name specially.
 */
export function fileBaseName({ atMs, game, event }: FileNameParts): string {
  const at = new Date(atMs);
  const date = `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join("-");
  return [date, time, toAscii(game ?? ""), toAscii(event)].filter((part) => part !== "").join(" ");
}

/** Deterministic, so that recovery finds a file whose row was not written. */
export function namePartsForPlan({ moments, game, fromMs, title }: ClipPlan): FileNameParts {
  const [first] = moments;
  return { atMs: first?.atMs ?? fromMs, game, event: first?.eventId ?? first?.label ?? title };
}

/** A trim is named after its start. */
export const namePartsForTrim = (plan: ClipPlan): FileNameParts => ({ ...namePartsForPlan(plan), atMs: plan.fromMs });

/** The nth candidate if earlier names are taken. */
export const numberedName = (base: string, extension: string, nth: number): string =>
  nth === 1 ? `${base}${extension}` : `${base} ${nth}${extension}`;

/** Another program has the file open, so it was not replaced. */
export class FileInUse extends MessageError {
  override name = "FileInUse";
}

type Rename = (from: string, to: string) => Promise<void>;

const triesMax = 10;
const tryAgainMs = 150;
/** Candidates that are tried for a free name. */
const nameTriesMax = 1_000;

export const errorCode = (error: unknown) => (error as NodeJS.ErrnoException | undefined)?.code;
const isHeldOpen = (error: unknown) => ["EBUSY", "EACCES", "EPERM"].includes(errorCode(error) ?? "");

/** Resolves when the file is on stable storage. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes a rename survive a power failure. Windows has no such call and needs none. */
async function syncFolderOf(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(dirname(path));
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Replaces the target. Throws FileInUse if another program keeps it open for more than about a second. */
export async function replaceFile(from: string, to: string, renameFile: Rename = rename): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await renameFile(from, to);
      return await syncFolderOf(to);
    } catch (error) {
      if (!isHeldOpen(error)) throw error;
      if (attempt === triesMax) throw new FileInUse(message("file.held_open"), { cause: error });
      await pause(tryAgainMs);
    }
  }
}

/** Creates an empty file with the first free name in `dir`, and returns the name. Nothing is overwritten. */
export async function reserveName(dir: string, base: string, extension: string): Promise<string> {
  for (let nth = 1; nth <= nameTriesMax; nth += 1) {
    const name = numberedName(base, extension, nth);
    try {
      await (await open(join(dir, name), "wx")).close();
      return name;
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
  }
  throw new MessageError(message("file.too_many_of_name"));
}

/** Moves the file to the first free name in `dir`, and returns the name. */
export async function renameToFreeName(from: string, dir: string, base: string, extension: string): Promise<string> {
  const name = await reserveName(dir, base, extension);
  try {
    await replaceFile(from, join(dir, name));
    return name;
  } catch (error) {
    await rm(join(dir, name), { force: true });
    throw error;
  }
}
