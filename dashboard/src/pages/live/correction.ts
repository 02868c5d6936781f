// Turns a typed game into a correction: a prefix for all its events, or one event id. Pure.

export type GameCorrection = { readonly by: "prefix" | "event"; readonly game: string };

/** Returns undefined while the typed text cannot be a game. */
export function parseCorrection(typed: string, eventId: string, assigned: boolean): GameCorrection | undefined {
  const game = typed.trim().replace(/_+$/u, "");
  if (game === "" || /\p{Cc}/u.test(game)) return undefined;
  // An event id assigned by hand stays so, because a prefix would not change it.
  return { by: !assigned && eventId.startsWith(`${game}_`) ? "prefix" : "event", game };
}
