// The live feed: each reader follows the journal by a cursor of its own, so a reconnect is the same as going on.
import type { EventFilter, FeedItem, Refusal } from "@kit/contract";
import type { EventStream } from "../http/event-stream.ts";
import { briefly } from "./inbox.ts";
import type { InboxStore } from "./inbox-store.ts";

const pageMax = 100;
/** A reader further behind than this is told how much it missed instead of being sent all of it. */
const behindMax = 500;
/** Under load a reader gets a page this often; when it is quiet, at once. */
const pageEveryMs = 100;
const retryMs = 1_000;

/** Places in the journal, in the receipts and in the refusals. */
export type Cursor = { readonly event: number; readonly receipt: number; readonly refusal: number };

export const writeCursor = ({ event, receipt, refusal }: Cursor): string => `${event}-${receipt}-${refusal}`;

/** Undefined for anything that is not a cursor. */
export function readCursor(text: string | undefined): Cursor | undefined {
  const parts = /^(\d{1,15})-(\d{1,15})-(\d{1,16})$/.exec(text ?? "");
  return parts === null ? undefined : { event: Number(parts[1]), receipt: Number(parts[2]), refusal: Number(parts[3]) };
}

const lists = [
  ...(["origins", "games", "clips", "recorder", "issues", "notices", "posts", "accounts", "sessions"] as const),
  ...(["keeping", "demo"] as const),
] as const;
type Changes = Readonly<Record<(typeof lists)[number], number>>;

export type FeedNeeds = {
  readonly journal: Pick<InboxStore, "after" | "statesAfter" | "ends">;
  readonly refusalsSince: (after: number) => readonly Refusal[];
  /** One who followed has gone. */
  readonly onLeft: () => void;
};

export type Feed = {
  /** Something may be new. Cheap to call for every event. */
  wake(): void;
  /** The list of origins, games, clips, issues or notices changed, or what the recorder says of itself. */
  changed(what: keyof Changes): void;
  /** Sends to `stream` until it closes. Without a cursor it begins now. */
  follow(stream: EventStream, from: Cursor | undefined, filter: EventFilter): Promise<void>;
  /** How many follow. */
  followers(): number;
  /** Sends every follower away. */
  end(): void;
  readonly ended: AbortSignal;
};

const fits = (item: FeedItem, { kind, game }: EventFilter): boolean => {
  if (item.type === "refusal") return kind === undefined || (item.refusal.kind ?? kind) === kind;
  if (item.type !== "event") return true;
  const wantedGame = game === undefined || (item.event.game ?? "unsorted") === game;
  return wantedGame && (kind === undefined || item.event.kind === kind);
};

const pauseFor = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export function createFeed({ journal, refusalsSince, onLeft }: FeedNeeds): Feed {
  let changes = Object.fromEntries(lists.map((what) => [what, 0])) as Changes;
  let wakeUp = Promise.withResolvers<void>();
  let followers = 0;
  const ending = new AbortController();

  /** One page from `at`: what to send, each with the cursor that stands behind it. */
  async function* page(at: Cursor): AsyncGenerator<{ item: FeedItem; cursor: Cursor }> {
    let cursor = at;
    const ends = await journal.ends();
    // A backup was restored: the places beyond its end will be used again.
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
    for (const { seq, event } of (await journal.after(cursor.event, null, pageMax)).entries) {
      cursor = { ...cursor, event: seq };
      yield { item: { type: "event", event: briefly(event) }, cursor };
    }
    for (const { seq, id, entry } of await journal.statesAfter(cursor.receipt, pageMax)) {
      cursor = { ...cursor, receipt: seq };
      yield { item: { type: "receipt", id, entry }, cursor };
    }
    for (const refusal of refusalsSince(cursor.refusal)) {
      cursor = { ...cursor, refusal: refusal.number };
      yield { item: { type: "refusal", refusal }, cursor };
    }
  }

  const sendPage = async (stream: EventStream, at: Cursor, filter: EventFilter): Promise<Cursor> => {
    let reached = at;
    for await (const { item, cursor } of page(at)) {
      reached = cursor;
      if (fits(item, filter)) await stream.send({ type: item.type, id: writeCursor(cursor), data: item });
    }
    return reached;
  };
  const sendChanges = async (stream: EventStream, seen: Changes, at: Cursor) => {
    // As it is now: what changes while this is being sent is told the next time.
    const told = changes;
    for (const what of lists) {
      if (seen[what] === told[what]) continue;
      await stream.send({ type: "changed", id: writeCursor(at), data: { type: "changed", what } satisfies FeedItem });
    }
    return told;
  };

  const run = async (stream: EventStream, from: Cursor | undefined, filter: EventFilter) => {
    let at = from;
    let seen = changes;
    const closed = new Promise<void>((resolve) => stream.closed.addEventListener("abort", () => resolve()));
    while (!stream.closed.aborted) {
      const woken = wakeUp.promise;
      const beganAtMs = performance.now();
      try {
        at ??= { ...(await journal.ends()), refusal: 0 };
        const reached = await sendPage(stream, at, filter);
        const more = reached.event > at.event || reached.receipt > at.receipt;
        at = reached;
        seen = await sendChanges(stream, seen, at);
        if (!more) await Promise.race([woken, closed]);
        await pauseFor(Math.max(0, beganAtMs + pageEveryMs - performance.now()));
      } catch {
        // The storage cannot be read now: the reader keeps its place and its heartbeat.
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
    changed(what) {
      changes = { ...changes, [what]: changes[what] + 1 };
      this.wake();
    },
    async follow(stream, from, filter) {
      followers += 1;
      try {
        await run(stream, from, filter);
      } finally {
        followers -= 1;
        onLeft();
      }
    },
    followers: () => followers,
    end: () => ending.abort(),
    ended: ending.signal,
  };
}
