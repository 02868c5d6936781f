// Tests of the live feed: a follower sees everything once and in order, also after reconnecting, or learns what was left out.
import assert from "node:assert/strict";
import type { EventFilter, EventKind, FeedItem, Refusal } from "@kit/contract";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import { openStorageFolder, type StorageFolder } from "../../test/support/storage-folder.ts";
import { until } from "../../test/support/until.ts";
import { sql } from "../storage/sql.ts";
import { createFeed, type Feed, type FeedCursor, formatFeedCursor, parseFeedCursor } from "./feed.ts";
import { createInboxStore, type InboxStore, insertEvent, insertReceiptState } from "./inbox-store.ts";

let folder: StorageFolder;
let journal: InboxStore;
let feed: Feed;
let refusals: Refusal[] = [];
let departures = 0;
beforeAll(async () => {
  folder = await openStorageFolder();
  journal = createInboxStore(folder.storage, (_, eventId) => eventId?.split("_")[0] ?? null);
});
afterAll(() => folder?.[Symbol.asyncDispose]());
beforeEach(async () => {
  await folder.storage.write(sql`DELETE FROM event`, sql`DELETE FROM receipt`);
  refusals = [];
  departures = 0;
  const refusalsSince = (after: number) => refusals.filter(({ number }) => number > after);
  feed = createFeed({ journal, refusalsSince, onFollowerLeft: () => (departures += 1) });
});

let stored = 0;
const nextId = () => {
  stored += 1;
  return `event-${stored}`;
};
/** Stores `count` events of a kind and returns their ids. */
async function store(count: number, kind: EventKind = "recording", eventId = "saga_boss"): Promise<string[]> {
  const ids = Array.from({ length: count }, nextId);
  const rest = { payload: "{}", actsOnMs: 0, receivedAtMs: 0, reason: null, notes: [], origin: null, client: null };
  await folder.storage.write(
    ...ids.map((id) =>
      insertEvent({ id, kind, eventId: kind === "monitor" ? null : eventId, status: "accepted", ...rest }),
    ),
  );
  feed.wake();
  return ids;
}

function refuse(of: number, kind: EventKind | null = "recording"): void {
  const rest = { at: "", status: 422, code: "payload_invalid", detail: "", errors: [], method: "POST", path: "/" };
  refusals.push({ number: of, kind, ...rest, origin: null, client: null, body: null });
  feed.wake();
}

type Follower = {
  readonly items: FeedItem[];
  lastId(): string;
  seen(count: number): Promise<FeedItem[]>;
  leave(): Promise<void>;
};

/** Follows from a cursor. `slow` delays each item until that promise resolves. */
function follow(from?: FeedCursor, filter: EventFilter = {}, slow?: Promise<void>): Follower {
  const items: FeedItem[] = [];
  const gone = new AbortController();
  let lastId = from === undefined ? "" : formatFeedCursor(from);
  const onMore = new Set<() => void>();
  const stream = {
    closed: gone.signal,
    async send({ id, data }: { id: string; data: unknown }) {
      await slow;
      if (gone.signal.aborted) return;
      lastId = id;
      items.push(data as FeedItem);
      for (const look of onMore) look();
    },
  };
  const over = feed.follow(stream, from, filter);
  return {
    items,
    lastId: () => lastId,
    async seen(count) {
      const enough = Promise.withResolvers<void>();
      const look = () => items.length >= count && enough.resolve();
      onMore.add(look);
      look();
      await enough.promise;
      return items;
    },
    async leave() {
      gone.abort();
      await over;
    },
  };
}

const start: FeedCursor = { event: 0, receipt: 0, refusal: 0 };
const idsOf = (items: readonly FeedItem[]) => items.flatMap((item) => (item.type === "event" ? [item.event.id] : []));

test("a formatted cursor parses to the same cursor, and no other text parses", () => {
  const cursor = { event: 12, receipt: 345, refusal: 1_767_225_600_000_001 };
  assert.deepEqual(parseFeedCursor(formatFeedCursor(cursor)), cursor);
  for (const text of [
    undefined,
    "",
    "1",
    "1-2",
    "1-2-3-4",
    "-1-2-3",
    "1-2-x",
    " 1-2-3",
    "1e3-2-3",
    `${"9".repeat(16)}-1-1`,
  ]) {
    assert.equal(parseFeedCursor(text), undefined, `${text}`);
  }
});

test("without a cursor the feed starts now", async () => {
  await store(3);
  const follower = follow();
  // Reads are answered in order, so the follower has found its start after this one.
  await journal.latestPositions();
  const ids = await store(2);
  assert.deepEqual(idsOf(await follower.seen(2)), ids);
  await follower.leave();
});

test("from a cursor the feed sends every later event once, then new events", async () => {
  const ids = await store(5);
  const follower = follow(start);
  assert.deepEqual(idsOf(await follower.seen(5)), ids);
  const later = await store(1);
  assert.deepEqual(idsOf(await follower.seen(6)), [...ids, ...later]);
  await follower.leave();
});

test("a follower that reconnects with its last cursor misses nothing and sees nothing twice", async () => {
  const ids = await store(250);
  const seen: string[] = [];
  let cursor: FeedCursor | undefined = start;
  for (let visits = 0; seen.length < ids.length && visits < 20; visits += 1) {
    const follower = follow(cursor);
    await follower.seen(Math.min(40, ids.length - seen.length));
    await follower.leave();
    seen.push(...idsOf(follower.items));
    cursor = parseFeedCursor(follower.lastId());
  }
  assert.deepEqual(seen, ids);
});

