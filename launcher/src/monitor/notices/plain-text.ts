// Makes text from games safe to show outside Kit: one line of limited length, without invisible and control characters.

/** Matches control, format, surrogate, private-use and unassigned characters, and white space. */
const unseen = /[\p{C}\p{Z}\s]+/gu;

/** Shortens text to `charsMax` characters, with an ellipsis at the end. */
export function toPlainText(text: string, charsMax: number): string {
  // The text is cut first, so that a long one is not processed whole. No character needs more than two UTF-16 units.
  const start = text
    .slice(0, charsMax * 4)
    .toWellFormed()
    .replace(unseen, " ")
    .trim();
  const characters = Array.from(start);
  const isCut = characters.length > charsMax || text.length > charsMax * 4;
  return isCut ? `${characters.slice(0, charsMax - 1).join("")}…` : start;
}
