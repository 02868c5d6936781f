// The pattern of a post rule, which decides to which event ids the rule applies. Pure.

/** Whether an event id matches a pattern in which * stands for any text. */
export function matchesPattern(pattern: string, eventId: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return pattern === eventId;
  const last = rest.pop() ?? "";
  if (!eventId.startsWith(first) || eventId.length < first.length + last.length || !eventId.endsWith(last))
    return false;
  let at = first.length;
  for (const part of rest) {
    const found = eventId.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= eventId.length - last.length;
}
