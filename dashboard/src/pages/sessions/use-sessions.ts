// Sessions as the launcher lists them, and the parts of one's timeline; fetched again whenever the feed says they changed.
import { type Client, type Clip, getClip, getTimeline, KitError, listSessions, type Timeline } from "@kit/contract";
import { type UseQueryResult, useInfiniteQuery, useQueries } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useClient } from "../../api/session-context.ts";
import { bestFirst } from "./session-texts.ts";
import type { SessionView } from "./session-view.ts";

const pageSessions = 30;

export function useSessionList(view: SessionView) {
  const client = useClient();
  return useInfiniteQuery({
    queryKey: ["sessions", "list", view],
    queryFn: ({ pageParam: before }) =>
      client.call(listSessions, {
        query: { ...view, limit: pageSessions, ...(before === undefined ? {} : { before }) },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.more ? page.sessions.at(-1)?.id : undefined),
  });
}

/** A part that others follow stays as it is until the page is opened anew: it is large, and the game comes first. */
const partOf = (client: Client, id: string, after: string | undefined) => ({
  queryKey: ["sessions", "timeline", id, after ?? null],
  queryFn: () => client.call(getTimeline, { params: { id }, query: after === undefined ? {} : { after } }),
  staleTime: (query: { state: { data: Timeline | undefined } }) =>
    query.state.data && query.state.data.until !== null ? ("static" as const) : 0,
  gcTime: 0,
  retry: (failures: number, error: Error) => failures < 2 && !(error instanceof KitError),
});

// One function each, or what they give would be made anew with every drawing.
const joined = (results: readonly UseQueryResult<Timeline>[]) => ({
  parts: results.flatMap(({ data }) => data ?? []),
  error: results.find((result) => result.error !== null)?.error ?? undefined,
  isFetching: results.some((result) => result.isFetching),
});
const best = (results: readonly UseQueryResult<Clip>[]) => bestFirst(results.flatMap(({ data }) => data ?? []));

/** The beginning of a timeline, and the parts behind it that were asked for. */
export function useTimeline(id: string) {
  const client = useClient();
  const [asked, setAsked] = useState<readonly (string | undefined)[]>([undefined]);
  const { parts, error, isFetching } = useQueries({
    queries: asked.map((after) => partOf(client, id, after)),
    combine: joined,
  });
  const until = parts.length === asked.length ? (parts.at(-1)?.until ?? undefined) : undefined;
  const more = useCallback(() => {
    if (until !== undefined) setAsked((before) => [...before, until]);
  }, [until]);
  return { parts, error, isFetching, more: until === undefined ? undefined : more };
}

/** The best of these clips, best first; of those that can no longer be had, none. */
export function useBestClips(ids: readonly string[]) {
  const client = useClient();
  return useQueries({
    queries: ids.map((id) => ({
      queryKey: ["clips", "one", id],
      queryFn: () => client.call(getClip, { params: { id } }),
      retry: false,
    })),
    combine: best,
  });
}
