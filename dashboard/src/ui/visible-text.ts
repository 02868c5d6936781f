// Makes hidden and reordering characters visible, so that game data cannot look like something else.

/** Control, format and lone surrogate characters, and the two Unicode line separators. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;
/** Emoji and several scripts need joiners. Between two ASCII characters, a joiner can only hide something. */
const joiners = new Set(["\u200c", "\u200d"]);

const codePointName = (character: string) =>
  `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;

function isEmojiJoiner(text: string, index: number): boolean {
  return (text.codePointAt(index - 1) ?? 0) > 0x7f && (text.codePointAt(index + 1) ?? 0) > 0x7f;
}

/** For multi-line text: keeps line breaks and tabs, and makes other hidden characters visible. */
export function visibleText(text: string): string {
  return text.replace(hidden, (character, index: number) => {
    if (character === "\n" || character === "\t") return character;
    if (joiners.has(character) && isEmojiJoiner(text, index)) return character;
    return codePointName(character);
  });
}

/** For one line: the first line that is not blank, cut to `charsMax` characters. */
export function visibleLine(text: string, charsMax = 300): string {
  const start = text.search(/\S/u);
  const line = text.slice(Math.max(start, 0)).split(/\r?\n/u, 1)[0] ?? "";
  const characters = Array.from(line.slice(0, charsMax * 2));
  const cut = characters.length > charsMax || line.length > charsMax * 2;
  return visibleText(cut ? `${characters.slice(0, charsMax).join("")}…` : line).replaceAll("\t", " ");
}

/** Formatted JSON in which characters that JSON does not escape (bidi, C1 controls) are visible. */
export function visibleJson(value: unknown): string {
  return visibleText(JSON.stringify(value, null, 2));
}
