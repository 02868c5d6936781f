// The templates of rules, in Mustache syntax with the known variables only. Values are not escaped for HTML, because posts
// are plain text.
import { type Names, type PostVariable, postVariables, rejectField, toShortLine } from "@kit/contract";
import { message } from "@kit/contract/messages";
import Mustache from "mustache";
import { localDate, timeOfDay } from "../../local-time.ts";

/** A token of Mustache's parser. `value` is its text or the name of its variable, `inside` the tokens in a section. */
type Token = readonly [kind: string, value: string, start: number, end: number, inside?: readonly Token[] | string];

const variableNames = Object.keys(postVariables) as readonly PostVariable[];
const known: ReadonlySet<string> = new Set(variableNames);
const variableList = variableNames.map((name) => `{{${name}}}`).join(", ");
/** The kinds of tokens that a template may have: text, variables, sections, inverted sections, comments. */
const allowedKinds = new Set(["text", "name", "&", "#", "^", "!"]);

function parseTemplate(text: string): readonly Token[] {
  // A new writer each time, because a shared one would keep every template that it parsed.
  return new Mustache.Writer().parse(text) as readonly Token[];
}

function checkTokens(tokens: readonly Token[], path: string): void {
  for (const [kind, value, , , inside] of tokens) {
    if (!allowedKinds.has(kind))
      rejectField(path, message("template.tag_not_allowed", { tag: `{{${kind}…}}`, variables: variableList }));
    if (kind !== "text" && kind !== "!" && !known.has(value))
      rejectField(
        path,
        message("template.unknown_variable", { variable: `{{${value.slice(0, 50)}}}`, variables: variableList }),
      );
    if (Array.isArray(inside)) checkTokens(inside, path);
  }
}

/** Throws KitError for `path` if the template is malformed or uses an unknown variable. */
export function checkTemplate(text: string, path: string): void {
  let tokens: readonly Token[];
  try {
    tokens = parseTemplate(text);
  } catch (error) {
    const [, section] = /section "(.*)"/.exec((error as Error).message) ?? [];
    if (section !== undefined)
      rejectField(
        path,
        message("template.unpaired_section", {
          section: `{{${section.slice(0, 50)}}}`,
          start: "{{#…}}",
          end: "{{/…}}",
        }),
      );
    rejectField(path, message("template.unclosed", { start: "{{", end: "}}" }));
  }
  checkTokens(tokens, path);
}

/** Fills in a template that was checked. */
export const fillTemplate = (text: string, values: TemplateValues): string =>
  new Mustache.Writer().render(text, values, undefined, { escape: (value: unknown) => String(value) }).trim();

const tokensUse = (tokens: readonly Token[], name: PostVariable): boolean =>
  tokens.some(
    ([kind, value, , , inside]) =>
      (kind !== "text" && kind !== "!" && value === name) || (Array.isArray(inside) && tokensUse(inside, name)),
  );

/** Whether a template that was checked uses the variable. */
export const usesVariable = (text: string, name: PostVariable): boolean => tokensUse(parseTemplate(text), name);

// The values of the variables in templates. A post contains nothing else of an event.

/** Letters, marks and numbers of any script. */
const word = /[\p{L}\p{M}\p{N}]/u;
const unseen = /\p{Default_Ignorable_Code_Point}/u;
/** Matches more than two combining marks on a letter; the first two are kept. No language needs more; they can cover other lines. */
const stackedMarks = /(\p{M}{2})\p{M}+/gu;
/** Signs that are common in names and have no special meaning in posts. */
const allowedPunctuation = new Set([..." ,!?'’&%()"]);
/**
 * Punctuation that is kept only after a word, or only between two words. Elsewhere, a network may interpret it as formatting.
 */
const punctuationAfterWord = new Set(["+"]);
const punctuationBetweenWords = new Set(["-"]);

const isWord = (character: string | undefined): boolean =>
  character !== undefined && word.test(character) && !unseen.test(character);
const isAsciiWord = (character: string | undefined): boolean => character !== undefined && /[a-z0-9]/i.test(character);

function isKept(characters: readonly string[], index: number, isId: boolean): boolean {
  const character = characters[index] ?? "";
  const before = characters[index - 1];
  const after = characters[index + 1];
  if (isWord(character) || allowedPunctuation.has(character)) return true;
  if (punctuationAfterWord.has(character)) return isWord(before);
  if (punctuationBetweenWords.has(character)) return isWord(before) && isWord(after);
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

/** Returns the name of a game as plain words. */
const gameValue = (name: string): string => plainWords(name) || "a game";

/** Returns the event id as plain words. Underscores inside it stay. */
const eventIdValue = (eventId: string): string => plainWords(eventId, true);

export type TemplateValues = Readonly<Record<PostVariable, string>>;

type PostSubject = {
  readonly eventId: string | null;
  /** Title of the clip that a person made the post from; null for a post of an event. */
  readonly title: string | null;
  readonly game: string | null;
  readonly atMs: number;
  /** Null if there is no clip, or not yet. */
  readonly clipSeconds: number | null;
};

/** Returns the title of a post: that of its clip if a person made the post from one, otherwise the label of its event. */
export const postTitle = ({ eventId, title, game }: Omit<PostSubject, "atMs" | "clipSeconds">, names: Names): string =>
  toShortLine(title ?? "") || eventValue(names.eventName(eventId ?? "", game));

/** Formats a duration as `17 s` or `1 min 5 s`. */
function durationText(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  const rest = whole % 60;
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
}

/** Returns all values. Date and time are local, in a format that nobody can confuse with another. */
export function templateValues({ eventId, title, game, atMs, clipSeconds }: PostSubject, names: Names): TemplateValues {
  return {
    event: eventValue(title ?? names.eventName(eventId ?? "", game)),
    game: gameValue(game === null ? "" : names.gameName(game)),
    eventId: eventIdValue(eventId ?? ""),
    time: timeOfDay(atMs),
    date: localDate(atMs),
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
