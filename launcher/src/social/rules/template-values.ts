// Computes the values of template variables. Nothing else of an event gets into a post.
import { oneLine, type PostVariable } from "@kit/contract";

/** Letters, marks and numbers of any script. */
const word = /[\p{L}\p{M}\p{N}]/u;
const unseen = /\p{Default_Ignorable_Code_Point}/u;
/** More than two marks on one letter are not text. */
const stackedMarks = /(\p{M}{2})\p{M}+/gu;
/** Signs that are common in names and have no special meaning on any network. */
const allowedSigns = new Set([..." ,!?'’&%()"]);
/** Signs allowed only behind a word or between two words, because elsewhere they may format text. */
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
 * Makes one line without characters that have a meaning on a network. Without dot, colon and slash, nothing becomes a link.
 * Without @, #, <, [ and backquote, nothing becomes a mention, a tag or formatting.
 */
function plainWords(text: string, isId = false): string {
  const characters = [...text.toWellFormed().normalize("NFC").replace(stackedMarks, "$1")];
  const shown = characters.map((character, index) => (isKept(characters, index, isId) ? character : " "));
  return oneLine(shown.join(""));
}

/** Returns the label of an event as plain words. */
const eventValue = (words: string): string => plainWords(words) || "a moment";

const gameValue = (game: string | null): string => plainWords((game ?? "").replaceAll("_", " ")) || "a game";

/** Returns the event id, keeping underscores inside words. */
const eventIdValue = (eventId: string): string => plainWords(eventId, true);

export type TemplateValues = Readonly<Record<PostVariable, string>>;

/** Returns the label of an event: a person's, otherwise one derived from its id. */
export type EventLabel = (eventId: string, game: string | null) => string;

export type PostSubject = {
  readonly eventId: string;
  readonly game: string | null;
  readonly atMs: number;
  /** Null if there is no clip yet or never will be. */
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

/** Returns all values. Date and time are local and in an unambiguous format. */
export function templateValues({ eventId, game, atMs, clipSeconds }: PostSubject, wordsOf: EventLabel): TemplateValues {
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

/** Values for measuring the fixed part of a template. */
export const emptyValues: TemplateValues = { event: "", game: "", eventId: "", time: "", date: "", clipLength: "" };
