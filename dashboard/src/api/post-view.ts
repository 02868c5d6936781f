// Which posts the page shows, as it stands in the address. Pure, so that a reload or a bookmark keeps it.
import { type PostState, postStates } from "@kit/contract";

export type PostView = {
  /** Only posts in this state; all, what waits for a person first, when left out. */
  readonly state?: PostState;
  readonly game?: string;
  /** The event whose post is looked for. */
  readonly event?: string;
};

/** Reads the view from an address's fragment, e.g. `#/posts?state=failed`. What it does not know it leaves out. */
export function postViewIn(fragment: string): PostView {
  const query = new URLSearchParams(fragment.split("?", 2)[1] ?? "");
  const state = postStates.find((known) => known === query.get("state"));
  const game = query.get("game");
  const event = query.get("event");
  return { ...(state ? { state } : {}), ...(game ? { game } : {}), ...(event ? { event } : {}) };
}

/** The query part `postViewIn` reads back. */
export function postQueryOf({ state, game }: PostView): string {
  const query = new URLSearchParams();
  if (state) query.set("state", state);
  if (game) query.set("game", game);
  return query.toString();
}

export const isNarrowed = ({ state, game }: PostView): boolean => Boolean(state || game);
