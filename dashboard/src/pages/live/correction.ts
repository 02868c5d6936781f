// Parses the game that a person typed for an event: it applies to a prefix of event ids, or to this event id only. Pure.

export type GameCorrection = { readonly by: "prefix" | "event"; readonly game: string };

/** Reads a typed game as a correction of an event. Returns undefined while the text cannot be a game. */
export function parseCorrection(typed: string, eventId: string, assigned: boolean): GameCorrection | undefined {
  const game = typed.trim().replace(/_+$/u, "");
  if (game === "" || /\p{Cc}/u.test(game)) return undefined;
  // A prefix would not change an event id that a person assigned to a game, so the id is assigned again.
  return { by: !assigned && eventId.startsWith(`${game}_`) ? "prefix" : "event", game };
}
