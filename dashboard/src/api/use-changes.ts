// Follows the feed for a page that shows no events: it only wants to know what to fetch again.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { type Changed, createChanges, refetch } from "./changes.ts";
import { everything } from "./event-filter.ts";
import { readFeed } from "./read-feed.ts";
import { useSession } from "./session-context.ts";

const all: readonly Changed[] = [
  "clips",
  "recorder",
  "games",
  "origins",
  "issues",
  "notices",
  "posts",
  "accounts",
  "sessions",
  "keeping",
  "demo",
];

/** `everyMs`: no more often than that; the usual pace when left out. */
export function useChanges(everyMs?: number): void {
  const session = useSession();
  const queryClient = useQueryClient();
  useEffect(() => {
    const stop = new AbortController();
    const changes = createChanges((what) => refetch(queryClient, what), everyMs);
    void readFeed({
      client: session.client,
      filter: everything,
      limit: 1,
      signal: stop.signal,
      onList: () => undefined,
      onItems: changes.take,
      onConnection: ({ state, ...rest }) => {
        if (state === "ended" && "why" in rest && rest.why === "unauthorized") session.end();
        // The first time too: the page asked for what it shows before anybody listened.
        if (state === "live") changes.missed(all);
      },
    });
    return () => {
      changes.stop();
      stop.abort();
    };
  }, [session, queryClient, everyMs]);
}
