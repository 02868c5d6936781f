// Follows the live feed while the Connect page is open, to see the first event arrive.
import { type FeedItem, listEvents } from "@kit/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useReducer, useState } from "react";
import { createChangeNotifier, refetchTopic } from "../../api/changes.ts";
import { unfilteredEvents } from "../../api/event-filter.ts";
import { emptyFeed, feedReducer } from "../../api/feed.ts";
import type { FeedConnection } from "../../api/follow-feed.ts";
import { readFeed } from "../../api/read-feed.ts";
import { useSignInSession } from "../../api/session-context.ts";
import { type Arrivals, arrivalsReducer } from "./arrivals.ts";

/** Ignores the failure of a background request: the feed continues and reports later events. */
const ignored = () => undefined;

/** The topics of the feed whose data the page shows besides events. */
const topics = ["origins", "games", "recorder", "demo", "storage"] as const;

const now = () => new Date().toISOString();

export function useArrivals() {
  const session = useSignInSession();
  const queryClient = useQueryClient();
  const [arrivals, dispatch] = useReducer(arrivalsReducer, undefined, (): Arrivals => ({ since: now() }));
  const [feed, dispatchFeed] = useReducer(feedReducer, emptyFeed);
  const [connection, setConnection] = useState<FeedConnection>({ state: "connecting" });
  useEffect(() => {
    const stop = new AbortController();
    const changes = createChangeNotifier((what) => refetchTopic(queryClient, what));
    const fetchNewest = async () => {
      const { events } = await session.client.call(listEvents, { query: { limit: 1 } });
      if (!stop.signal.aborted) dispatch({ type: "listed", events });
    };
    void readFeed({
      client: session.client,
      filter: unfilteredEvents,
      signal: stop.signal,
      onList: (events, more) => {
        dispatch({ type: "listed", events });
        dispatchFeed({ type: "loaded", events, more });
      },
      onItems: (items: FeedItem[]) => {
        dispatch({ type: "received", items });
        dispatchFeed({ type: "received", items });
        // Skipped events are never delivered, so the newest of them is fetched.
        if (items.some((item) => item.type === "skipped" && item.events > 0)) fetchNewest().catch(ignored);
        changes.handleItems(items);
      },
      onConnection: (next) => {
        setConnection(next);
        // Also at the first connection: data may have changed after the page fetched it and before the feed was open.
        if (next.state === "live") changes.notify(topics);
        if (next.state === "ended" && next.why === "unauthorized") session.end();
      },
    });
    return () => {
      changes.stop();
      stop.abort();
    };
  }, [session, queryClient]);
  const again = useCallback(() => dispatch({ type: "again", since: now() }), []);
  return { arrivals, rows: feed.rows, connection, again };
}
