// Sample events and rows for tests: complete objects in which a test can replace single fields.
import type { FeedItem, KitEvent, ReceiptState, Refusal } from "@kit/contract";
import type { EventRow, RefusalRow } from "../src/api/event-row.ts";
import { emptyFeed, feedReducer } from "../src/api/feed.ts";

const eventOf = (members: Partial<KitEvent>): KitEvent => ({
  id: "01990000-0000-7000-8000-000000000001",
  kind: "recording",
  game: "mygame",
  eventId: "mygame_boss_defeated",
  payload: { eventId: "mygame_boss_defeated", timestamp: "2026-05-01T10:00:00.000Z" },
  receivedAt: "2026-05-01T10:00:00.010Z",
  actsOn: "2026-05-01T10:00:00.000Z",
  status: "accepted",
  state: "accepted",
  notes: [],
  origin: null,
  client: null,
  intact: true,
  ...members,
});

export const createRefusal = (members: Partial<Refusal>): Refusal => ({
  number: 1,
  at: "2026-05-01T10:00:01.000Z",
  status: 422,
  code: "payload_invalid",
  detail: "The payload does not fit.",
  errors: [{ path: "/timestamp", message: "an ISO 8601 time" }],
  method: "POST",
  path: "/api/recording/trigger",
  kind: "recording",
  origin: null,
  client: null,
  body: "{}",
  ...members,
});

/** Returns the nth event of a series in which ids and times rise together, as in the launcher. */
export function nthEvent(n: number, members: Partial<KitEvent> = {}): KitEvent {
  const receivedAt = new Date(Date.UTC(2026, 4, 1) + n * 1000).toISOString();
  return eventOf({ id: `01990000-0000-7000-8000-${String(n).padStart(12, "0")}`, receivedAt, ...members });
}

export const eventItem = (event: KitEvent): FeedItem => ({ type: "event", event });
export const receiptItem = (id: string, state: ReceiptState, second: number): FeedItem => ({
  type: "receipt",
  id,
  entry: { state, at: new Date(Date.UTC(2026, 4, 2) + second * 1000).toISOString(), by: "recording" },
});

const onlyRow = (item: FeedItem) => feedReducer(emptyFeed, { type: "received", items: [item] }).rows[0];
export const sampleEventRow = (members: Partial<KitEvent>) => onlyRow(eventItem(eventOf(members))) as EventRow;
export const sampleRefusalRow = (members: Partial<Refusal>) =>
  onlyRow({ type: "refusal", refusal: createRefusal(members) }) as RefusalRow;
