// Fetches a list of events, then follows the live feed from the point at which the list ends, so that no event is
// missed. Reconnects after silence or an error, and continues after the last item. Knows nothing of pages.
//
// A browser has six connections to a host, and each feed occupies one. So a hidden tab closes its feed, and catches up when
// it is shown.
import { type Client, type FeedItem, KitError, type KitEvent, listEvents, streamFeed } from "@kit/contract";
import { createParser } from "eventsource-parser";
import { type LiveFilter, toEventFilter } from "./address-filters.ts";

/** The launcher sends a comment every 15 s. If three are missing, the connection counts as dead. */
const silenceMsMax = 45_000;
const retryMsMin = 300;
const retryMsMax = 8_000;

export type FeedConnection =
  | { readonly state: "connecting" }
  | { readonly state: "live" }
  | { readonly state: "reconnecting"; readonly attempt: number }
  | { readonly state: "ended"; readonly why: "unauthorized" | "cursor_lost" };

type FeedDeps = {
  readonly page: Pick<Document, "visibilityState" | "addEventListener" | "removeEventListener">;
  /** Opens the stream. Its first item is the one after the item with this id. */
  open(lastEventId: string, signal: AbortSignal): Promise<Response>;
  onItem(item: FeedItem): void;
  onConnection(connection: FeedConnection): void;
  /** Resolves after `ms`, or as soon as a retry is likely to succeed, e.g. because the network is back. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  signal: AbortSignal;
  silenceMs?: number;
};

/**
 * Returns the delay before the next attempt. It grows exponentially up to a limit and is partly random, so that several
 * pages do not reconnect at the same moment.
 */
export function retryDelayMs(attempt: number, random: () => number = Math.random): number {
  const full = Math.min(retryMsMax, retryMsMin * 2 ** (attempt - 1));
  return full * (0.75 + random() / 4);
}

/** Returns the reason why no retry can help, or undefined if one can. */
function finalReason(error: unknown): "unauthorized" | "cursor_lost" | undefined {
  if (!(error instanceof KitError)) return undefined;
  if (error.code === "unauthorized") return "unauthorized";
  return error.code === "payload_invalid" || error.code === "not_found" ? "cursor_lost" : undefined;
}

/** Resolves as soon as the tab is shown or `signal` aborts. */
function untilShown({ page, signal }: FeedDeps): Promise<void> {
  return new Promise((resolve) => {
    const settled = new AbortController();
    const look = () => {
      if (page.visibilityState === "hidden" && !signal.aborted) return;
      settled.abort();
      resolve();
    };
    page.addEventListener("visibilitychange", look, { signal: settled.signal });
    signal.addEventListener("abort", look, { signal: settled.signal });
    look();
  });
}

/** Follows the feed from `cursor` until `signal` aborts, or until an answer shows that no retry can help. */
export async function followFeed(deps: FeedDeps, cursor: string): Promise<void> {
  let lastEventId = cursor;
  let attempt = 0;
  deps.onConnection({ state: "connecting" });
  while (!deps.signal.aborted) {
    await untilShown(deps);
    if (deps.signal.aborted) return;
    try {
      await readConnection(deps, lastEventId, {
        onOpen: () => {
          attempt = 0;
          deps.onConnection({ state: "live" });
        },
        onId: (id) => {
          lastEventId = id;
        },
      });
    } catch (error) {
      const why = finalReason(error);
      if (why) return deps.onConnection({ state: "ended", why });
    }
    if (deps.signal.aborted) return;
    if (deps.page.visibilityState === "hidden") continue;
    attempt += 1;
    deps.onConnection({ state: "reconnecting", attempt });
    await deps.wait(retryDelayMs(attempt), deps.signal);
  }
}

type Progress = { onOpen(): void; onId(id: string): void };

/** Reads from one connection until the launcher closes it, nothing arrives for too long, the tab is hidden, or `signal` aborts. */
async function readConnection(deps: FeedDeps, lastEventId: string, progress: Progress): Promise<void> {
  const ending = new AbortController();
  const signal = AbortSignal.any([deps.signal, ending.signal]);
  const onVisibility = () => deps.page.visibilityState === "hidden" && ending.abort();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restartSilenceTimer = () => {
    clearTimeout(timer);
    timer = setTimeout(() => ending.abort(), deps.silenceMs ?? silenceMsMax);
  };
  try {
    deps.page.addEventListener("visibilitychange", onVisibility);
    restartSilenceTimer();
    const response = await deps.open(lastEventId, signal);
    if (response.body === null) return;
    progress.onOpen();
    const parser = createParser({
      onEvent: ({ id, data }) => {
        deps.onItem(JSON.parse(data) as FeedItem);
        // The cursor advances only now: if handling the item fails, the launcher must send it again.
        if (id !== undefined) progress.onId(id);
      },
    });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      restartSilenceTimer();
      if (signal.aborted) return;
      parser.feed(part.value);
    }
  } finally {
    clearTimeout(timer);
    deps.page.removeEventListener("visibilitychange", onVisibility);
  }
}

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

type ReadFeedOptions = {
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
        page: document,
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
