// Text from games on a terminal: whatever would steer the terminal or hide itself is made visible.

// Control, format (bidi, zero width), surrogate, private and unassigned characters; line ends and tabs are escaped too.
const unseen = /[\p{C}\u2028\u2029]/gu;

/** The text on one line, with every unseen character as \u{…}. */
export function visible(text: string): string {
  return text.replace(unseen, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** JSON that is safe on a terminal: the same value, with unseen characters escaped as JSON escapes them. */
export function visibleJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(unseen, (character) =>
    character === "\n" ? character : [...character].map(escapeUnits).join(""),
  );
}

const escapeUnits = (character: string) =>
  Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");
