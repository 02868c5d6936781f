// The names of files in the clips folder. A game's words become plain letters, digits, `-` and `_`, and few of them.
import type { Plan } from "../plan.ts";

export type Naming = {
  /** The moment the file is about; told in the machine's own time zone. */
  readonly atMs: number;
  readonly game: string | null;
  /** The event in words. */
  readonly event: string;
};

const wordsMax = 40;
const two = (number: number) => String(number).padStart(2, "0");

/** Empty when nothing of the text can be told in plain letters. */
function plain(text: string): string {
  const letters = text
    .slice(0, 1_000)
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "");
  const words = letters.replace(/[^A-Za-z0-9_]+/g, "-").replace(/^-+/, "");
  return words.slice(0, wordsMax).replace(/-+$/, "");
}

/**
 * e.g. `2026-11-21 20-15-03 saga saga_boss`. It begins with the date and ends in a letter, a digit or `_`:
 * no system has a meaning of its own for it.
 */
export function baseNameOf({ atMs, game, event }: Naming): string {
  const at = new Date(atMs);
  const date = `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join("-");
  return [date, time, plain(game ?? ""), plain(event)].filter((part) => part !== "").join(" ");
}

/** The same for a plan as often as it is asked: a file whose row was not written any more is found again by it. */
export function namingOf({ moments, game, fromMs, title }: Plan): Naming {
  const [first] = moments;
  return { atMs: first?.atMs ?? fromMs, game, event: first?.eventId ?? first?.label ?? title };
}

/** Of a part of a clip: the time at which it begins. */
export const namingOfPart = (plan: Plan): Naming => ({ ...namingOf(plan), atMs: plan.fromMs });

/** The nth name to try when the ones before are taken. */
export const nthName = (base: string, extension: string, nth: number): string =>
  nth === 1 ? `${base}${extension}` : `${base} ${nth}${extension}`;
