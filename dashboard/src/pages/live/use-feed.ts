// The Live page's data, for as long as the page is open and anew for every filter.
import { type FeedItem, listEvents } from "@kit/contract";
import { useQueryClient } from "@tanstack/react-query";
import { type Dispatch, useCallback, useEffect, useMemo, useReducer, useState } from "react";
import { createChanges, refetch } from "../../api/changes.ts";
import { type LiveFilter, sourceOf } from "../../api/event-filter.ts";
import { emptyFeed, type Feed, type FeedAction, feedReducer } from "../../api/feed.ts";
import type { Connection } from "../../api/follow-feed.ts";
import { listLimit, readFeed } from "../../api/read-feed.ts";
import { useClient, useSession } from "../../api/session-context.ts";
import { useGames } from "../../api/use-games.ts";

/** A new game sends many ids for the first time at once. */
const refreshDelayMs = 500;

/** Of a list nobody asked for: the feed goes on, and the next change fetches it again. */
const ignored = () => undefined;

export function useFeed(filter: LiveFilter) {
  const [feed, dispatch] = useReducer(feedReducer, emptyFeed);
  const { game, kind } = filter;
  // Only what the launcher applies: words typed into the filter must not open the feed anew.
  const source = useMemo(
    (): LiveFilter => ({ ...(game ? { game } : {}), ...(kind ? { kind } : {}), refusals: "shown" }),
    [game, kind],
  );
  const lists = useLists(source, feed, dispatch);
  // Events of other games may have been filed under this one: then the list is another.
  const reading = useReading(source, dispatch, source.game ? lists.refresh : lists.file);

  const rules = useGames().data?.rules;
  useEffect(() => {
    if (rules) dispatch({ type: "refiled", rules, filter: source });
  }, [rules, source]);

  const setPaused = useCallback((paused: boolean) => dispatch({ type: paused ? "paused" : "resumed" }), []);
  return { feed, setPaused, ...reading, ...lists };
}

/** Lists a person asks for: what was skipped, and what is older. */
function useLists(source: LiveFilter, feed: Feed, dispatch: Dispatch<FeedAction>) {
  const client = useClient();
  const refresh = useCallback(async () => {
    const list = await client.call(listEvents, { query: { ...sourceOf(source), limit: listLimit } });
    dispatch({ type: "refreshed", events: list.events, more: list.more });
  }, [client, source, dispatch]);

  const file = useCallback(async () => {
    const { events } = await client.call(listEvents, { query: { ...sourceOf(source), limit: listLimit } });
    dispatch({ type: "filed", events });
  }, [client, source, dispatch]);

  const oldest = feed.rows.findLast((row) => row.type === "event")?.key;
  const loadOlder = useCallback(async () => {
    const before = oldest === undefined ? {} : { before: oldest };
    const list = await client.call(listEvents, { query: { ...sourceOf(source), ...before, limit: listLimit } });
    dispatch({ type: "older", events: list.events, more: list.more });
  }, [client, source, oldest, dispatch]);
  return { refresh, file, loadOlder };
}

/** Keeps the feed open, and tells the other parts of the page what it says has changed. */
function useReading(source: LiveFilter, dispatch: Dispatch<FeedAction>, fileAnew: () => Promise<void>) {
  const session = useSession();
  const queryClient = useQueryClient();
  const [connection, setConnection] = useState<Connection>({ state: "connecting" });
  const [loaded, setLoaded] = useState(false);

  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onGamesChanged = () => {
      refetch(queryClient, "games");
      fileAnew().catch(ignored);
    };
    const changes = createChanges((what) => {
      if (what !== "games") return refetch(queryClient, what);
      clearTimeout(timer);
      timer = setTimeout(onGamesChanged, refreshDelayMs);
    });
    dispatch({ type: "narrowed", filter: source });
    void readFeed({
      client: session.client,
      filter: source,
      signal: stop.signal,
      onList: (events, more) => {
        dispatch({ type: "loaded", events, more });
        setLoaded(true);
      },
      onItems: (items: FeedItem[]) => {
        dispatch({ type: "received", items });
        changes.take(items);
      },
      onConnection: (next) => {
        setConnection(next);
        if (next.state === "ended" && next.why === "unauthorized") session.end();
        // Whatever broke the feed may show in the launcher's health.
        if (next.state === "reconnecting") void queryClient.invalidateQueries({ queryKey: ["health"] });
      },
    });
    return () => {
      clearTimeout(timer);
      changes.stop();
      stop.abort();
    };
  }, [session, queryClient, source, dispatch, fileAnew]);
  return { connection, loaded };
}
