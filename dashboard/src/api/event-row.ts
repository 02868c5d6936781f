// One row of the Live page: an event, or a request that was refused.
import type { KitEvent, ReceiptEntry, Refusal } from "@kit/contract";

export type EventRow = {
  readonly type: "event";
  readonly key: string;
  readonly at: string;
  readonly event: KitEvent;
  /** Receipt entries heard while the page was open. */
  readonly heard: readonly ReceiptEntry[];
  /** True when it arrived while the page was looking. */
  readonly fresh: boolean;
};
export type RefusalRow = {
  readonly type: "refusal";
  readonly key: string;
  readonly at: string;
  readonly refusal: Refusal;
  readonly fresh: boolean;
};
export type Row = EventRow | RefusalRow;

export const eventRow = (event: KitEvent, fresh: boolean): EventRow => ({
  type: "event",
  key: event.id,
  at: event.receivedAt,
  event,
  heard: [],
  fresh,
});

/** The number alone is no key: a launcher counts its refusals anew after every start. */
export const refusalRow = (refusal: Refusal): RefusalRow => ({
  type: "refusal",
  key: `refusal ${refusal.number} ${refusal.at}`,
  at: refusal.at,
  refusal,
  fresh: true,
});

/** Newest first; at the same millisecond the key decides, which for events rises with their order. */
export const newestFirst = (a: Row, b: Row) => (a.at === b.at ? (a.key < b.key ? 1 : -1) : a.at < b.at ? 1 : -1);
