// Turns a message into its template: what differs from report to report becomes <class>. One pass over a bounded text.
import { breakAfter, isRooted, pathEnd, runEnd, runKind } from "./paths.ts";
import { createQuotes, isCodeName } from "./quoted.ts";
import { idKind, isDigitAt, isWordAt, numberAt, shapeAt, wordEnd } from "./shapes.ts";

/** Longer messages are told apart by this much of them. */
const readCharsMax = 8_192;
const separators = new Set([" ", ",", ", ", "; ", " | "]);

export function normalise(message: string): string {
  const text = message.slice(0, readCharsMax);
  const quoteAt = createQuotes(text);
  const isRunStart = createRunStarts(text);
  const template = createTemplate();
  for (let at = 0; at < text.length; ) {
    const letter = text[at] as string;
    const quote = quoteAt(at);
    if (quote) {
      const keeps = isCodeName(
        quote.content,
        text.slice(Math.max(0, at - 120), at),
        text.slice(quote.end, quote.end + 60),
      );
      if (keeps) template.literal(`'${withoutDigits(quote.content)}'`);
      else template.value("text");
      at = quote.end;
    } else if (letter <= " ") {
      template.literal(" ");
      at += 1;
    } else {
      at = (isRunStart(at) ? run(text, at, template) : undefined) ?? piece(text, at, template);
    }
  }
  return template.text();
}

type Template = { literal(text: string): void; value(kind: string): void; text(): string };

/** Values of one kind that follow each other count as one, so that a list's length does not matter. */
function createTemplate(): Template {
  const pieces: string[] = [];
  return {
    literal(text) {
      if (text === " " && (pieces.length === 0 || pieces.at(-1)?.endsWith(" "))) return;
      const last = pieces.at(-1);
      if (last !== undefined && separators.has(last + text)) pieces[pieces.length - 1] = last + text;
      else pieces.push(text);
    },
    value(kind) {
      const isNext = pieces.at(-2) === `<${kind}>` && separators.has(pieces.at(-1) ?? "");
      if (isNext) pieces.pop();
      else if (pieces.at(-1) !== `<${kind}>`) pieces.push(`<${kind}>`);
    },
    text: () => pieces.join("").trim(),
  };
}

/** A run is looked at from this many places in it and no more, so that no text is read over and over. */
const startsPerRunMax = 8;

/** Says where a path or address may begin: after a blank or a mark that often stands before one. */
function createRunStarts(text: string): (at: number) => boolean {
  let end = 0;
  let starts = 0;
  return (at) => {
    if ("([{<".includes(text[at] as string) || (at > 0 && !" \n\t\r([{=,:;<>'\"".includes(text[at - 1] as string)))
      return false;
    if (at >= end) {
      end = breakAfter(text, at);
      starts = 0;
    }
    starts += 1;
    return starts <= startsPerRunMax;
  };
}

/** The end of a path, URL or mail address that begins here; undefined when none does. */
function run(text: string, at: number, template: Template): number | undefined {
  const end = runEnd(text, at);
  const word = text.slice(at, end);
  const kind = shapeAt(text, at) ? undefined : runKind(word);
  if (kind === undefined) return undefined;
  template.value(kind);
  return kind === "path" && isRooted(word) ? pathEnd(text, at, end) : end;
}

function piece(text: string, at: number, template: Template): number {
  if (isSign(text, at)) return number(text, at + 1, template);
  if (!isWordAt(text, at)) {
    template.literal(text[at] as string);
    return at + 1;
  }
  const shape = shapeAt(text, at);
  if (shape) {
    template.value(shape.kind);
    return shape.end;
  }
  const end = wordEnd(text, at);
  const word = text.slice(at, end);
  const kind = idKind(word) ?? flagKind(text, at, word);
  if (kind !== undefined) {
    template.value(kind);
    return end;
  }
  if (isDigitAt(text, at)) return number(text, at, template);
  for (const part of word.split(/(\d+)/)) {
    if (part !== "") isDigitAt(part, 0) ? template.value("number") : template.literal(part);
  }
  return end;
}

function number(text: string, at: number, template: Template): number {
  const { kind, end } = numberAt(text, at);
  template.value(kind);
  return end;
}

/** A sign stands before a number and after nothing it could be subtracted from. */
const isSign = (text: string, at: number) =>
  (text[at] === "-" || text[at] === "+") && isDigitAt(text, at + 1) && !isWordAt(text, at - 1);

const flagKind = (text: string, at: number, word: string) =>
  text[at - 1] === "=" && (word === "true" || word === "false") ? "bool" : undefined;

const withoutDigits = (name: string) => name.replaceAll(/\d+/g, "<number>");
