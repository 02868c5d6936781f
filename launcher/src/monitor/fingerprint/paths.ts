// Recognises paths, URLs and mail addresses: runs of a text without blanks or quotes.

/** Where the characters end, from `at`, among which a path could stand. */
export function breakAfter(text: string, at: number): number {
  let end = at;
  while (end < text.length && text.charCodeAt(end) > 32 && !breaks.has(text[end] as string)) end += 1;
  return end;
}

/** The same without the punctuation of the sentence around it. */
export function runEnd(text: string, at: number): number {
  let end = breakAfter(text, at);
  while (end > at && ".,;:!?)]}".includes(text[end - 1] as string)) end -= 1;
  return end;
}

const breaks = new Set("\"'`<>|“”‘’«»");

const addresses = ["http:", "https:", "ws:", "wss:", "ftp:", "blob:", "data:", "chrome-extension:"];

/** What the run `word` is; undefined when it is neither path nor address. */
export function runKind(word: string): "url" | "path" | "email" | undefined {
  const scheme = word.indexOf("://");
  if (scheme > 0 || word.startsWith("data:")) {
    return addresses.some((name) => word.startsWith(name)) ? "url" : "path";
  }
  const separators = count(word, "/") + count(word, "\\");
  if (separators === 0) return isMail(word) ? "email" : undefined;
  if (isRooted(word)) return "path";
  const last = word.slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1);
  if (hasLetter(word) && (separators > 1 || hasExtension(last))) return "path";
  return undefined;
}

/** `/x`, `~/x`, `./x`, `C:\x`, `\\host\x`; a lone slash is an operator. */
export function isRooted(word: string): boolean {
  if (word.length < 2) return false;
  if (word.startsWith("/") || word.startsWith("\\\\") || word.startsWith("~/")) return hasLetter(word);
  if (word.startsWith("./") || word.startsWith("../")) return true;
  return word[1] === ":" && (word[2] === "\\" || word[2] === "/");
}

/**
 * The end of a rooted path that goes on after blanks (`C:\Users\Kim Lee\x.sav`): as long as what stands before a blank has
 * no extension yet and what comes next is divided too.
 */
export function pathEnd(text: string, at: number, end: number): number {
  let last = end;
  for (let joined = 0; joined < 8 && text[last] === " "; joined += 1) {
    const before = text.slice(at, last);
    if (hasExtension(before.slice(Math.max(before.lastIndexOf("/"), before.lastIndexOf("\\")) + 1))) break;
    const next = runEnd(text, last + 1);
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

function isMail(word: string): boolean {
  const at = word.indexOf("@");
  return at > 0 && word.indexOf(".", at + 2) > 0 && !word.includes("@", at + 1);
}