test("an event's receipts follow it", async () => {
  const [id] = await store(1);
  const { event: seq } = await journal.latestPositions();
  await folder.storage.write(insertReceiptState([{ seq }], "handed-over", "recording", 0));
  const follower = follow(start);
  const [event, receipt] = await follower.seen(2);
  await follower.leave();
  assert.deepEqual([event?.type, receipt?.type], ["event", "receipt"]);
  assert.ok(receipt?.type === "receipt" && receipt.id === id && receipt.entry.state === "handed-over");
});

test("a refused request is sent once, also to a follower that reconnects", async () => {
  refuse(7);
  const follower = follow(start);
  await follower.seen(1);
  refuse(8);
  await follower.seen(2);
  await follower.leave();
  assert.deepEqual(
    follower.items.map((item) => item.type === "refusal" && item.refusal.number),
    [7, 8],
  );
  const again = follow(parseFeedCursor(follower.lastId()));
  const [id] = await store(1);
  assert.deepEqual(idsOf(await again.seen(1)), [id]);
  await again.leave();
});

test("a follower too far behind gets the number of skipped events instead of the events", async () => {
  await store(600);
  const follower = follow(start);
  const [first] = await follower.seen(1);
  assert.deepEqual(first, { type: "skipped", events: 600 });
  const ids = await store(1);
  assert.deepEqual(idsOf(await follower.seen(2)), ids);
  await follower.leave();
});

test("a slow follower gets every event", async () => {
  const ids = await store(300);
  const gate = Promise.withResolvers<void>();
  const follower = follow(start, {}, gate.promise);
  const more = await store(150);
  gate.resolve();
  assert.deepEqual(idsOf(await follower.seen(450)), [...ids, ...more]);
  await follower.leave();
});

const filters: readonly (readonly [name: string, filter: EventFilter, wanted: readonly number[]])[] = [
  ["one kind", { kind: "social" }, [1]],
  ["one game", { game: "saga" }, [0, 1]],
  ["one kind of one game", { game: "saga", kind: "recording" }, [0]],
  ["no game", { game: "unsorted" }, [3]],
];
for (const [name, filter, wanted] of filters) {
  test(`a filter shows only the events of ${name}`, async () => {
    const events = [
      ...(await store(1)),
      ...(await store(1, "social")),
      ...(await store(1, "recording", "other_boss")),
      ...(await store(1, "monitor")),
    ];
    const follower = follow(start, filter);
    assert.deepEqual(
      idsOf(await follower.seen(wanted.length)),
      wanted.map((index) => events[index]),
    );
    await follower.leave();
    assert.equal(follower.items.length, wanted.length);
  });
}

test("a follower is notified when the games change", async () => {
  const follower = follow(start);
  await store(1);
  await follower.seen(1);
  feed.notifyChange("games");
  await follower.seen(2);
  await follower.leave();
  assert.deepEqual(follower.items.at(-1), { type: "changed", what: "games" });
});

test("a change during the notification of the same change is notified again", async () => {
  const notified: string[] = [];
  const gone = new AbortController();
  const enough = Promise.withResolvers<void>();
  const send = async ({ data }: { data: unknown }) => {
    notified.push((data as { what: string }).what);
    if (notified.length === 1) feed.notifyChange("origins");
    if (notified.length === 3) enough.resolve();
  };
  const over = feed.follow({ closed: gone.signal, send }, start, {});
  feed.notifyChange("origins");
  feed.notifyChange("issues");
  await enough.promise;
  gone.abort();
  await over;
  assert.deepEqual(notified, ["origins", "issues", "origins"]);
});

test("the feed reports each follower that leaves", async () => {
  const one = follow(start);
  const other = follow(start);
  await store(1);
  await Promise.all([one.seen(1), other.seen(1)]);
  assert.equal(departures, 0);
  await one.leave();
  assert.equal(departures, 1);
  await other.leave();
  assert.equal(departures, 2);
});

test("while the journal cannot be read, a follower keeps its position", async () => {
  let isBroken = true;
  const ends = () => (isBroken ? Promise.reject(new Error("locked")) : journal.latestPositions());
  feed = createFeed({
    journal: { ...journal, latestPositions: ends },
    refusalsSince: () => [],
    onFollowerLeft: () => undefined,
  });
  const ids = await store(2);
  const follower = follow(start);
  isBroken = false;
  assert.deepEqual(idsOf(await follower.seen(2)), ids);
  await follower.leave();
});

test("a cursor beyond the end, from before a restored backup, does not silence the feed", async () => {
  await store(2);
  const { event, receipt } = await journal.latestPositions();
  const follower = follow({ event: event + 1_000, receipt: receipt + 1_000, refusal: 0 });
  // The follower skips what is stored before it has noticed.
  await until("the follower gets an item", async () => {
    await store(1);
    return follower.items.length > 0;
  });
  await follower.leave();
});

test("followers are counted while they follow", async () => {
  const one = follow();
  const other = follow();
  assert.equal(feed.followerCount(), 2);
  await one.leave();
  await other.leave();
  assert.equal(feed.followerCount(), 0);
});
