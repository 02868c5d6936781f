// Reads the launcher for the Live page: the list, then the feed from where the list ended, without a gap.
import { type Client, type FeedItem, KitError, type KitEvent, listEvents, streamFeed } from "@kit/contract";
import { type LiveFilter, sourceOf } from "./event-filter.ts";
import { type Connection, followFeed, retryDelayMs } from "./follow-feed.ts";

export const listLimit = 200;
/** A storm of events becomes one change of the page at a time. */
const batchMs = 50;

/** Waits, but no longer than until the network or the tab comes back. */
function waitOrWake(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const settled = new AbortController();
    const done = () => {
      clearTimeout(timer);
      settled.abort();
      resolve();
    };
    const timer = setTimeout(done, ms);
    const listening = { signal: settled.signal };
    signal.addEventListener("abort", done, listening);
    window.addEventListener("online", done, listening);
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && done(), listening);
  });
}

/** Delivers the first item at once and what follows it within a moment together. */
function batching(deliver: (items: FeedItem[]) => void) {
  let waiting: FeedItem[] = [];
  let deliveredAtMs = 0;
  return (item: FeedItem) => {
    waiting.push(item);
    if (waiting.length > 1) return;
    const delayMs = Math.max(0, deliveredAtMs + batchMs - performance.now());
    setTimeout(() => {
      const items = waiting;
      waiting = [];
      deliveredAtMs = performance.now();
      deliver(items);
    }, delayMs);
  };
}

export type Reading = {
  client: Client;
  filter: LiveFilter;
  /** How many events the first list may hold. */
  limit?: number;
  signal: AbortSignal;
  onList: (events: readonly KitEvent[], more: boolean) => void;
  onItems: (items: FeedItem[]) => void;
  onConnection: (connection: Connection) => void;
};

async function listPatiently({ client, filter, limit = listLimit, signal, onConnection }: Reading) {
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    try {
      return await client.call(listEvents, { query: { ...sourceOf(filter), limit } });
    } catch (error) {
      if (signal.aborted) return undefined;
      if (error instanceof KitError && error.code === "unauthorized") {
        onConnection({ state: "ended", why: "unauthorized" });
        return undefined;
      }
      onConnection({ state: "reconnecting", attempt });
      await waitOrWake(retryDelayMs(attempt), signal);
    }
  }
  return undefined;
}

/** List, then follow; once more from the list when the launcher has lost the thread. */
export async function readFeed(given: Reading): Promise<void> {
  const { client, filter, signal, onList, onItems } = given;
  let lost = true;
  while (lost && !signal.aborted) {
    lost = false;
    const list = await listPatiently(given);
    if (list === undefined || signal.aborted) return;
    onList(list.events, list.more);
    await followFeed(
      {
        open: (lastEventId, inner) =>
          client.open(
            streamFeed,
            { query: sourceOf(filter) },
            { signal: inner, headers: { "last-event-id": lastEventId } },
          ),
        onItem: batching((items) => signal.aborted || onItems(items)),
        onConnection: (connection) => {
          if (connection.state === "ended" && connection.why === "cursor_lost") lost = true;
          if (!signal.aborted) given.onConnection(connection);
        },
        wait: waitOrWake,
        signal,
      },
      list.cursor,
    );
  }
}
