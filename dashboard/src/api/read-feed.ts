// Fetches a list of events for a page, then follows the feed from the point at which the list ends, so that no event is
// missed.
import { type Client, type FeedItem, KitError, type KitEvent, listEvents, streamFeed } from "@kit/contract";
import { type LiveFilter, toEventFilter } from "./event-filter.ts";
import { type FeedConnection, followFeed, retryDelayMs } from "./follow-feed.ts";

export const listedEventsMax = 200;
/** Items of the feed that arrive within this time update the page together. */
const batchMs = 50;

/** Waits `ms`. Ends early if the network is back or the tab becomes visible again. */
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

/** Delivers the first item at once, and those that follow within `batchMs` together. */
function createBatcher(deliver: (items: FeedItem[]) => void) {
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

export type ReadFeedOptions = {
  client: Client;
  filter: LiveFilter;
  /** Maximum events in the list that is fetched first. */
  limit?: number;
  signal: AbortSignal;
  onList: (events: readonly KitEvent[], more: boolean) => void;
  onItems: (items: FeedItem[]) => void;
  onConnection: (connection: FeedConnection) => void;
};

async function listWithRetry({ client, filter, limit = listedEventsMax, signal, onConnection }: ReadFeedOptions) {
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    try {
      return await client.call(listEvents, { query: { ...toEventFilter(filter), limit } });
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

/**
 * Lists events, then follows the feed. Starts over if the launcher no longer knows the point from which to continue.
 */
export async function readFeed(options: ReadFeedOptions): Promise<void> {
  const { client, filter, signal, onList, onItems } = options;
  let isCursorLost = true;
  while (isCursorLost && !signal.aborted) {
    isCursorLost = false;
    const list = await listWithRetry(options);
    if (list === undefined || signal.aborted) return;
    onList(list.events, list.more);
    await followFeed(
      {
        open: (lastEventId, inner) =>
          client.open(
            streamFeed,
            { query: toEventFilter(filter) },
            { signal: inner, headers: { "last-event-id": lastEventId } },
          ),
        onItem: createBatcher((items) => signal.aborted || onItems(items)),
        onConnection: (connection) => {
          if (connection.state === "ended" && connection.why === "cursor_lost") isCursorLost = true;
          if (!signal.aborted) options.onConnection(connection);
        },
        wait: waitOrWake,
        signal,
      },
      list.cursor,
    );
  }
}
