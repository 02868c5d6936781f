// The view of the Sessions page and the open item, stored in the address.
import { fragmentQuery } from "../../api/fragment-query.ts";

export type SessionView = { readonly game?: string };

/** Reads the view from an address fragment, for example `#/sessions?game=saga`. */
export function parseSessionView(fragment: string): SessionView {
  const game = fragmentQuery(fragment).get("game");
  return game ? { game } : {};
}

/** The query that `parseSessionView` and `openItemKey` read. */
export function sessionQuery({ game }: SessionView, open?: string): string {
  const query = new URLSearchParams();
  if (game) query.set("game", game);
  if (open) query.set("at", open);
  return query.toString();
}

/** The id of the open event or clip. */
export const openItemKey = (fragment: string): string | undefined => fragmentQuery(fragment).get("at") || undefined;
