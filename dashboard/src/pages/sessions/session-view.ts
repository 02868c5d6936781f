// Which sessions the page shows and which entry of one is open, as it stands in the address. Pure, so that a reload keeps it.

export type SessionView = { readonly game?: string };

const queryIn = (fragment: string) => new URLSearchParams(fragment.split("?", 2)[1] ?? "");

/** Reads the view from an address's fragment, e.g. `#/sessions?game=saga`. */
export function sessionViewIn(fragment: string): SessionView {
  const game = queryIn(fragment).get("game");
  return game ? { game } : {};
}

/** The query part `sessionViewIn` and `openIn` read back. */
export function sessionQueryOf({ game }: SessionView, open?: string): string {
  const query = new URLSearchParams();
  if (game) query.set("game", game);
  if (open) query.set("at", open);
  return query.toString();
}

/** The id of the event or clip that is open beside the track. */
export const openIn = (fragment: string): string | undefined => queryIn(fragment).get("at") || undefined;
