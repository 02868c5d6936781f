// Which game an event id belongs to, from the id alone. Pure.

/** The longest registered prefix of `eventId`, else the part before its first underscore, else null. */
export function gameOfId(eventId: string, registered: Iterable<string>): { game: string | null; guessed: boolean } {
  let longest: string | undefined;
  for (const prefix of registered) {
    const matches = eventId === prefix || eventId.startsWith(`${prefix}_`);
    if (matches && prefix.length > (longest?.length ?? 0)) longest = prefix;
  }
  if (longest !== undefined) return { game: longest, guessed: false };
  const guess = eventId.slice(0, Math.max(0, eventId.indexOf("_"))).trim();
  return guess === "" || guess.length > 100 ? { game: null, guessed: false } : { game: guess, guessed: true };
}
