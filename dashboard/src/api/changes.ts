// Passes on what the feed reports as changed, at a limited rate: a clip in progress changes many times a second. Pages
// that show events pass on the items of their own feed; all others follow one for this.
import type { FeedItem } from "@kit/contract";
import { type Query, type QueryClient, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { unfilteredEvents } from "./address-filters.ts";
import { readFeed } from "./follow-feed.ts";
import { useSignInSession } from "./session.ts";

export type ChangeTopic = Extract<FeedItem, { type: "changed" }>["what"];

const everyMs = 250;

/**
 * Marks queries as outdated, so that TanStack Query fetches them again. If a query is being fetched already, that fetch
 * may have read the old state: TanStack Query restarts it only if the query has data. Otherwise one more fetch follows.
 */
function invalidate(queryClient: QueryClient, queryKey: QueryKey, cancelRefetch = true): void {
  const keepsRunning = ({ state }: Query) =>
    state.fetchStatus === "fetching" && !(cancelRefetch && state.data !== undefined);
  const runningQueries = new Set(queryClient.getQueryCache().findAll({ queryKey, predicate: keepsRunning }));
  void queryClient.invalidateQueries({ queryKey }, { cancelRefetch });
  if (runningQueries.size === 0) return;
  const predicate = (query: Query) => runningQueries.has(query);
  void Promise.allSettled([...runningQueries].map((query) => query.fetch())).then(() =>
    queryClient.invalidateQueries({ queryKey, predicate }, { cancelRefetch: false }),
  );
}

/** Refetches everything that shows data of a topic, e.g. also the recording rules, because a new event id gets one. */
export function refetchTopic(queryClient: QueryClient, what: ChangeTopic): void {
  invalidate(queryClient, [what]);
  // Timelines show clips, issues and posts. They are long, so a running fetch of one is not restarted.
  if (what === "clips" || what === "issues" || what === "posts")
    invalidate(queryClient, ["sessions", "timeline"], false);
  // The library counts clips, issues, posts and sessions. A running fetch of it is not restarted.
  if (what === "clips" || what === "issues" || what === "posts" || what === "sessions")
    invalidate(queryClient, ["games", "library"], false);
  if (what === "games") invalidate(queryClient, ["recorder", "rules"]);
}

type ChangeNotifier = {
  /** Announces what has changed according to a batch of items from the feed. */
  handleItems(items: readonly FeedItem[]): void;
  /** Announces topics that may have changed without a message of the feed, e.g. while it was disconnected. */
  notify(what: readonly ChangeTopic[]): void;
  stop(): void;
};

/** Announces the first topic at once. Collects those that follow within `waitMs`, then announces each once. */
export function createChangeNotifier(onChange: (what: ChangeTopic) => void, waitMs: number = everyMs): ChangeNotifier {
  const waiting = new Set<ChangeTopic>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    if (waiting.size === 0) return;
    for (const what of waiting) onChange(what);
    waiting.clear();
    timer = setTimeout(flush, waitMs);
  };
  const add = (what: readonly ChangeTopic[]) => {
    for (const each of what) waiting.add(each);
    if (timer === undefined) flush();
  };
  return {
    handleItems: (items) => add(items.flatMap((item) => (item.type === "changed" ? [item.what] : []))),
    notify: add,
    stop: () => clearTimeout(timer),
  };
}

const all: readonly ChangeTopic[] = [
  "clips",
  "recorder",
  "games",
  "origins",
  "issues",
  "notices",
  "posts",
  "accounts",
  "sessions",
  "storage",
  "demo",
];

/** `everyMs`: minimum time between two refetches of the same data; 250 ms unless given. */
export function useChanges(everyMs?: number): void {
  const session = useSignInSession();
  const queryClient = useQueryClient();
  useEffect(() => {
    const stop = new AbortController();
    const changes = createChangeNotifier((what) => refetchTopic(queryClient, what), everyMs);
    void readFeed({
      client: session.client,
      filter: unfilteredEvents,
      limit: 1,
      signal: stop.signal,
      onList: () => undefined,
      onItems: changes.handleItems,
      onConnection: ({ state, ...rest }) => {
        if (state === "ended" && "why" in rest && rest.why === "unauthorized") session.end();
        // Also at the first connection: data may have changed after the page fetched it and before the feed was open.
        if (state === "live") changes.notify(all);
      },
    });
    return () => {
      changes.stop();
      stop.abort();
    };
  }, [session, queryClient, everyMs]);
}
