// The data of the Sessions page: the filter in its address, its queries, and what the summary of a session lists.
import { type Client, getTimeline, listSessions, type Timeline, type TimelineEntry } from "@kit/contract";
import { type UseQueryResult, useInfiniteQuery, useQueries } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { fragmentQuery } from "../../api/address-filters.ts";
import { useClient } from "../../api/session.ts";
import type { TimelineItem } from "./timeline/session-items.ts";

export type SessionView = { readonly game?: string };

/** Parses the filter of an address, e.g. `#/sessions?game=saga`. */
export function parseSessionView(fragment: string): SessionView {
  const game = fragmentQuery(fragment).get("game");
  return game ? { game } : {};
}

/** Returns the view as an address query, which `parseSessionView` and `openItemFromAddress` can read. */
export function toSessionQuery({ game }: SessionView, open?: string): string {
  const query = new URLSearchParams();
  if (game) query.set("game", game);
  if (open) query.set("at", open);
  return query.toString();
}

/** Returns the id of the event or clip that an address opens. */
export const openItemFromAddress = (fragment: string): string | undefined =>
  fragmentQuery(fragment).get("at") || undefined;

type SessionIssue = { readonly entry: TimelineEntry; readonly count: number };

/** Returns one entry for each issue with the number of its errors, the most frequent first. */
export function errorsByIssue(items: readonly TimelineItem[]): SessionIssue[] {
  const byIssue = new Map<string, SessionIssue>();
  for (const { entry } of items) {
    if (entry?.kind !== "monitor") continue;
    const of = entry.issue ?? entry.label;
    const before = byIssue.get(of);
    byIssue.set(of, { entry: before?.entry ?? entry, count: (before?.count ?? 0) + entry.count });
  }
  return [...byIssue.values()].sort((a, b) => b.count - a.count);
}

export const postEntries = (items: readonly TimelineItem[]): TimelineEntry[] =>
  items.flatMap(({ entry }) => (entry?.kind === "social" && entry.post !== null ? [entry] : []));

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
