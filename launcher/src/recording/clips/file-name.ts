// Names of clip files. Of the texts of a game, they contain only ASCII letters, digits, `-` and `_`, and only some 40 characters.
// Pure.
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
 * E.g. `2026-11-21 20-15-03 saga saga_boss`. Starts with the date and ends with a letter, digit or `_`, so that no system treats
 * the name specially.
 */
export function fileBaseName({ atMs, game, event }: FileNameParts): string {
  const at = new Date(atMs);
  const date = `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join("-");
  return [date, time, toAscii(game ?? ""), toAscii(event)].filter((part) => part !== "").join(" ");
}

/** The same plan always has the same name, so that recovery finds a file whose row was not written. */
export function namePartsForPlan({ moments, game, fromMs, title }: ClipPlan): FileNameParts {
  const [first] = moments;
  return { atMs: first?.atMs ?? fromMs, game, event: first?.eventId ?? first?.label ?? title };
}

/** Like `namePartsForPlan`, but with the time at which the trim starts. */
export const namePartsForTrim = (plan: ClipPlan): FileNameParts => ({ ...namePartsForPlan(plan), atMs: plan.fromMs });

/** Returns the `nth` name to try, from 1, if the earlier ones are taken. */
export const numberedName = (base: string, extension: string, nth: number): string =>
  nth === 1 ? `${base}${extension}` : `${base} ${nth}${extension}`;
