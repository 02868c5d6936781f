// Turns event ids into readable labels for titles, chapters and posts.

const labelCharsMax = 100;

/** Returns the text as one line without control characters, cut to 100 characters. */
export function toShortLine(text: string): string {
  const line = text
    .slice(0, labelCharsMax * 4)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  const characters = [...line];
  return characters.length <= labelCharsMax ? line : `${characters.slice(0, labelCharsMax).join("")}…`;
}

/** Returns an event id in words without the game's prefix: "boss defeated" for `my_game_boss_defeated`. */
export function eventInWords(eventId: string, game: string | null): string {
  const own = game !== null && eventId.startsWith(`${game}_`) ? eventId.slice(game.length + 1) : eventId;
  return toShortLine(own.replaceAll("_", " ")) || toShortLine(eventId) || "a moment";
}
