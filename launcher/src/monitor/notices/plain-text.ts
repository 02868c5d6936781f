// Text from games for a place that Kit does not draw itself: one line, bounded, nothing in it that hides or steers.

/** Control, format, surrogate, private and unassigned characters, and all sorts of white space. */
const unseen = /[\p{C}\p{Z}\s]+/gu;

/** At most `charsMax` characters; longer text ends in an ellipsis. */
export function plainText(text: string, charsMax: number): string {
  // Cut first: the rest of a long text is not looked at. Two units a character are enough for any script.
  const start = text
    .slice(0, charsMax * 4)
    .toWellFormed()
    .replace(unseen, " ")
    .trim();
  const characters = Array.from(start);
  const isCut = characters.length > charsMax || text.length > charsMax * 4;
  return isCut ? `${characters.slice(0, charsMax - 1).join("")}…` : start;
}
