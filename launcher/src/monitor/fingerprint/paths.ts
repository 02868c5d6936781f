// Recognises paths, URLs and email addresses in tokens: stretches of characters without spaces or quotes.

/** Returns the end of the token that starts at `at`. */
export function endOfToken(text: string, at: number): number {
  let end = at;
  while (end < text.length && text.charCodeAt(end) > 32 && !tokenDelimiters.has(text[end] as string)) end += 1;
  return end;
}

/** Returns the end of the address that starts at `at`: the end of its token, without punctuation that belongs to the sentence. */
export function endOfAddress(text: string, at: number): number {
  let end = endOfToken(text, at);
  while (end > at && ".,;:!?)]}".includes(text[end - 1] as string)) end -= 1;
  return end;
}

const tokenDelimiters = new Set("\"'`<>|“”‘’«»");

const urlSchemes = ["http:", "https:", "ws:", "wss:", "ftp:", "blob:", "data:", "chrome-extension:"];

/** Says whether the token is a URL, a path or an email address. Returns undefined if it is none of these. */
export function addressKind(word: string): "url" | "path" | "email" | undefined {
  const scheme = word.indexOf("://");
  if (scheme > 0 || word.startsWith("data:")) {
    return urlSchemes.some((name) => word.startsWith(name)) ? "url" : "path";
  }
  const separators = count(word, "/") + count(word, "\\");
  if (separators === 0) return isEmailAddress(word) ? "email" : undefined;
  if (isRooted(word)) return "path";
  const last = word.slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1);
  if (hasLetter(word) && (separators > 1 || hasExtension(last))) return "path";
  return undefined;
}

/** Whether a path has a root: `/x`, `~/x`, `./x`, `C:\x` or `\\host\x`. A slash by itself is an operator. */
export function isRooted(word: string): boolean {
  if (word.length < 2) return false;
  if (word.startsWith("/") || word.startsWith("\\\\") || word.startsWith("~/")) return hasLetter(word);
  if (word.startsWith("./") || word.startsWith("../")) return true;
  return word[1] === ":" && (word[2] === "\\" || word[2] === "/");
}

/**
 * Returns the end of a rooted path that contains spaces, such as `C:\Users\Kim Lee\x.sav`. Continues after a space while the
 * path has no extension and the next word contains a separator.
 */
export function endOfSpacedPath(text: string, at: number, end: number): number {
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
