// Tests of the rows of the Live page: they are merged without duplicates, limited in number, and buffered while paused.
import assert from "node:assert/strict";
import type { FeedItem } from "@kit/contract";
import { test } from "vitest";
import { createRefusal, eventItem, nthEvent, receiptItem } from "../../test/feed-samples.ts";
import { emptyFeed, type FeedState, feedReducer, liveRowsMax, mergeReceiptEntries } from "./feed.ts";

const receive = (feed: FeedState, ...items: FeedItem[]) => feedReducer(feed, { type: "received", items });
const load = (feed: FeedState, ...numbers: number[]) =>
  feedReducer(feed, { type: "loaded", events: numbers.map((n) => nthEvent(n)), more: false });
const idsOf = (feed: FeedState) => feed.rows.map((row) => (row.type === "event" ? row.event.id : row.key));
const ids = (...numbers: number[]) => numbers.map((n) => nthEvent(n).id);
const upTo = (n: number) => Array.from({ length: n }, (_, index) => eventItem(nthEvent(index + 1)));

test("the newest row is first, whatever the order of arrival", () => {
  assert.deepEqual(idsOf(receive(load(emptyFeed, 2), eventItem(nthEvent(3)), eventItem(nthEvent(1)))), ids(3, 2, 1));
});

test("an event that arrives twice is shown once", () => {
  const feed = receive(load(emptyFeed, 1, 2), eventItem(nthEvent(2)), eventItem(nthEvent(3)), eventItem(nthEvent(3)));
  assert.deepEqual(idsOf(feed), ids(3, 2, 1));
});

test("only the newest rows are kept, and the feed knows that there are more", () => {
  const feed = receive(emptyFeed, ...upTo(liveRowsMax + 5));
  assert.equal(feed.rows.length, liveRowsMax);
  assert.equal(idsOf(feed)[0], nthEvent(liveRowsMax + 5).id);
  assert.equal(feed.more, true);
});

test("a receipt entry updates the state of its event and is stored with it", () => {
  const { id } = nthEvent(1);
  const feed = receive(load(emptyFeed, 1), receiptItem(id, "handed-over", 1), receiptItem(id, "recording", 2));
  const row = feed.rows[0];
  assert.ok(row?.type === "event");
  assert.equal(row.event.state, "recording");
  assert.deepEqual(
    row.liveEntries.map((entry) => entry.state),
    ["handed-over", "recording"],
  );
});

test("a receipt entry that arrives before its event in the same batch is not lost", () => {
  const feed = receive(emptyFeed, receiptItem(nthEvent(1).id, "saved", 1), eventItem(nthEvent(1)));
  assert.ok(feed.rows[0]?.type === "event" && feed.rows[0].event.state === "saved");
});

test("a receipt entry of an event that is not shown changes no row", () => {
  const feed = load(emptyFeed, 1);
  assert.deepEqual(receive(feed, receiptItem(nthEvent(9).id, "saved", 1)).rows, feed.rows);
});

test("while the feed is paused, new events are buffered and counted, and shown events still change state", () => {
  const paused = feedReducer(load(emptyFeed, 1), { type: "paused" });
  const feed = receive(paused, ...[2, 3].map((n) => eventItem(nthEvent(n))), receiptItem(nthEvent(1).id, "saved", 1));
  assert.deepEqual(idsOf(feed), ids(1));
  assert.equal(feed.bufferedCount, 2);
  assert.ok(feed.rows[0]?.type === "event" && feed.rows[0].event.state === "saved");
  const again = receive(feed, eventItem(nthEvent(3)));
  assert.equal(again.bufferedCount, 2, "a repeated event is not counted again");
});

test("resuming shows the buffered events", () => {
  const paused = feedReducer(load(emptyFeed, 1), { type: "paused" });
  const feed = feedReducer(receive(paused, eventItem(nthEvent(2))), { type: "resumed" });
  assert.deepEqual(idsOf(feed), ids(2, 1));
  assert.deepEqual([feed.bufferedCount, feed.paused], [0, false]);
});

test("buffered events beyond the limit are still counted, and the newest are kept", () => {
  const paused = feedReducer(emptyFeed, { type: "paused" });
  const feed = receive(receive(paused, ...upTo(liveRowsMax)), ...upTo(liveRowsMax + 20).slice(liveRowsMax));
  assert.equal(feed.bufferedCount, liveRowsMax + 20);
  assert.equal(feed.bufferedRows.length, liveRowsMax);
  const resumed = feedReducer(feed, { type: "resumed" });
  assert.equal(idsOf(resumed)[0], nthEvent(liveRowsMax + 20).id);
});

test("refused requests with the same number from before and after a restart are two rows", () => {
  const first = createRefusal({ number: 1, at: "2026-05-01T10:00:00.000Z" });
  const second = createRefusal({ number: 1, at: "2026-05-01T11:00:00.000Z" });
  const feed = receive(emptyFeed, ...[first, first, second].map((refusal) => ({ type: "refusal", refusal }) as const));
  assert.equal(feed.rows.length, 2);
});

