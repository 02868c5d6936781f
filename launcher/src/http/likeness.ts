// How much two words are alike, for "did you mean": typing slips count, nothing else does.
import { distance } from "fastest-levenshtein";

/** Two letters that changed places are one slip. */
function isSwapped(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  const at = [...one].findIndex((letter, index) => letter !== other[index]);
  const swapped = one.slice(0, at) + (one[at + 1] ?? "") + (one[at] ?? "") + one.slice(at + 2);
  return at >= 0 && swapped === other;
}

/** So many slips a word of that length may have before it is another one. */
export function slipsMax(length: number): number {
  if (length < 4) return 0;
  return length < 9 ? 1 : 2;
}

/** Undefined where they are more than typing slips apart. */
export function slipsBetween(one: string, other: string): number | undefined {
  if (one === other) return 0;
  const most = slipsMax(Math.min(one.length, other.length));
  if (Math.abs(one.length - other.length) > most) return undefined;
  const slips = distance(one, other);
  if (slips === 2 && isSwapped(one, other)) return most === 0 ? undefined : 1;
  return slips <= most ? slips : undefined;
}

const bare = (word: string) => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** The one of `words` that was probably meant. */
export function meantBy(written: string, words: readonly string[]): string | undefined {
  const found = words
    .map((word) => ({ word, slips: slipsBetween(bare(written), bare(word)) ?? Number.POSITIVE_INFINITY }))
    .toSorted((one, other) => one.slips - other.slips)[0];
  return found !== undefined && found.slips < Number.POSITIVE_INFINITY ? found.word : undefined;
}
