// Makes hidden characters, and those that change the text direction, visible, so that data of a game cannot look like
// something else.

/** Matches control characters, format characters, lone surrogates, and the two line separators of Unicode. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;
/**
 * Characters that join or separate others. Emoji and several scripts need them; between two ASCII characters they can
 * only hide something.
 */
const joiners = new Set(["\u200c", "\u200d"]);

const codePointName = (character: string) =>
  `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;

function isEmojiJoiner(text: string, index: number): boolean {
  return (text.codePointAt(index - 1) ?? 0) > 0x7f && (text.codePointAt(index + 1) ?? 0) > 0x7f;
}

/** Makes hidden characters of text with several lines visible. Keeps its line breaks and tabs. */
export function visibleText(text: string): string {
  return text.replace(hidden, (character, index: number) => {
    if (character === "\n" || character === "\t") return character;
    if (joiners.has(character) && isEmojiJoiner(text, index)) return character;
    return codePointName(character);
  });
}

/** Returns the first line that is not blank, cut to `charsMax` characters, with hidden characters made visible. */
export function visibleLine(text: string, charsMax = 300): string {
  const start = text.search(/\S/u);
  const line = text.slice(Math.max(start, 0)).split(/\r?\n/u, 1)[0] ?? "";
  const characters = Array.from(line.slice(0, charsMax * 2));
  const cut = characters.length > charsMax || line.length > charsMax * 2;
  return visibleText(cut ? `${characters.slice(0, charsMax).join("")}…` : line).replaceAll("\t", " ");
}

/**
 * Returns formatted JSON. Also makes characters visible that JSON does not escape, such as direction and C1 control
 * characters.
 */
export function visibleJson(value: unknown): string {
  return visibleText(JSON.stringify(value, null, 2));
}
