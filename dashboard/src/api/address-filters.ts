// The filters of the Live and Posts pages, stored in the address so that a reload or a bookmark keeps them. Pure.
import { type EventFilter, type EventKind, eventKinds, type PostState, postStates, textOf } from "@kit/contract";
import type { LiveRow } from "./event-row.ts";

/** The API's name for the events that belong to no game. */
export const unsorted = "unsorted";

export type LiveFilter = {
  readonly game?: string;
  readonly kind?: EventKind;
  /** Words that a row must contain. */
  readonly text?: string;
  readonly refusals: "shown" | "hidden";
};

export const unfilteredEvents: LiveFilter = { refusals: "shown" };

/** Parses the filter of an address, e.g. `#/live?kind=social`. Ignores unknown values. */
export function parseLiveFilter(fragment: string): LiveFilter {
  const query = fragmentQuery(fragment);
  const kind = eventKinds.find((known) => known === query.get("kind"));
  const game = query.get("game");
  const text = query.get("text");
  return {
    ...(game ? { game } : {}),
    ...(kind ? { kind } : {}),
    ...(text ? { text } : {}),
    refusals: query.get("refusals") === "hidden" ? "hidden" : "shown",
  };
}

/** Returns the address of the Live page with this filter, which `parseLiveFilter` can read. */
export function liveAddress(filter: LiveFilter): string {
  const query = new URLSearchParams();
  if (filter.game) query.set("game", filter.game);
  if (filter.kind) query.set("kind", filter.kind);
  if (filter.text) query.set("text", filter.text);
  if (filter.refusals === "hidden") query.set("refusals", "hidden");
  return query.size > 0 ? `#/live?${query}` : "#/live";
}

/**
 * Returns the part of the filter that the launcher applies. If only the page applied it, a busy game would fill the
 * fetched list and hide a quiet one.
 */
export const toEventFilter = (filter: LiveFilter): EventFilter => ({
  ...(filter.game ? { game: filter.game } : {}),
  ...(filter.kind ? { kind: filter.kind } : {}),
});

export const isLiveFiltered = (filter: LiveFilter): boolean =>
  Boolean(filter.game || filter.kind || filter.text || filter.refusals === "hidden");

/**
 * Whether a row passes the filter by game and kind. Refused requests pass every filter by game: no game is known for
 * them, and its developer must see why events are missing.
 */
export function matchesGameAndKind(row: LiveRow, filter: LiveFilter): boolean {
  const kind = row.type === "event" ? row.event.kind : row.refusal.kind;
  if (filter.kind && kind !== null && kind !== filter.kind) return false;
  if (row.type === "refusal" || !filter.game) return true;
  return filter.game === unsorted ? row.event.game === null : row.event.game === filter.game;
}

function searchedText(row: LiveRow): string {
  if (row.type === "event") {
    const { id, eventId, game, payload, origin, client, state } = row.event;
    return [id, eventId, game, payload.message, payload.stackTrace, origin, client, state].join("\n");
  }
  const { code, detail, path, origin, client, body, errors } = row.refusal;
  return [code, textOf(detail), path, origin, client, body, ...errors.flatMap((e) => [e.path, e.message])].join("\n");
}

/** Whether a row passes the filters that only the page applies: the search words and the switch for refused requests. */
export function matchesPageFilter(row: LiveRow, filter: LiveFilter): boolean {
  if (row.type === "refusal" && filter.refusals === "hidden") return false;
  if (!filter.text) return true;
  const text = searchedText(row).toLowerCase();
  return filter.text
    .toLowerCase()
    .split(/\s+/u)
    .every((word) => text.includes(word));
}

export type PostView = {
  /** Shows only posts in this state. If left out, shows all posts, and first those that wait for a person. */
  readonly state?: PostState;
  readonly game?: string;
  /** Shows the post of this event. */
  readonly event?: string;
  /** Shows the post with this id. */
  readonly post?: string;
};

/** Parses the filter of an address, e.g. `#/posts?state=failed`. Ignores unknown values. */
export function parsePostView(fragment: string): PostView {
  const query = fragmentQuery(fragment);
  const state = postStates.find((known) => known === query.get("state"));
  const game = query.get("game");
  const event = query.get("event");
  const post = query.get("post");
  return {
    ...(state ? { state } : {}),
    ...(game ? { game } : {}),
    ...(event ? { event } : {}),
    ...(post ? { post } : {}),
  };
}

/** Returns the filter as an address query, which `parsePostView` can read. */
export function toPostQuery({ state, game }: PostView): string {
  const query = new URLSearchParams();
  if (state) query.set("state", state);
  if (game) query.set("game", game);
  return query.toString();
}

export const isPostViewFiltered = ({ state, game }: PostView): boolean => Boolean(state || game);

/** Returns the query in the fragment of an address, e.g. `?kind=social` in `#/live?kind=social`. */
export const fragmentQuery = (fragment: string): URLSearchParams =>
  new URLSearchParams(fragment.split("?", 2)[1] ?? "");
