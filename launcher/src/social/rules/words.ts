// What a game says, as plain words: nothing in them is a link, a mention, a tag or formatting on any network.
import { oneLine } from "@kit/contract";

/** Letters with their marks and numbers of any script. What nobody sees, though it counts as a letter, is none. */
const word = /[\p{L}\p{M}\p{N}]/u;
const unseen = /\p{Default_Ignorable_Code_Point}/u;
/** Marks pile up on one letter; more than two are no writing. */
const piled = /(\p{M}{2})\p{M}+/gu;
/** Said in names, and nothing more than a sign anywhere. */
const signs = new Set([..." ,!?'’&%()"]);
/** Signs only behind a word, or between two: where a line or a word begins, some of them format. */
const behind = new Set(["+"]);
const between = new Set(["-"]);

const isWord = (character: string | undefined): boolean =>
  character !== undefined && word.test(character) && !unseen.test(character);
const isAsciiWord = (character: string | undefined): boolean => character !== undefined && /[a-z0-9]/i.test(character);

function kept(characters: readonly string[], index: number, isId: boolean): boolean {
  const character = characters[index] ?? "";
  const [before, after] = [characters[index - 1], characters[index + 1]];
  if (isWord(character) || signs.has(character)) return true;
  if (behind.has(character)) return isWord(before);
  if (between.has(character)) return isWord(before) && isWord(after);
  return isId && character === "_" && isAsciiWord(before) && isAsciiWord(after);
}

/**
 * One line in which every character that could mean something to a network is a blank. No dot, colon or slash: nothing looks
 * like an address. No @, #, <, [ or backquote: nobody is called, nothing is tagged or formatted.
 */
function harmless(text: string, isId = false): string {
  const characters = [...text.toWellFormed().normalize("NFC").replace(piled, "$1")];
  const shown = characters.map((character, index) => (kept(characters, index, isId) ? character : " "));
  return oneLine(shown.join(""));
}

export const eventWords = (words: string): string => harmless(words) || "a moment";

export const gameWords = (game: string | null): string => harmless((game ?? "").replaceAll("_", " ")) || "a game";

/** The id with its underscores, as far as they lie within words. */
export const idWords = (eventId: string): string => harmless(eventId, true);
