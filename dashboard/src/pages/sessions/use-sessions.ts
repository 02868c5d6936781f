// Queries for sessions, parts of a timeline, and clips.
import { type Client, type Clip, getClip, getTimeline, listSessions, type Timeline } from "@kit/contract";
import { type UseQueryResult, useInfiniteQuery, useQueries } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useClient } from "../../api/session-context.ts";
import { sortBestClipsFirst } from "./session-highlights.ts";
import type { SessionView } from "./session-view.ts";

const pageSize = 30;

export function useSessionList(view: SessionView) {
  const client = useClient();
  return useInfiniteQuery({
    queryKey: ["sessions", "list", view],
    queryFn: ({ pageParam: before }) =>
      client.call(listSessions, {
        query: { ...view, limit: pageSize, ...(before === undefined ? {} : { before }) },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.more ? page.sessions.at(-1)?.id : undefined),
  });
}

/**
 * A part of the timeline that is followed by another one is fetched only once: refetching large parts would slow down
 * the game.
 */
const timelineQuery = (client: Client, id: string, after: string | undefined) => ({
  queryKey: ["sessions", "timeline", id, after ?? null],
  queryFn: () => client.call(getTimeline, { params: { id }, query: after === undefined ? {} : { after } }),
  staleTime: (query: { state: { data: Timeline | undefined } }) =>
    query.state.data && query.state.data.until !== null ? ("static" as const) : 0,
  gcTime: 0,
});

// Defined outside the component: TanStack Query would take a new function at each render for a new result.
const combineParts = (results: readonly UseQueryResult<Timeline>[]) => ({
  parts: results.flatMap(({ data }) => data ?? []),
  error: results.find((result) => result.error !== null)?.error ?? undefined,
  isFetching: results.some((result) => result.isFetching),
});
const combineClips = (results: readonly UseQueryResult<Clip>[]) =>
  sortBestClipsFirst(results.flatMap(({ data }) => data ?? []));

/** Fetches a timeline in parts, one after another. */
export function useTimeline(id: string) {
  const client = useClient();
  const [starts, setStarts] = useState<readonly (string | undefined)[]>([undefined]);
  const { parts, error, isFetching } = useQueries({
    queries: starts.map((after) => timelineQuery(client, id, after)),
    combine: combineParts,
  });
  const until = parts.length === starts.length ? (parts.at(-1)?.until ?? undefined) : undefined;
  const more = useCallback(() => {
    if (until !== undefined) setStarts((before) => [...before, until]);
  }, [until]);
  return { parts, error, isFetching, more: until === undefined ? undefined : more };
}

/** Fetches clips and sorts the best first. Clips that no longer exist are left out. */
export function useBestClips(ids: readonly string[]) {
  const client = useClient();
  return useQueries({
    queries: ids.map((id) => ({
      queryKey: ["clips", "one", id],
      queryFn: () => client.call(getClip, { params: { id } }),
      retry: false,
    })),
    combine: combineClips,
  });
}
