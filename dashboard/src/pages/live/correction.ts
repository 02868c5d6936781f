// How a corrected game is to be filed: as a prefix for all its events, or for one event id alone. Pure.

export type Correction = { readonly by: "prefix" | "event"; readonly game: string };

/** Undefined while what is typed cannot be a game. */
export function correctionOf(typed: string, eventId: string, assigned: boolean): Correction | undefined {
  const game = typed.trim().replace(/_+$/u, "");
  if (game === "" || /\p{Cc}/u.test(game)) return undefined;
  // An event a person filed by hand stays by hand: a prefix would not move it.
  return { by: !assigned && eventId.startsWith(`${game}_`) ? "prefix" : "event", game };
}
