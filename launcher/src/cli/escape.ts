// Makes text from games safe to print: escapes characters that control a terminal or are invisible.

// Control, format (bidi, zero width), surrogate, private and unassigned characters, including line breaks and tabs.
const invisible = /[\p{C}\u2028\u2029]/gu;

/** Returns the text on one line, with each invisible character as \u{…}. */
export function escapeInvisible(text: string): string {
  return text.replace(invisible, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** Returns JSON of the same value in which invisible characters are JSON escapes. */
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
