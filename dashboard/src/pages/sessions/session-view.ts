// The filter of the Sessions page and the open item of a session, stored in the address.
import { fragmentQuery } from "../../api/fragment-query.ts";

export type SessionView = { readonly game?: string };

/** Parses the filter of an address, e.g. `#/sessions?game=saga`. */
export function parseSessionView(fragment: string): SessionView {
  const game = fragmentQuery(fragment).get("game");
  return game ? { game } : {};
}

/** Returns the view as an address query, which `parseSessionView` and `openItemFromAddress` can read. */
export function toSessionQuery({ game }: SessionView, open?: string): string {
  const query = new URLSearchParams();
  if (game) query.set("game", game);
  if (open) query.set("at", open);
  return query.toString();
}

/** Returns the id of the event or clip that an address opens. */
export const openItemFromAddress = (fragment: string): string | undefined =>
  fragmentQuery(fragment).get("at") || undefined;
