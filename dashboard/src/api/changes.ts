// What the feed says has changed, handed on at a calm pace: a clip in the making changes many times a second.
import type { FeedItem } from "@kit/contract";
import type { Query, QueryClient, QueryKey } from "@tanstack/react-query";

export type Changed = Extract<FeedItem, { type: "changed" }>["what"];

const everyMs = 250;

/**
 * A fetch under way may have been answered before the change. TanStack Query begins it anew only where something was fetched
 * before, and where it may be cancelled; any other is followed by one more.
 */
function fetchAgain(queryClient: QueryClient, queryKey: QueryKey, cancelRefetch = true): void {
  const goesOn = ({ state }: Query) => state.fetchStatus === "fetching" && !(cancelRefetch && state.data !== undefined);
  const underWay = new Set(queryClient.getQueryCache().findAll({ queryKey, predicate: goesOn }));
  void queryClient.invalidateQueries({ queryKey }, { cancelRefetch });
  if (underWay.size === 0) return;
  const predicate = (query: Query) => underWay.has(query);
  void Promise.allSettled([...underWay].map((query) => query.fetch())).then(() =>
    queryClient.invalidateQueries({ queryKey, predicate }, { cancelRefetch: false }),
  );
}

/** What has to be fetched again. A new event id is news of games, and brings a recording rule with it. */
export function refetch(queryClient: QueryClient, what: Changed): void {
  fetchAgain(queryClient, [what]);
  // What became of a session's moments is told by whoever made it; a timeline that is being fetched is not asked for twice.
  if (what === "clips" || what === "issues" || what === "posts")
    fetchAgain(queryClient, ["sessions", "timeline"], false);
  // A game's counts are of what others make; a library that is being fetched is not asked for twice.
  if (what === "clips" || what === "issues" || what === "posts" || what === "sessions")
    fetchAgain(queryClient, ["games", "library"], false);
  if (what === "games") fetchAgain(queryClient, ["recorder", "rules"]);
}

export type Changes = {
  /** Looks through a batch of the feed. */
  take(items: readonly FeedItem[]): void;
  /** Says everything that may have changed while nobody listened. */
  missed(what: readonly Changed[]): void;
  stop(): void;
};

/** Tells of a first change at once, and of those that follow it together. */
export function createChanges(tell: (what: Changed) => void, waitMs: number = everyMs): Changes {
  const waiting = new Set<Changed>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    if (waiting.size === 0) return;
    for (const what of waiting) tell(what);
    waiting.clear();
    timer = setTimeout(flush, waitMs);
  };
  const add = (what: readonly Changed[]) => {
    for (const each of what) waiting.add(each);
    if (timer === undefined) flush();
  };
  return {
    take: (items) => add(items.flatMap((item) => (item.type === "changed" ? [item.what] : []))),
    missed: add,
    stop: () => clearTimeout(timer),
  };
}
