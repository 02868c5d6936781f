// Follows the launcher's feed for as long as the Connect page is open.
import { type FeedItem, listEvents } from "@kit/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useReducer, useState } from "react";
import { createChanges, refetch } from "../../api/changes.ts";
import { everything } from "../../api/event-filter.ts";
import { emptyFeed, feedReducer } from "../../api/feed.ts";
import type { Connection } from "../../api/follow-feed.ts";
import { readFeed } from "../../api/read-feed.ts";
import { useSession } from "../../api/session-context.ts";
import { type Arrivals, arrivalsReducer } from "./arrivals.ts";

/** Of a list nobody asked for: the feed goes on. */
const ignored = () => undefined;

/** What the page shows beside events. */
const shown = ["origins", "games", "recorder", "demo", "keeping"] as const;

const now = () => new Date().toISOString();

export function useArrivals() {
  const session = useSession();
  const queryClient = useQueryClient();
  const [arrivals, dispatch] = useReducer(arrivalsReducer, undefined, (): Arrivals => ({ since: now() }));
  const [feed, dispatchFeed] = useReducer(feedReducer, emptyFeed);
  const [connection, setConnection] = useState<Connection>({ state: "connecting" });
  useEffect(() => {
    const stop = new AbortController();
    const changes = createChanges((what) => refetch(queryClient, what));
    const lookUp = async () => {
      const { events } = await session.client.call(listEvents, { query: { limit: 1 } });
      if (!stop.signal.aborted) dispatch({ type: "listed", events });
    };
    void readFeed({
      client: session.client,
      filter: everything,
      signal: stop.signal,
      onList: (events, more) => {
        dispatch({ type: "listed", events });
        dispatchFeed({ type: "loaded", events, more });
      },
      onItems: (items: FeedItem[]) => {
        dispatch({ type: "received", items });
        dispatchFeed({ type: "received", items });
        // A storm is not sent one by one; that something arrived has to be looked up.
        if (items.some((item) => item.type === "skipped" && item.events > 0)) lookUp().catch(ignored);
        changes.take(items);
      },
      onConnection: (next) => {
        setConnection(next);
        // The first time too: what the page asked for may have changed before anybody listened.
        if (next.state === "live") changes.missed(shown);
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