test("skipped events are counted until the list is loaded again", () => {
  const feed = receive(emptyFeed, { type: "skipped", events: 40 }, { type: "skipped", events: 2 });
  assert.equal(feed.skipped, 42);
  assert.equal(load(feed, 1).skipped, 0);
});

test("a loaded list replaces the events, and keeps refused requests and live receipt entries", () => {
  const { id } = nthEvent(2);
  const before = receive(
    load(emptyFeed, 1, 2),
    { type: "refusal", refusal: createRefusal({}) },
    receiptItem(id, "saved", 1),
  );
  const feed = load(before, 2, 3);
  assert.equal(feed.rows.filter((row) => row.type === "refusal").length, 1);
  assert.deepEqual(
    feed.rows.flatMap((row) => (row.type === "event" ? [row.key, row.liveEntries.length] : [])),
    [nthEvent(3).id, 0, nthEvent(2).id, 1],
  );
});

test("a refreshed list adds skipped events and keeps events that arrived since", () => {
  const before = receive(load(emptyFeed, 1), eventItem(nthEvent(5)), { type: "skipped", events: 2 });
  const events = [4, 3, 2, 1].map((n) => nthEvent(n));
  const feed = feedReducer(before, { type: "refreshed", events, more: false });
  assert.deepEqual(idsOf(feed), ids(5, 4, 3, 2, 1));
  assert.equal(feed.skipped, 0);
});

test("a refreshed list updates an event that was assigned to another game, and drops an event that is missing from it", () => {
  const before = load(emptyFeed, 1, 2, 3, 4);
  const events = [nthEvent(4, { game: "renamed" }), nthEvent(2)];
  const feed = feedReducer(before, { type: "refreshed", events, more: true });
  assert.deepEqual(idsOf(feed), ids(4, 2, 1));
  assert.ok(feed.rows[0]?.type === "event" && feed.rows[0].event.game === "renamed");
});

test("an event that was assigned to another game shows that game, also while it is buffered", () => {
  const paused = feedReducer(load(emptyFeed, 1, 2), { type: "paused" });
  const waiting = receive(paused, eventItem(nthEvent(3)));
  const events = [2, 3, 9].map((n) => ({ ...nthEvent(n), game: "found" }));
  const feed = feedReducer(waiting, { type: "gamesFound", events });
  const gamesOf = (rows: FeedState["rows"]) => rows.map((row) => row.type === "event" && row.event.game);
  assert.deepEqual([gamesOf(feed.rows), gamesOf(feed.bufferedRows)], [["found", nthEvent(1).game], ["found"]]);
});

test("a list refreshed while the feed is paused adds new events to the buffer", () => {
  const paused = feedReducer(load(emptyFeed, 1), { type: "paused" });
  const events = [3, 2, 1].map((n) => nthEvent(n));
  const feed = feedReducer(paused, { type: "refreshed", events, more: false });
  assert.deepEqual([idsOf(feed), feed.bufferedCount], [ids(1), 2]);
});

test("changed rules assign the rows of their event id to the new game, and drop rows that no longer match the filter", () => {
  const filter = { game: "mygame", refusals: "shown" } as const;
  const plain = { lastSeenAt: null, count: 0, label: null, icon: null, postText: null, similarTo: null };
  const rule = {
    kind: "recording",
    eventId: "mygame_x",
    assigned: true,
    enabled: true,
    firstSeenAt: "",
    ...plain,
  } as const;
  const feed = receive(load(emptyFeed, 1), eventItem(nthEvent(2, { eventId: "mygame_x" })));
  const same = feedReducer(feed, { type: "rulesChanged", rules: [{ ...rule, game: "mygame" }], filter });
  assert.deepEqual(idsOf(same), ids(2, 1));
  const moved = feedReducer(feed, { type: "rulesChanged", rules: [{ ...rule, game: "other" }], filter });
  assert.deepEqual(idsOf(moved), ids(1));
});

test("a narrower filter drops rows that do not match it at once", () => {
  const feed = receive(emptyFeed, eventItem(nthEvent(1, { kind: "social" })), eventItem(nthEvent(2)));
  const narrowed = feedReducer(feed, { type: "narrowed", filter: { kind: "social", refusals: "shown" } });
  assert.deepEqual(idsOf(narrowed), ids(1));
});

test("older events are added at the end", () => {
  const feed = feedReducer(load(emptyFeed, 3), { type: "older", events: [nthEvent(2), nthEvent(1)], more: true });
  assert.deepEqual(idsOf(feed), ids(3, 2, 1));
  assert.equal(feed.more, true);
});

test("merged receipt entries are in order of time, each once", () => {
  const entry = (state: "accepted" | "recording" | "saved", at: string) => ({ state, at, by: "recording" });
  const a = entry("accepted", "1");
  const b = entry("recording", "2");
  const c = entry("saved", "3");
  assert.deepEqual(mergeReceiptEntries([a, b], [b, c]), [a, b, c]);
  assert.deepEqual(mergeReceiptEntries([a, c], [b]), [a, b, c]);
});
