// The data of the Live page: follows the feed, starts again when the filter changes, and tells screen readers of new rows.
import { changeTopics, type FeedItem, listEvents } from "@kit/contract";
import { useQueryClient } from "@tanstack/react-query";
import { type Dispatch, useCallback, useEffect, useMemo, useReducer, useRef, useState } from "react";
import { type LiveFilter, toEventFilter } from "../../api/address-filters.ts";
import { createChangeNotifier, refetchTopic } from "../../api/changes.ts";
import { emptyFeed, type FeedAction, type FeedState, feedReducer } from "../../api/feed.ts";
import { type FeedConnection, listedEventsMax, readFeed } from "../../api/follow-feed.ts";
import { useClient, useSignInSession } from "../../api/session.ts";
import { useGames } from "../../api/use-games.ts";
import { t } from "../../language/language.ts";

/** How long a refetch waits for further changes: a new game sends many event ids at once. */
const refreshDelayMs = 500;

/** Ignores the failure of a background request: the feed continues, and the next change causes another request. */
const ignored = () => undefined;

export function useFeed(filter: LiveFilter) {
  const [feed, dispatch] = useReducer(feedReducer, emptyFeed);
  const { game, kind } = filter;
  // Contains only the filters that the launcher applies, so that the feed does not restart while a person types a
  // search.
  const source = useMemo(
    (): LiveFilter => ({ ...(game ? { game } : {}), ...(kind ? { kind } : {}), refusals: "shown" }),
    [game, kind],
  );
  const lists = useLists(source, feed, dispatch);
  // If the page shows one game, events of other games may now belong to it, so the list is fetched again as a whole.
  const reading = useReading(source, dispatch, source.game ? lists.refresh : lists.fetchGames);

  const rules = useGames().data?.rules;
  useEffect(() => {
    if (rules) dispatch({ type: "rulesChanged", rules, filter: source });
  }, [rules, source]);

  const setPaused = useCallback((paused: boolean) => dispatch({ type: paused ? "paused" : "resumed" }), []);
  return { feed, setPaused, ...reading, ...lists };
}

/** Returns the functions that fetch skipped events, changed games and older events. */
function useLists(source: LiveFilter, feed: FeedState, dispatch: Dispatch<FeedAction>) {
  const client = useClient();
  const refresh = useCallback(async () => {
    const list = await client.call(listEvents, { query: { ...toEventFilter(source), limit: listedEventsMax } });
    dispatch({ type: "refreshed", events: list.events, more: list.more });
  }, [client, source, dispatch]);

  const fetchGames = useCallback(async () => {
    const { events } = await client.call(listEvents, { query: { ...toEventFilter(source), limit: listedEventsMax } });
    dispatch({ type: "gamesFound", events });
  }, [client, source, dispatch]);

  const oldest = feed.rows.findLast((row) => row.type === "event")?.key;
  const loadOlder = useCallback(async () => {
    const before = oldest === undefined ? {} : { before: oldest };
    const list = await client.call(listEvents, {
      query: { ...toEventFilter(source), ...before, limit: listedEventsMax },
    });
    dispatch({ type: "older", events: list.events, more: list.more });
  }, [client, source, oldest, dispatch]);
  return { refresh, fetchGames, loadOlder };
}

/** Follows the feed, and fetches again what the feed reports as changed. */
function useReading(source: LiveFilter, dispatch: Dispatch<FeedAction>, refetch: () => Promise<void>) {
  const session = useSignInSession();
  const queryClient = useQueryClient();
  const [connection, setConnection] = useState<FeedConnection>({ state: "connecting" });
  const [loaded, setLoaded] = useState(false);

  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onGamesChanged = () => {
      refetchTopic(queryClient, "games");
      refetch().catch(ignored);
    };
    const changes = createChangeNotifier((what) => {
      if (what !== "games") return refetchTopic(queryClient, what);
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
        changes.handleItems(items);
      },
      onConnection: (next) => {
        setConnection(next);
        // Data may have changed while the feed was closed.
        if (next.state === "live") changes.notify(changeTopics);
        // The launcher's health may explain why the connection was lost.
        if (next.state === "reconnecting") void queryClient.invalidateQueries({ queryKey: ["health"] });
      },
    });
    return () => {
      clearTimeout(timer);
      changes.stop();
      stop.abort();
    };
  }, [session, queryClient, source, dispatch, refetch]);
  return { connection, loaded };
}

const announceEveryMs = 10_000;

/** Says how many rows arrived from `before` to `now`. Returns an empty text if none did. */
export function announcementText(before: FeedState["arrived"], now: FeedState["arrived"]): string {
  const events = now.events - before.events;
  const refusals = now.refusals - before.refusals;
  return [
    ...(events === 0 ? [] : [t("{{count}} new events", { count: events, defaultValue_one: "{{count}} new event" })]),
    ...(refusals === 0
      ? []
      : [t("{{count}} requests refused", { count: refusals, defaultValue_one: "{{count}} request refused" })]),
  ].join(", ");
}

/** Returns what a screen reader says about the newest rows, at most every 10 s. */
export function useAnnouncement(arrived: FeedState["arrived"]): string {
  const newest = useRef(arrived);
  newest.current = arrived;
  const [said, setSaid] = useState("");
  useEffect(() => {
    let before = newest.current;
    const timer = setInterval(() => {
      const says = announcementText(before, newest.current);
      before = newest.current;
      if (says !== "") setSaid(says);
    }, announceEveryMs);
    return () => clearInterval(timer);
  }, []);
  return said;
}
