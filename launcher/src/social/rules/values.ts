// What a template's variables stand for. Nothing else of an event is ever put into a post.
import { oneLine, type PostVariable } from "@kit/contract";

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
  const before = characters[index - 1];
  const after = characters[index + 1];
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

/** What a game says, as plain words: nothing in them is a link, a mention, a tag or formatting on any network. */
const eventWords = (words: string): string => harmless(words) || "a moment";

const gameWords = (game: string | null): string => harmless((game ?? "").replaceAll("_", " ")) || "a game";

/** The id with its underscores, as far as they lie within words. */
const idWords = (eventId: string): string => harmless(eventId, true);

export type Values = Readonly<Record<PostVariable, string>>;

/** An event in words: a person's, else those of its id. */
export type WordsOf = (eventId: string, game: string | null) => string;

export type PostSubject = {
  readonly eventId: string;
  readonly game: string | null;
  readonly atMs: number;
  /** Null while there is no clip, or never will be. */
  readonly clipSeconds: number | null;
};

/** `17 s`, `1 min 5 s`. */
function lengthWords(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  const rest = whole % 60;
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
}

/** Day and time by this machine's clock, in a form that is read alike everywhere. */
export function valuesOf({ eventId, game, atMs, clipSeconds }: PostSubject, wordsOf: WordsOf): Values {
  const at = new Date(atMs);
  return {
    event: eventWords(wordsOf(eventId, game)),
    game: gameWords(game),
    eventId: idWords(eventId),
    time: at.toLocaleTimeString("sv-SE", { hour: "2-digit", minute: "2-digit" }),
    date: at.toLocaleDateString("sv-SE"),
    clipLength: clipSeconds === null ? "" : lengthWords(clipSeconds),
  };
}

/** Of a template with nothing filled in: what is left is what it always says. */
export const blank: Values = { event: "", game: "", eventId: "", time: "", date: "", clipLength: "" };
