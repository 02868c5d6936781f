// Follows the feed for a page that shows no events: it only wants to know what to fetch again.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useSession } from "../session/session-context.ts";
import { type Changed, createChanges, refetch } from "./changes.ts";
import { everything } from "./filter.ts";
import { readFeed } from "./read-feed.ts";

const all: readonly Changed[] = ["clips", "recorder", "games", "origins"];

export function useChanges(): void {
  const session = useSession();
  const queryClient = useQueryClient();
  useEffect(() => {
    const stop = new AbortController();
    const changes = createChanges((what) => refetch(queryClient, what));
    let broken = false;
    void readFeed({
      client: session.client,
      filter: everything,
      limit: 1,
      signal: stop.signal,
      onList: () => undefined,
      onItems: changes.take,
      onConnection: ({ state, ...rest }) => {
        if (state === "ended" && "why" in rest && rest.why === "unauthorized") session.end();
        if (state === "reconnecting") broken = true;
        if (state !== "live" || !broken) return;
        broken = false;
        changes.missed(all);
      },
    });
    return () => {
      changes.stop();
      stop.abort();
    };
  }, [session, queryClient]);
}
