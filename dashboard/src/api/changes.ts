// Fetches again what has changed. Passes on what the feed reports, at a limited rate: a clip in progress changes many
// times a second. Pages that show events pass on the items of their own feed; all others follow one for this.
import { changeTopics, type FeedItem } from "@kit/contract";
import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  noop,
  type Query,
  QueryClient,
  type QueryClientConfig,
  type QueryKey,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect } from "react";
import { unfilteredEvents } from "./address-filters.ts";
import { readFeed } from "./follow-feed.ts";
import { useSignInSession } from "./session.ts";

export type ChangeTopic = (typeof changeTopics)[number];

const everyMs = 250;
const keepRunning = { cancelRefetch: false };

/**
 * A query client that never keeps an old answer. TanStack Query restarts a running fetch only if the query has data, and
 * the answer of a running fetch replaces data that was set meanwhile. Here one more fetch follows in both cases.
 */
export class KitQueryClient extends QueryClient {
  constructor(config?: QueryClientConfig) {
    super(config);
    this.getQueryCache().subscribe((event) => {
      const isSet = event.type === "updated" && event.action.type === "success" && event.action.manual === true;
      if (!isSet || event.query.state.fetchStatus !== "fetching") return;
      const { fetchMeta: meta } = event.query.state;
      // What the running fetch was for, such as the next page, stays the same.
      void event.query.fetch(undefined, { cancelRefetch: true, ...(meta && { meta }) }).catch(noop);
    });
  }

  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters: InvalidateQueryFilters<Key> = {},
    options: InvalidateOptions = {},
  ): Promise<void> {
    const isRestarted = (query: Query) =>
      options.cancelRefetch !== false && query.state.data !== undefined && query.isActive();
    const running = this.getQueryCache().findAll({ ...filters, fetchStatus: "fetching" });
    const old: Query[] = running.filter((query) => !isRestarted(query));
    const refetched = super.invalidateQueries(filters, options);
    if (old.length === 0) return refetched;
    const fetchAgain = async (query: Query) => {
      await query.fetch().catch(noop);
      await super.invalidateQueries({ predicate: (one) => one === query }, { cancelRefetch: false });
    };
    await Promise.all([refetched, ...old.map(fetchAgain)]);
  }
}

/** Refetches everything that shows data of a topic, e.g. also the recording rules, because a new event id gets one. */
export function refetchTopic(queryClient: QueryClient, what: ChangeTopic): void {
  void queryClient.invalidateQueries({ queryKey: [what] });
  // Timelines show clips, issues and posts. They are long, so a running fetch of one is not restarted.
  if (what === "clips" || what === "issues" || what === "posts")
    void queryClient.invalidateQueries({ queryKey: ["sessions", "timeline"] }, keepRunning);
  // The library counts clips, issues, posts and sessions. A running fetch of it is not restarted.
  if (what === "clips" || what === "issues" || what === "posts" || what === "sessions")
    void queryClient.invalidateQueries({ queryKey: ["games", "library"] }, keepRunning);
  if (what === "games") void queryClient.invalidateQueries({ queryKey: ["recorder", "rules"] });
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
      onConnection: ({ state }) => {
        // Also at the first connection: data may have changed after the page fetched it and before the feed was open.
        if (state === "live") changes.notify(changeTopics);
      },
    });
    return () => {
      changes.stop();
      stop.abort();
    };
  }, [session, queryClient, everyMs]);
}
