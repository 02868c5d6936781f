// Finds the game of an event id by its prefix. Pure.

/** Returns the longest registered prefix of `eventId`, or else guesses the part before the first underscore. */
export function gameFromId(eventId: string, registered: Iterable<string>): { game: string | null; guessed: boolean } {
  let longest: string | undefined;
  for (const prefix of registered) {
    const matches = eventId === prefix || eventId.startsWith(`${prefix}_`);
    if (matches && prefix.length > (longest?.length ?? 0)) longest = prefix;
  }
  if (longest !== undefined) return { game: longest, guessed: false };
  const guess = eventId.slice(0, Math.max(0, eventId.indexOf("_"))).trim();
  return guess === "" || guess.length > 100 ? { game: null, guessed: false } : { game: guess, guessed: true };
}
