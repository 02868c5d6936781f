// The names of games and events in what the command line prints. Raw ids are in its JSON.
import { type Client, createNames, listGames } from "@kit/contract";
import { escapeInvisible } from "./output.ts";

export type PrintedNames = {
  gameName(game: string | null): string;
  eventName(eventId: string, game: string | null): string;
};

export async function fetchNames(client: Client): Promise<PrintedNames> {
  const { gameName, eventName } = createNames(await client.call(listGames));
  return {
    gameName: (game) => (game === null ? "unsorted" : escapeInvisible(gameName(game))),
    eventName: (eventId, game) => escapeInvisible(eventName(eventId, game)),
  };
}
