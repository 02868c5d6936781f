// The Live page's filter, stored in the address so that a reload or a bookmark keeps it. Pure.
import { type EventFilter, type EventKind, eventKinds, textOf } from "@kit/contract";
import type { LiveRow } from "./event-row.ts";
import { fragmentQuery } from "./fragment-query.ts";

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
