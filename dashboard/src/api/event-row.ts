// One row of the Live page: an event or a refused request.
import type { KitEvent, ReceiptEntry, Refusal } from "@kit/contract";

export type EventRow = {
  readonly type: "event";
  readonly key: string;
  readonly at: string;
  readonly event: KitEvent;
  /** Receipt entries that the feed sent while the page was open. */
  readonly liveEntries: readonly ReceiptEntry[];
  /** Whether the event arrived while the page was open. */
  readonly fresh: boolean;
};
export type RefusalRow = {
  readonly type: "refusal";
  readonly key: string;
  readonly at: string;
  readonly refusal: Refusal;
  readonly fresh: boolean;
};
export type LiveRow = EventRow | RefusalRow;

export const createEventRow = (event: KitEvent, fresh: boolean): EventRow => ({
  type: "event",
  key: event.id,
  at: event.receivedAt,
  event,
  liveEntries: [],
  fresh,
});

/**
 * Creates a row whose key includes the time, because the launcher numbers refused requests from 1 again after every
 * start.
 */
export const createRefusalRow = (refusal: Refusal): RefusalRow => ({
  type: "refusal",
  key: `refusal ${refusal.number} ${refusal.at}`,
  at: refusal.at,
  refusal,
  fresh: true,
});

/**
 * Sorts newest first. In the same millisecond, the row with the greater key counts as newer, because keys rise with
 * time.
 */
export const newestFirst = (a: LiveRow, b: LiveRow) =>
  a.at === b.at ? (a.key < b.key ? 1 : -1) : a.at < b.at ? 1 : -1;
