// The live feed. Each reader follows the journal with its own cursor, so it continues after a reconnect without a gap.
import { changeTopics, type EventFilter, type FeedItem, type Refusal } from "@kit/contract";
import type { EventStream } from "../http/event-stream.ts";
import { withShortStack } from "./inbox.ts";
import type { InboxStore } from "./inbox-store.ts";

const pageMax = 100;
/** A reader that is more than this many events behind receives the number of skipped events instead of the events. */
const behindMax = 500;
/** Minimum time between two pages under load. A single event is sent at once. */
const pageEveryMs = 100;
const retryMs = 1_000;

/** Positions in the journal, the receipts and the refusals. */
export type FeedCursor = { readonly event: number; readonly receipt: number; readonly refusal: number };

export const formatFeedCursor = ({ event, receipt, refusal }: FeedCursor): string => `${event}-${receipt}-${refusal}`;

/** Returns undefined if the text is not a cursor. */
export function parseFeedCursor(text: string | undefined): FeedCursor | undefined {
  const parts = /^(\d{1,15})-(\d{1,15})-(\d{1,16})$/.exec(text ?? "");
  return parts === null ? undefined : { event: Number(parts[1]), receipt: Number(parts[2]), refusal: Number(parts[3]) };
}

type Changes = Readonly<Record<(typeof changeTopics)[number], number>>;

export type FeedDeps = {
  readonly journal: Pick<InboxStore, "listAfter" | "listReceiptUpdates" | "latestPositions">;
  readonly refusalsSince: (after: number) => readonly Refusal[];
  /** Called when a reader disconnects. */
  readonly onFollowerLeft: () => void;
};

export type Feed = {
  /** Makes the feed look for new items. Cheap enough to call for every event. */
  wake(): void;
  /** Tells readers that a list or a state has changed, so that they load it again. */
  notifyChange(what: keyof Changes): void;
  /** Sends items to `stream` until it closes, starting after the cursor, or with the next item if there is none. */
  follow(stream: EventStream, from: FeedCursor | undefined, filter: EventFilter): Promise<void>;
  followerCount(): number;
  /** Disconnects all readers. They connect again from where they were, if they still may. */
  disconnect(): void;
  /** Disconnects all readers for good. */
  close(): void;
  readonly ended: AbortSignal;
};

const matchesFilter = (item: FeedItem, { kind, game }: EventFilter): boolean => {
  if (item.type === "refusal") return kind === undefined || (item.refusal.kind ?? kind) === kind;
  if (item.type !== "event") return true;
  const wantedGame = game === undefined || (item.event.game ?? "unsorted") === game;
  return wantedGame && (kind === undefined || item.event.kind === kind);
};

const pauseFor = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export function createFeed({ journal, refusalsSince, onFollowerLeft }: FeedDeps): Feed {
  let changes = Object.fromEntries(changeTopics.map((what) => [what, 0])) as Changes;
  let wakeUp = Promise.withResolvers<void>();
  let followers = 0;
  let ending = new AbortController();

  /** Yields one page of items after `at`, each with the cursor behind it. */
  async function* page(at: FeedCursor): AsyncGenerator<{ item: FeedItem; cursor: FeedCursor }> {
    let cursor = at;
    const ends = await journal.latestPositions();
    // After a restore, the journal may end before the cursor. Its positions beyond the end will be used again.
    if (cursor.event > ends.event || cursor.receipt > ends.receipt) {
      cursor = { ...cursor, ...ends };
      yield { item: { type: "skipped", events: 0 }, cursor };
    }
    if (ends.receipt - cursor.receipt > behindMax) cursor = { ...cursor, receipt: ends.receipt };
    if (ends.event - cursor.event > behindMax) {
      const skipped = ends.event - cursor.event;
      cursor = { ...cursor, event: ends.event };
      yield { item: { type: "skipped", events: skipped }, cursor };
    }
    for (const { seq, event } of (await journal.listAfter(cursor.event, null, pageMax)).entries) {
      cursor = { ...cursor, event: seq };
      yield { item: { type: "event", event: withShortStack(event) }, cursor };
    }
    for (const { seq, id, entry } of await journal.listReceiptUpdates(cursor.receipt, pageMax)) {
      cursor = { ...cursor, receipt: seq };
      yield { item: { type: "receipt", id, entry }, cursor };
    }
    for (const refusal of refusalsSince(cursor.refusal)) {
      cursor = { ...cursor, refusal: refusal.number };
      yield { item: { type: "refusal", refusal }, cursor };
    }
  }

  const sendPage = async (stream: EventStream, at: FeedCursor, filter: EventFilter): Promise<FeedCursor> => {
    let reached = at;
    for await (const { item, cursor } of page(at)) {
      reached = cursor;
      if (matchesFilter(item, filter)) await stream.send({ type: item.type, id: formatFeedCursor(cursor), data: item });
    }
    return reached;
  };
  const sendChanges = async (stream: EventStream, seen: Changes, at: FeedCursor) => {
    // A change that happens while these are sent goes out with the next page.
    const current = changes;
    for (const what of changeTopics) {
      if (seen[what] === current[what]) continue;
      await stream.send({
        type: "changed",
        id: formatFeedCursor(at),
        data: { type: "changed", what } satisfies FeedItem,
      });
    }
    return current;
  };

  const run = async (stream: EventStream, from: FeedCursor | undefined, filter: EventFilter) => {
    let at = from;
    let seen = changes;
    const closed = new Promise<void>((resolve) => stream.closed.addEventListener("abort", () => resolve()));
    while (!stream.closed.aborted) {
      const woken = wakeUp.promise;
      const beganAtMs = performance.now();
      try {
        at ??= { ...(await journal.latestPositions()), refusal: 0 };
        const reached = await sendPage(stream, at, filter);
        const more = reached.event > at.event || reached.receipt > at.receipt;
        at = reached;
        seen = await sendChanges(stream, seen, at);
        if (!more) await Promise.race([woken, closed]);
        await pauseFor(Math.max(0, beganAtMs + pageEveryMs - performance.now()));
      } catch {
        // If the database cannot be read, the reader keeps its cursor and its heartbeat.
        await Promise.race([pauseFor(retryMs), closed]);
      }
    }
  };

  return {
    wake() {
      if (followers === 0) return;
      wakeUp.resolve();
      wakeUp = Promise.withResolvers();
    },
    notifyChange(what) {
      changes = { ...changes, [what]: changes[what] + 1 };
      this.wake();
    },
    async follow(stream, from, filter) {
      followers += 1;
      try {
        await run(stream, from, filter);
      } finally {
        followers -= 1;
        onFollowerLeft();
      }
    },
    followerCount: () => followers,
    disconnect() {
      ending.abort();
      ending = new AbortController();
    },
    close: () => ending.abort(),
    get ended() {
      return ending.signal;
    },
  };
}
