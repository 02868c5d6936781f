// Makes a server's message safe to show: one short line without URLs, which may contain credentials.

const wordsMax = 200;

/** Returns an empty string for a value that is not text. */
export function plainMessage(said: unknown): string {
  if (typeof said !== "string") return "";
  const line = said
    .slice(0, 4 * wordsMax)
    .replace(/[\p{C}\s]+/gu, " ")
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/\S*/gi, "…")
    .trim();
  return line.length > wordsMax ? `${line.slice(0, wordsMax).toWellFormed()}…` : line;
}
