// The filter of the Posts page, stored in the address so that a reload or a bookmark keeps it. Pure.
import { type PostState, postStates } from "@kit/contract";
import { fragmentQuery } from "./fragment-query.ts";

export type PostView = {
  /** Shows only posts in this state. If left out, shows all posts, and first those that wait for a person. */
  readonly state?: PostState;
  readonly game?: string;
  /** Shows the post of this event. */
  readonly event?: string;
};

/** Parses the filter of an address, e.g. `#/posts?state=failed`. Ignores unknown values. */
export function parsePostView(fragment: string): PostView {
  const query = fragmentQuery(fragment);
  const state = postStates.find((known) => known === query.get("state"));
  const game = query.get("game");
  const event = query.get("event");
  return { ...(state ? { state } : {}), ...(game ? { game } : {}), ...(event ? { event } : {}) };
}

/** Returns the filter as an address query, which `parsePostView` can read. */
export function toPostQuery({ state, game }: PostView): string {
  const query = new URLSearchParams();
  if (state) query.set("state", state);
  if (game) query.set("game", game);
  return query.toString();
}

export const isPostViewFiltered = ({ state, game }: PostView): boolean => Boolean(state || game);
