// Which event ids a rule is for: an id, in which each * stands for any text.

/** In time that grows with the id alone: each piece is looked for once, behind the one before it. */
export function fits(pattern: string, eventId: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return eventId === pattern;
  if (eventId.length < first.length + last.length) return false;
  if (!eventId.startsWith(first) || !eventId.endsWith(last)) return false;
  const end = eventId.length - last.length;
  let at = first.length;
  for (const piece of rest) {
    const found = eventId.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}

const literalLength = (pattern: string): number => pattern.replaceAll("*", "").length;
const isLiteral = (pattern: string): boolean => !pattern.includes("*");

/** For sorting: an id itself comes before what stands for many, and then whoever names more of it. */
export function mostExactFirst(a: { readonly pattern: string }, b: { readonly pattern: string }): number {
  return (
    Number(isLiteral(b.pattern)) - Number(isLiteral(a.pattern)) || literalLength(b.pattern) - literalLength(a.pattern)
  );
}
