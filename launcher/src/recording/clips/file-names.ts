// Names clip files, and moves them to their names: durably, without overwriting another clip, and although other programs may have them
// open. Of the texts of a game, names contain only ASCII letters, digits, `-` and `_`, and only some 40 characters.

import { open, rename } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { type Clip, gameInWords, MessageError } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { localDate } from "../../local-time.ts";
import { removeWithRetry, renameWithRetry } from "../../renames.ts";
import { bestMoment, type ClipPlan } from "../plans/plan.ts";

export type FileNameParts = {
  /** Time of the best moment, written in local time. */
  readonly atMs: number;
  readonly game: string | null;
  /** Label of the best moment. */
  readonly event: string;
  /** Stands in for a label without ASCII letters. */
  readonly eventId?: string | null;
};

const wordsMax = 40;
const two = (number: number) => String(number).padStart(2, "0");

/** Reduces text to ASCII. Returns an empty string if nothing remains. */
function toAscii(text: string): string {
  const letters = text
    .slice(0, 1_000)
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "");
  const words = letters.replace(/[^A-Za-z0-9_]+/g, "-").replace(/^-+/, "");
  return words.slice(0, wordsMax).replace(/-+$/, "");
}

/**
 * E.g. `2026-11-21 20-15-03 Saga Boss-defeated`. Starts with the date and ends with a letter, digit or `_`, so that no system treats
 * the name specially.
 */
export function fileBaseName({ atMs, game, event, eventId }: FileNameParts): string {
  const at = new Date(atMs);
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join("-");
  const ofGame = game === null ? "" : toAscii(gameInWords(game)) || toAscii(game);
  return [localDate(atMs), time, ofGame, toAscii(event) || toAscii(eventId ?? "")]
    .filter((part) => part !== "")
    .join(" ");
}

/** These have a meaning on some system. */
const reserved = /[\\/:*?"<>|]+/g;
const invisible = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu;
const graphemes = new Intl.Segmenter();
const gameBytesMax = 60;
const titleBytesMax = 120;

/** Returns the text in its own letters, without what some system refuses in a name. */
function toName(text: string, bytesMax: number): string {
  const words = text
    .slice(0, 1_000)
    .normalize("NFC")
    .replace(reserved, "-")
    .replace(invisible, " ")
    .replace(/\s+/g, " ");
  let name = "";
  for (const { segment } of graphemes.segment(words.replace(/^[-. ]+/, ""))) {
    if (Buffer.byteLength(name + segment) > bytesMax) break;
    name += segment;
  }
  return name.replace(/[-. ]+$/, "");
}

/**
 * Returns what a download of the file is called: unlike the file, in the letters of the clip's title. It starts with the date of the
 * file, so that no system treats it specially. A file that a person named keeps its name.
 */
export function downloadNameOf(file: string, { game, title }: Pick<Clip, "game" | "title">): string {
  const [time] = /^\d{4}-\d\d-\d\d \d\d-\d\d-\d\d/.exec(file) ?? [];
  if (time === undefined) return file;
  const ofGame = game === null ? "" : toName(gameInWords(game), gameBytesMax);
  const words = [time, ofGame, toName(title, titleBytesMax)].filter((part) => part !== "");
  return `${words.join(" ")}${extname(file)}`;
}

/** The same plan always has the same name, so that recovery finds a file whose row was not written. */
export function namePartsForPlan({ moments, game, fromMs, title }: ClipPlan): FileNameParts {
  const best = bestMoment(moments);
  return { atMs: best?.atMs ?? fromMs, game, event: best?.label ?? title, eventId: best?.eventId ?? null };
}

/** Like `namePartsForPlan`, but with the time at which the trim starts. */
export const namePartsForTrim = (plan: ClipPlan): FileNameParts => ({ ...namePartsForPlan(plan), atMs: plan.fromMs });

/** A reel is named by its title. */
export const namePartsForReel = ({ fromMs, game, title }: ClipPlan): FileNameParts => ({
  atMs: fromMs,
  game,
  event: title,
});

/** Returns the `nth` name to try, from 1, if the earlier ones are taken. */
export const numberedName = (base: string, extension: string, nth: number): string =>
  nth === 1 ? `${base}${extension}` : `${base} ${nth}${extension}`;

/** Returns true if a file has this name, perhaps with a number because the name was taken. */
export const isNamedAfter = (file: string, base: string, extension: string): boolean =>
  file.startsWith(base) && file.endsWith(extension) && /^( \d+)?$/.test(file.slice(base.length, -extension.length));

/** The file was not replaced, because another program has it open. */
export class FileInUse extends MessageError {
  override name = "FileInUse";
}

type Rename = (from: string, to: string) => Promise<void>;

/** How many names are tried until one is free. */
const nameTriesMax = 1_000;

const errorCode = (error: unknown) => (error as NodeJS.ErrnoException | undefined)?.code;
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

/** Makes the renames in a folder survive a power failure. Windows has no such call, and needs none. */
async function syncFolderOf(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(dirname(path));
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Renames a file durably, and replaces the target. Throws FileInUse if another program keeps it open for over a second. */
export async function replaceFile(from: string, to: string, renameFile: Rename = rename): Promise<void> {
  try {
    await renameWithRetry(from, to, renameFile);
  } catch (error) {
    if (!isHeldOpen(error)) throw error;
    throw new FileInUse(message("file.held_open"), { cause: error });
  }
  await syncFolderOf(to);
}

/** Moves a file, and replaces the target. Resolves to false if the file no longer exists. Throws FileInUse. */
export async function moveFile(from: string, to: string): Promise<boolean> {
  try {
    await replaceFile(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
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
    await removeWithRetry(join(dir, name), { force: true });
    throw error;
  }
}
