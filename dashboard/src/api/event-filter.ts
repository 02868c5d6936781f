// What the Live page shows, as it stands in the address. Pure, so that a reload or a bookmark keeps it.
import { type EventFilter, type EventKind, eventKinds } from "@kit/contract";
import type { Row } from "./event-row.ts";

/** The word the launcher takes for events that belong to no game. */
export const unsorted = "unsorted";

export type LiveFilter = {
  readonly game?: string;
  readonly kind?: EventKind;
  /** Words a row must contain. */
  readonly text?: string;
  readonly refusals: "shown" | "hidden";
};

export const everything: LiveFilter = { refusals: "shown" };

/** Reads the filter from an address's fragment, e.g. `#/live?kind=social`. What it does not know it leaves out. */
export function filterIn(fragment: string): LiveFilter {
  const query = new URLSearchParams(fragment.split("?", 2)[1] ?? "");
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

/** The fragment `filterIn` reads back. */
export function fragmentOf(filter: LiveFilter): string {
  const query = new URLSearchParams();
  if (filter.game) query.set("game", filter.game);
  if (filter.kind) query.set("kind", filter.kind);
  if (filter.text) query.set("text", filter.text);
  if (filter.refusals === "hidden") query.set("refusals", "hidden");
  return query.size > 0 ? `#/live?${query}` : "#/live";
}

/** The part of the filter the launcher applies, so that a quiet game is not drowned by a loud one. */
export const sourceOf = (filter: LiveFilter): EventFilter => ({
  ...(filter.game ? { game: filter.game } : {}),
  ...(filter.kind ? { kind: filter.kind } : {}),
});

export const isNarrow = (filter: LiveFilter): boolean =>
  Boolean(filter.game || filter.kind || filter.text || filter.refusals === "hidden");

/**
 * Game and kind. A refused request belongs to no game, so a filter by game leaves it in:
 * the developer of that game must see why nothing arrives.
 */
export function passesSource(row: Row, filter: LiveFilter): boolean {
  const kind = row.type === "event" ? row.event.kind : row.refusal.kind;
  if (filter.kind && kind !== null && kind !== filter.kind) return false;
  if (row.type === "refusal" || !filter.game) return true;
  return filter.game === unsorted ? row.event.game === null : row.event.game === filter.game;
}

function textOf(row: Row): string {
  if (row.type === "event") {
    const { id, eventId, game, payload, origin, client, state } = row.event;
    return [id, eventId, game, payload.message, payload.stackTrace, origin, client, state].join("\n");
  }
  const { code, detail, path, origin, client, body, errors } = row.refusal;
  return [code, detail, path, origin, client, body, ...errors.flatMap((e) => [e.path, e.message])].join("\n");
}

/** What is left to the page: words and refusals. */
export function passesView(row: Row, filter: LiveFilter): boolean {
  if (row.type === "refusal" && filter.refusals === "hidden") return false;
  if (!filter.text) return true;
  const text = textOf(row).toLowerCase();
  return filter.text
    .toLowerCase()
    .split(/\s+/u)
    .every((word) => text.includes(word));
}
