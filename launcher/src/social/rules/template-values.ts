// Computes the values of the variables in templates. A post contains nothing else of an event.
import { type PostVariable, toShortLine } from "@kit/contract";

/** Letters, marks and numbers of any script. */
const word = /[\p{L}\p{M}\p{N}]/u;
const unseen = /\p{Default_Ignorable_Code_Point}/u;
/** Matches further combining marks on a letter that has two. No language needs them; they can cover other lines. */
const stackedMarks = /(\p{M}{2})\p{M}+/gu;
/** Signs that are common in names and have no special meaning in posts. */
const allowedSigns = new Set([..." ,!?'’&%()"]);
/**
 * Signs that are kept only behind a word, or only between two words, because elsewhere a network may read them as formatting.
 */
const signsAfterWord = new Set(["+"]);
const signsBetweenWords = new Set(["-"]);

const isWord = (character: string | undefined): boolean =>
  character !== undefined && word.test(character) && !unseen.test(character);
const isAsciiWord = (character: string | undefined): boolean => character !== undefined && /[a-z0-9]/i.test(character);

function isKept(characters: readonly string[], index: number, isId: boolean): boolean {
  const character = characters[index] ?? "";
  const before = characters[index - 1];
  const after = characters[index + 1];
  if (isWord(character) || allowedSigns.has(character)) return true;
  if (signsAfterWord.has(character)) return isWord(before);
  if (signsBetweenWords.has(character)) return isWord(before) && isWord(after);
  return isId && character === "_" && isAsciiWord(before) && isAsciiWord(after);
}

/**
 * Makes one line of text from a game, without characters that have a meaning on a network. Without dot, colon and slash, it
 * contains no link. Without @, #, <, [ and backquote, it contains no mention, tag or formatting.
 */
function plainWords(text: string, isId = false): string {
  const characters = [...text.toWellFormed().normalize("NFC").replace(stackedMarks, "$1")];
  const shown = characters.map((character, index) => (isKept(characters, index, isId) ? character : " "));
  return toShortLine(shown.join(""));
}

/** Returns the label of an event as plain words. */
const eventValue = (words: string): string => plainWords(words) || "a moment";

const gameValue = (game: string | null): string => plainWords((game ?? "").replaceAll("_", " ")) || "a game";

/** Returns the event id as plain words. Underscores inside it stay. */
const eventIdValue = (eventId: string): string => plainWords(eventId, true);

export type TemplateValues = Readonly<Record<PostVariable, string>>;

/** Returns the label of an event: the one that a person gave it, otherwise one made from its id. */
export type EventLabelOf = (eventId: string, game: string | null) => string;

export type PostSubject = {
  readonly eventId: string;
  readonly game: string | null;
  readonly atMs: number;
  /** Null if there is no clip, or not yet. */
  readonly clipSeconds: number | null;
};

/** Formats a duration as `17 s` or `1 min 5 s`. */
function durationText(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  const rest = whole % 60;
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
}

/** Returns all values. Date and time are local, in a format that nobody can confuse with another. */
export function templateValues(
  { eventId, game, atMs, clipSeconds }: PostSubject,
  wordsOf: EventLabelOf,
): TemplateValues {
  const at = new Date(atMs);
  return {
    event: eventValue(wordsOf(eventId, game)),
    game: gameValue(game),
    eventId: eventIdValue(eventId),
    time: at.toLocaleTimeString("sv-SE", { hour: "2-digit", minute: "2-digit" }),
    date: at.toLocaleDateString("sv-SE"),
    clipLength: clipSeconds === null ? "" : durationText(clipSeconds),
  };
}

/** Empty values, with which a template has its shortest length. */
export const emptyTemplateValues: TemplateValues = {
  event: "",
  game: "",
  eventId: "",
  time: "",
  date: "",
  clipLength: "",
};
