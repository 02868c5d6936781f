// Announces changes from the feed at a limited rate: a clip in progress changes many times a second.
import type { FeedItem } from "@kit/contract";
import type { Query, QueryClient, QueryKey } from "@tanstack/react-query";

export type ChangeTopic = Extract<FeedItem, { type: "changed" }>["what"];

const everyMs = 250;

/**
 * Invalidates queries. A running fetch may have read the state before the change, but TanStack Query restarts only
 * fetches that already have data, so any other running fetch is followed by one more.
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

/** Refetches everything that depends on a topic. A new event id also changes the recording rules. */
export function refetchTopic(queryClient: QueryClient, what: ChangeTopic): void {
  invalidate(queryClient, [what]);
  // Timelines show clips, issues and posts. A running fetch of a timeline is not restarted.
  if (what === "clips" || what === "issues" || what === "posts")
    invalidate(queryClient, ["sessions", "timeline"], false);
  // The library counts clips, issues, posts and sessions. A running fetch is not restarted.
  if (what === "clips" || what === "issues" || what === "posts" || what === "sessions")
    invalidate(queryClient, ["games", "library"], false);
  if (what === "games") invalidate(queryClient, ["recorder", "rules"]);
}

export type ChangeNotifier = {
  /** Announces the changes among the items of a batch. */
  handleItems(items: readonly FeedItem[]): void;
  /** Announces topics that may have changed while the feed was disconnected. */
  notify(what: readonly ChangeTopic[]): void;
  stop(): void;
};

/** Announces the first change at once and bundles those that follow within `waitMs`. */
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
