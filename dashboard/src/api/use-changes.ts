// Refetches what the feed reports as changed, for pages that show no events.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { type ChangeTopic, createChangeNotifier, refetchTopic } from "./changes.ts";
import { unfilteredEvents } from "./event-filter.ts";
import { readFeed } from "./read-feed.ts";
import { useSignInSession } from "./session-context.ts";

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
