// Makes text from games safe to print: escapes characters that are invisible or control the terminal.

// Matches control characters, also line breaks and tabs; format characters, which can turn text around or have no width; and
// surrogates, private and unassigned characters.
const invisible = /[\p{C}\u2028\u2029]/gu;

/** Returns the text on one line, with `\u{…}` for each invisible character. */
export function escapeInvisible(text: string): string {
  return text.replace(invisible, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** Returns the value as JSON, with JSON escapes for invisible characters, so that programs read the same value. */
export function stringifyVisible(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(invisible, (character) =>
    character === "\n" ? character : [...character].map(escapeUnits).join(""),
  );
}

const escapeUnits = (character: string) =>
  Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");
