// Compares two words for "did you mean": counts typing mistakes.
import { distance } from "fastest-levenshtein";

/** Returns true if the words differ by one swap of adjacent letters, which counts as one mistake. */
function isSwapped(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  const at = [...one].findIndex((letter, index) => letter !== other[index]);
  const swapped = one.slice(0, at) + (one[at + 1] ?? "") + (one[at] ?? "") + one.slice(at + 2);
  return at >= 0 && swapped === other;
}

/** Returns the maximum number of typing mistakes for a word of this length; with more, it is another word. */
export function maxTypos(length: number): number {
  if (length < 4) return 0;
  return length < 9 ? 1 : 2;
}

/** Returns undefined if the words differ by more than typing mistakes. */
export function countTypos(one: string, other: string): number | undefined {
  if (one === other) return 0;
  const most = maxTypos(Math.min(one.length, other.length));
  if (Math.abs(one.length - other.length) > most) return undefined;
  const slips = distance(one, other);
  if (slips === 2 && isSwapped(one, other)) return most === 0 ? undefined : 1;
  return slips <= most ? slips : undefined;
}

const bare = (word: string) => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Returns the word that was probably meant, or undefined. */
export function closestMatch(written: string, words: readonly string[]): string | undefined {
  const found = words
    .map((word) => ({ word, slips: countTypos(bare(written), bare(word)) ?? Number.POSITIVE_INFINITY }))
    .toSorted((one, other) => one.slips - other.slips)[0];
  return found !== undefined && found.slips < Number.POSITIVE_INFINITY ? found.word : undefined;
}
