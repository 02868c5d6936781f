// Makes characters that hide, reorder or break text visible: what a game sends must not lie about itself.

/** Control, format and lone surrogate characters, and the two line separators no editor shows. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;
/** Joiners are part of emoji and of several scripts; between two ASCII characters they only hide. */
const joiners = new Set(["\u200c", "\u200d"]);

const named = (character: string) =>
  `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;

function joins(text: string, index: number): boolean {
  return (text.codePointAt(index - 1) ?? 0) > 0x7f && (text.codePointAt(index + 1) ?? 0) > 0x7f;
}

/** Text for a place of several lines: line breaks and tabs stay, everything else that hides is named. */
export function visibleText(text: string): string {
  return text.replace(hidden, (character, index: number) => {
    if (character === "\n" || character === "\t") return character;
    if (joiners.has(character) && joins(text, index)) return character;
    return named(character);
  });
}

/** Text for one line: the first line that says something, of at most `charsMax` characters. */
export function visibleLine(text: string, charsMax = 300): string {
  const start = text.search(/\S/u);
  const line = text.slice(Math.max(start, 0)).split(/\r?\n/u, 1)[0] ?? "";
  const characters = Array.from(line.slice(0, charsMax * 2));
  const cut = characters.length > charsMax || line.length > charsMax * 2;
  return visibleText(cut ? `${characters.slice(0, charsMax).join("")}…` : line).replaceAll("\t", " ");
}

/** Formatted JSON in which what JSON leaves raw (bidi, C1 controls) is visible too. */
export function visibleJson(value: unknown): string {
  return visibleText(JSON.stringify(value, null, 2));
}
