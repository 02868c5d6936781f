// Follows the live feed for the Connect page: the first event since the page began to wait, or why a request was
// refused.
import { expectGame, type FeedItem, type KitEvent, listEvents, type Refusal } from "@kit/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useReducer, useState } from "react";
import { unfilteredEvents } from "../../api/address-filters.ts";
import { createChangeNotifier, refetchTopic } from "../../api/changes.ts";
import { emptyFeed, feedReducer } from "../../api/feed.ts";
import { type FeedConnection, readFeed } from "../../api/follow-feed.ts";
import { useSignInSession } from "../../api/session.ts";

export type Arrivals = {
  /** When the page began to wait, in ISO 8601. An earlier event does not count as the first one. */
  readonly since: string;
  /** The first event since the page began to wait, with its current state. */
  readonly event?: KitEvent;
  /** The newest refused request since the page began to wait; removed when an event arrives. */
  readonly refusal?: Refusal;
  /** The newest event from before the page began to wait. */
  readonly earlier?: KitEvent;
};

type ArrivalsAction =
  /** Stored events, newest first. */
  | { readonly type: "listed"; readonly events: readonly KitEvent[] }
  | { readonly type: "received"; readonly items: readonly FeedItem[] }
  | { readonly type: "again"; readonly since: string };

function addEvent(arrivals: Arrivals, event: KitEvent): Arrivals {
  if (arrivals.event !== undefined || event.receivedAt < arrivals.since) return arrivals;
  const { refusal: _, ...rest } = arrivals;
  return { ...rest, event };
}

function addList(arrivals: Arrivals, events: readonly KitEvent[]): Arrivals {
  const earlier = events.find(({ receivedAt }) => receivedAt < arrivals.since);
  const known = earlier === undefined ? arrivals : { ...arrivals, earlier };
  // Starts with the oldest, because the first event is the one that counts.
  return events.toReversed().reduce(addEvent, known);
}

function addItem(arrivals: Arrivals, item: FeedItem): Arrivals {
  switch (item.type) {
    case "event":
      return addEvent(arrivals, item.event);
    case "receipt": {
      const { event } = arrivals;
      return event?.id === item.id ? { ...arrivals, event: { ...event, state: item.entry.state } } : arrivals;
    }
    case "refusal":
      // A new feed begins with all refused requests that the launcher remembers, even those from before the page began
      // to wait.
      if (arrivals.event !== undefined || item.refusal.at < arrivals.since) return arrivals;
      return { ...arrivals, refusal: item.refusal };
    default:
      return arrivals;
  }
}

export function arrivalsReducer(arrivals: Arrivals, action: ArrivalsAction): Arrivals {
  switch (action.type) {
    case "listed":
      return addList(arrivals, action.events);
    case "received":
      return action.items.reduce(addItem, arrivals);
    case "again": {
      const earlier = arrivals.event ?? arrivals.earlier;
      return { since: action.since, ...(earlier === undefined ? {} : { earlier }) };
    }
  }
}

/** Ignores the failure of a background request: the feed continues and reports later events. */
const ignored = () => undefined;

/** The topics of the feed whose data the page shows besides events. */
const topics = ["origins", "games", "recorder", "storage"] as const;

const now = () => new Date().toISOString();

/** More often than the recorder stops waiting. */
const expectEveryMs = 30_000;

/** Keeps the recorder running while the page is seen and waits, so that the first moment of a game has footage. */
function useExpectGame(isWaiting: boolean) {
  const session = useSignInSession();
  useEffect(() => {
    if (!isWaiting) return;
    const expect = () => {
      if (document.visibilityState === "visible") session.client.call(expectGame).catch(ignored);
    };
    expect();
    const timer = setInterval(expect, expectEveryMs);
    return () => clearInterval(timer);
  }, [session, isWaiting]);
}

/** Follows the live feed while the Connect page is open, to see the first event arrive. */
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
      },
    });
    return () => {
      changes.stop();
      stop.abort();
    };
  }, [session, queryClient]);
  useExpectGame(connection.state === "live" && arrivals.event === undefined);
  const again = useCallback(() => dispatch({ type: "again", since: now() }), []);
  return { arrivals, rows: feed.rows, connection, again };
}
