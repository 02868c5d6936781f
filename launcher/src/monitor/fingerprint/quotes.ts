// Decides whether quoted text is a value that differs between reports or an identifier in the code.

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

export type QuotedText = { readonly end: number; readonly content: string };

/**
 * Returns a function that reads the quoted text starting at a position. It remembers which quotation marks are never closed,
 * so that the text is searched only once for each.
 */
export function createQuoteReader(text: string): (at: number) => QuotedText | undefined {
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
export function isCodeIdentifier(content: string, before: string, after: string): boolean {
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
