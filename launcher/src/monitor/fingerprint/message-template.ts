// Turns a message into a template: each value that differs between reports becomes a placeholder such as <number>.
// Makes one pass over a bounded text.
import { addressKind, endOfAddress, endOfSpacedPath, endOfToken, isRooted } from "./paths.ts";
import { createQuoteReader, isCodeIdentifier } from "./quotes.ts";
import { endOfWord, findValueAt, idKindOfWord, isDigitAt, isWordAt, readNumberAt } from "./value-shapes.ts";

/** Maximum characters read. Longer messages that start alike get the same template. */
const readCharsMax = 8_192;
const separators = new Set([" ", ",", ", ", "; ", " | "]);

export function messageTemplateOf(message: string): string {
  const text = message.slice(0, readCharsMax);
  const quoteAt = createQuoteReader(text);
  const canStartAddress = createAddressStartCheck(text);
  const template = createTemplate();
  for (let at = 0; at < text.length; ) {
    const letter = text[at] as string;
    const quote = quoteAt(at);
    if (quote) {
      const keeps = isCodeIdentifier(
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
      at = (canStartAddress(at) ? replaceAddress(text, at, template) : undefined) ?? replaceWord(text, at, template);
    }
  }
  return template.text();
}

type Template = { literal(text: string): void; value(kind: string): void; text(): string };

/** Writes consecutive values of one kind only once, so that the length of a list does not change the template. */
function createTemplate(): Template {
  const pieces: string[] = [];
  return {
    literal(text) {
      if (text === " " && (pieces.length === 0 || pieces.at(-1)?.endsWith(" "))) return;
      const lastPiece = pieces.at(-1);
      if (lastPiece !== undefined && separators.has(lastPiece + text)) pieces[pieces.length - 1] = lastPiece + text;
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

/** At most this many positions in one token are tried as the start of an address, so that the time stays linear. */
const startsPerTokenMax = 8;

/** Returns a function that tells whether a path or address can start at a position: after a space or punctuation. */
function createAddressStartCheck(text: string): (at: number) => boolean {
  let end = 0;
  let starts = 0;
  return (at) => {
    if ("([{<".includes(text[at] as string) || (at > 0 && !" \n\t\r([{=,:;<>'\"".includes(text[at - 1] as string)))
      return false;
    if (at >= end) {
      end = endOfToken(text, at);
      starts = 0;
    }
    starts += 1;
    return starts <= startsPerTokenMax;
  };
}

/** Replaces the path, URL or email address that starts at `at`. Returns its end, or undefined if none starts there. */
function replaceAddress(text: string, at: number, template: Template): number | undefined {
  const end = endOfAddress(text, at);
  const word = text.slice(at, end);
  const kind = findValueAt(text, at) ? undefined : addressKind(word);
  if (kind === undefined) return undefined;
  template.value(kind);
  return kind === "path" && isRooted(word) ? endOfSpacedPath(text, at, end) : end;
}

function replaceWord(text: string, at: number, template: Template): number {
  if (isSign(text, at)) return replaceNumber(text, at + 1, template);
  if (!isWordAt(text, at)) {
    template.literal(text[at] as string);
    return at + 1;
  }
  const value = findValueAt(text, at);
  if (value) {
    template.value(value.kind);
    return value.end;
  }
  const end = endOfWord(text, at);
  const word = text.slice(at, end);
  const kind = idKindOfWord(word) ?? flagKind(text, at, word);
  if (kind !== undefined) {
    template.value(kind);
    return end;
  }
  if (isDigitAt(text, at)) return replaceNumber(text, at, template);
  for (const part of word.split(/(\d+)/)) {
    if (part !== "") isDigitAt(part, 0) ? template.value("number") : template.literal(part);
  }
  return end;
}

function replaceNumber(text: string, at: number, template: Template): number {
  const { kind, end } = readNumberAt(text, at);
  template.value(kind);
  return end;
}

/** Whether + or - is the sign of a number, not an operator between two operands. */
const isSign = (text: string, at: number) =>
  (text[at] === "-" || text[at] === "+") && isDigitAt(text, at + 1) && !isWordAt(text, at - 1);

const flagKind = (text: string, at: number, word: string) =>
  text[at - 1] === "=" && (word === "true" || word === "false") ? "bool" : undefined;

const withoutDigits = (name: string) => name.replaceAll(/\d+/g, "<number>");
