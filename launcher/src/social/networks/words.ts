// A server's own words, as far as they may be shown: short, on one line, and without addresses, which may hold what opens an account.

const wordsMax = 200;

/** Empty for what is no text. */
export function wordsOf(said: unknown): string {
  if (typeof said !== "string") return "";
  const line = said
    .slice(0, 4 * wordsMax)
    .replace(/[\p{C}\s]+/gu, " ")
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/\S*/gi, "…")
    .trim();
  return line.length > wordsMax ? `${line.slice(0, wordsMax).toWellFormed()}…` : line;
}
