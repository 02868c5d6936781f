// Turns a message into a template: each value that differs between reports becomes a placeholder such as <number>.
// Makes one pass over a bounded text.
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

// Quoted text: a value that differs between reports, or an identifier in the code.

const pairs: Readonly<Record<string, string>> = { '"': '"', "'": "'", "`": "`", "“": "”", "‘": "’", "«": "»" };
const closers = new Set(["“", "”", "‘", "’"]);
const quotedCharsMax = 2_000;
const nameCharsMax = 80;

/** In messages of engines, the quoted text behind one of these words is an identifier. */
const nouns = new Set([
  "property",
  "function",
  "method",
  "member",
  "signal",
  "reading",
  "setting",
  "evaluating",
  "operator",
  "operands",
  "operand",
  "type",
  "base",
  "identifier",
  "variable",
  "class",
  "parameter",
  "argument",
  "symbol",
]);

type QuotedText = { readonly end: number; readonly content: string };

/**
 * Returns a function that reads the quoted text starting at a position. It remembers which quotation marks are never closed,
 * so that the text is searched only once for each.
 */
function createQuoteReader(text: string): (at: number) => QuotedText | undefined {
  const unclosed = new Set<string>();
  return (at) => {
    const open = text[at] as string;
    const close = pairs[open];
    if (close === undefined || unclosed.has(open) || isLetter(text, at - 1)) return undefined;
    for (let end = text.indexOf(close, at + 1); end >= 0; end = text.indexOf(close, end + 1)) {
      if (end - at > quotedCharsMax) return undefined;
      // An apostrophe inside a word does not close a quote.
      if (!isLetter(text, end + 1)) return { end: end + 1, content: text.slice(at + 1, end) };
    }
    unclosed.add(open);
    return undefined;
  };
}

/** Whether the character is an ASCII letter or a character of another script. */
function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code > 191 && !closers.has(text[at] as string));
}

/** Whether quoted text is an identifier in the code. `before` and `after` are the texts around it. */
function isCodeIdentifier(content: string, before: string, after: string): boolean {
  if (content.length > nameCharsMax || content.includes("/") !== (content === "/") || content.includes("\\"))
    return false;
  const words = lastWords(before);
  if (words.last === "key") return words.first === "or" && !after.startsWith(" on a base object of type 'Dictionary'");
  if (words.last === "and") return words.first === "operands";
  return nouns.has(words.last) && content.trim() !== "" && Number.isNaN(Number(content));
}

/** Returns the last two words before a quote, ignoring quoted words. */
function lastWords(before: string): { first: string; last: string } {
  const end = before.slice(-120).replaceAll(/[:(,]/g, " ").trimEnd();
  const words = end.split(" ").filter((word) => !word.startsWith("'") && !word.startsWith('"'));
  return { first: words.at(-2)?.toLowerCase() ?? "", last: words.at(-1)?.toLowerCase() ?? "" };
}

// Paths, URLs and email addresses are found in tokens: stretches of characters without spaces or quotes.

const tokenDelimiters = new Set("\"'`<>|“”‘’«»");
const urlSchemes = ["http:", "https:", "ws:", "wss:", "ftp:", "blob:", "data:", "chrome-extension:"];

/** Returns the end of the token that starts at `at`. */
function endOfToken(text: string, at: number): number {
  let end = at;
  while (end < text.length && text.charCodeAt(end) > 32 && !tokenDelimiters.has(text[end] as string)) end += 1;
  return end;
}

/** Returns the end of the address that starts at `at`: the end of its token, without punctuation that belongs to the sentence. */
function endOfAddress(text: string, at: number): number {
  let end = endOfToken(text, at);
  while (end > at && ".,;:!?)]}".includes(text[end - 1] as string)) end -= 1;
  return end;
}

/** Says whether the token is a URL, a path or an email address. Returns undefined if it is none of these. */
function addressKind(word: string): "url" | "path" | "email" | undefined {
  const scheme = word.indexOf("://");
  if (scheme > 0 || word.startsWith("data:")) {
    return urlSchemes.some((name) => word.startsWith(name)) ? "url" : "path";
  }
  const slashes = count(word, "/") + count(word, "\\");
  if (slashes === 0) return isEmailAddress(word) ? "email" : undefined;
  if (isRooted(word)) return "path";
  const last = word.slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1);
  if (hasLetter(word) && (slashes > 1 || hasExtension(last))) return "path";
  return undefined;
}

/** Whether a path has a root: `/x`, `~/x`, `./x`, `C:\x` or `\\host\x`. A slash by itself is an operator. */
function isRooted(word: string): boolean {
  if (word.length < 2) return false;
  if (word.startsWith("/") || word.startsWith("\\\\") || word.startsWith("~/")) return hasLetter(word);
  if (word.startsWith("./") || word.startsWith("../")) return true;
  return word[1] === ":" && (word[2] === "\\" || word[2] === "/");
}

/**
 * Returns the end of a rooted path that contains spaces, such as `C:\Users\Kim Lee\x.sav`. Continues after a space while the
 * path has no extension and the next word contains a separator.
 */
function endOfSpacedPath(text: string, at: number, end: number): number {
  let last = end;
  for (let joined = 0; joined < 8 && text[last] === " "; joined += 1) {
    const before = text.slice(at, last);
    if (hasExtension(before.slice(Math.max(before.lastIndexOf("/"), before.lastIndexOf("\\")) + 1))) break;
    const next = endOfAddress(text, last + 1);
    const word = text.slice(last + 1, next);
    if (!word.includes("/") && !word.includes("\\")) break;
    last = next;
  }
  return last;
}

function count(text: string, letter: string): number {
  let found = 0;
  for (let at = text.indexOf(letter); at >= 0; at = text.indexOf(letter, at + 1)) found += 1;
  return found;
}

function hasExtension(name: string): boolean {
  const dot = name.lastIndexOf(".");
  return dot > 0 && name.length - dot - 1 >= 1 && name.length - dot - 1 <= 6 && hasLetter(name.slice(dot + 1));
}

const hasLetter = (text: string) => text.toLowerCase() !== text.toUpperCase();

function isEmailAddress(word: string): boolean {
  const at = word.indexOf("@");
  return at > 0 && word.indexOf(".", at + 2) > 0 && !word.includes("@", at + 1);
}
