// Turns event ids and game ids into the names that people read, with the same spelling in every place.
import { demoGame } from "./demo.ts";

const nameCharsMax = 100;
/** An id in capital letters is lowered from this length on. Shorter ones may be abbreviations, such as NPC. */
const capitalsMin = 5;

/** Returns the text as one line without control characters, cut to 100 characters. */
export function toShortLine(text: string): string {
  const line = text
    .slice(0, nameCharsMax * 4)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  const characters = [...line];
  return characters.length <= nameCharsMax ? line : `${characters.slice(0, nameCharsMax).join("")}…`;
}

/** Returns an id in words: "boss defeated" for `boss_defeated`, `bossDefeated` and `BOSS_DEFEATED`. */
function idInWords(id: string): string {
  const isInCapitals = id.length >= capitalsMin && id === id.toUpperCase();
  const lowered = isInCapitals ? id.toLowerCase() : id;
  const split = lowered.replace(
    /(\p{Ll}|\p{N})(\p{Lu})(?=\p{Ll})/gu,
    (_, before, next) => `${before} ${next.toLowerCase()}`,
  );
  return toShortLine(split.replaceAll("_", " "));
}

const capitalize = (word: string): string => {
  const [first = "", ...rest] = word;
  return first.toUpperCase() + rest.join("");
};

/** Returns the name of an event from its id, without the game's prefix: "Boss defeated" for `my_game_boss_defeated`. */
export function eventInWords(eventId: string, game: string | null): string {
  const own = game !== null && eventId.startsWith(`${game}_`) ? eventId.slice(game.length + 1) : eventId;
  return capitalize(idInWords(own) || toShortLine(eventId)) || "A moment";
}

/** Returns the name of a game from its id: "My Game" for `my_game`. */
export function gameInWords(game: string): string {
  if (game === demoGame) return "Kit's demo";
  return idInWords(game).split(" ").map(capitalize).join(" ") || toShortLine(game) || "A game";
}

/** What a list of the known games and event ids says about names; see the operation `listGames`. */
export type ListedNames = {
  readonly games: readonly { readonly game: string; readonly name: string }[];
  readonly rules: readonly { readonly eventId: string; readonly label: string | null }[];
};
export type Names = {
  gameName(game: string): string;
  eventName(eventId: string, game: string | null): string;
};

/** Returns functions that name games and events: as a person or `kit.events.json` named them, else in words. */
export function createNames({ games, rules }: ListedNames): Names {
  const ofGames = new Map(games.map(({ game, name }) => [game, name]));
  const ofEvents = new Map(rules.flatMap(({ eventId, label }) => (label === null ? [] : [[eventId, label] as const])));
  return {
    gameName: (game) => ofGames.get(game) ?? gameInWords(game),
    eventName: (eventId, game) => toShortLine(ofEvents.get(eventId) ?? "") || eventInWords(eventId, game),
  };
}
