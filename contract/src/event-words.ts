// An event's id in words, for titles, chapters and posts: the same everywhere.

const labelCharsMax = 100;

/** One line of printable characters, of a length a title can have. */
export function oneLine(text: string): string {
  const line = text
    .slice(0, labelCharsMax * 4)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  const characters = [...line];
  return characters.length <= labelCharsMax ? line : `${characters.slice(0, labelCharsMax).join("")}…`;
}

/** `my_game_boss_defeated` of my_game is "boss defeated". */
export function eventInWords(eventId: string, game: string | null): string {
  const own = game !== null && eventId.startsWith(`${game}_`) ? eventId.slice(game.length + 1) : eventId;
  return oneLine(own.replaceAll("_", " ")) || oneLine(eventId) || "a moment";
}
