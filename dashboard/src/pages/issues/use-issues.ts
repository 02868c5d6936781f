// The issues as the launcher lists them. The list stays in its order while its rows change; the feed says when to ask again.
import { type Client, getIssue, type IssueDetail, issuesPageMax, KitError, listClips, listIssues } from "@kit/contract";
import { type InfiniteData, type QueryClient, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";
import { useClient } from "../../api/session-context.ts";
import { type IssueView, issueFiltersOf, isUnder } from "../../ui/issues/issue-view.ts";
import { type IssuePage, type ListedIssue, listedIssues } from "./issue-pages.ts";

const pageIssues = 50;
const clipsLooked = 100;

/** Not below `issues`, which the feed says to fetch again: the list would move under who reads it. */
const pagesKey = "issue-pages";
const listKey = ["issues", "list"];
const oneKey = ["issues", "one"];

/** What stands first in a view is short and comes whole; the rest comes page by page. */
async function fetchPage(client: Client, view: IssueView, limit: number, before?: string): Promise<IssuePage> {
  const filters = issueFiltersOf(view);
  const last = filters.at(-1) ?? {};
  const { sort } = view;
  const first = before === undefined ? filters.slice(0, -1) : [];
  const [page, ...whole] = await Promise.all([
    client.call(listIssues, { query: { ...last, sort, limit, ...(before === undefined ? {} : { before }) } }),
    ...first.map((filter) => client.call(listIssues, { query: { ...filter, sort, limit: issuesPageMax } })),
  ]);
  return {
    issues: [...whole.flatMap(({ issues }) => issues), ...page.issues],
    more: page.more,
    forgotten: page.forgotten,
  };
}

export function useIssueList(view: IssueView) {
  const client = useClient();
  const pages = useInfiniteQuery({
    queryKey: [pagesKey, view],
    queryFn: ({ pageParam: before }) => fetchPage(client, view, pageIssues, before),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.more ? page.issues.at(-1)?.id : undefined),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const loaded = pages.data?.pages ?? [];
  const limit = Math.min(loaded.length * pageIssues, issuesPageMax);
  const [first, second] = loaded;
  const now = useQuery({
    queryKey: [...listKey, view, limit],
    queryFn: () => fetchPage(client, view, limit),
    enabled: limit > 0,
    initialData: () => (second === undefined ? first : undefined),
    // The first page may have been answered before a change that nobody could be told of yet.
    staleTime: 0,
  });
  const isShown = (issue: ListedIssue) => issue.gone !== true && isUnder(view.tab, issue);
  const { rows, arrived } = listedIssues({ pages: loaded, now: now.data, sort: view.sort, isShown });
  const { refetch, isFetching } = pages;
  // Where nothing is shown, nothing can move.
  const isFirst = rows.length === 0 && arrived > 0 && !isFetching;
  useEffect(() => {
    if (isFirst) void refetch();
  }, [isFirst, refetch]);
  return { pages, rows, arrived, forgotten: now.data?.forgotten, error: pages.error ?? now.error };
}

/** Lists that nobody looks at are fetched anew when they are looked at again. */
export function useForgetLists(): () => void {
  const queryClient = useQueryClient();
  return useCallback(() => queryClient.removeQueries({ queryKey: [pagesKey], type: "inactive" }), [queryClient]);
}

/** Whether there is any issue at all: nothing open is news only then. */
export function useAnyIssue(enabled: boolean) {
  const client = useClient();
  return useQuery({
    queryKey: ["issues", "any"],
    queryFn: async () => (await client.call(listIssues, { query: { limit: 1 } })).issues.length > 0,
    enabled,
  });
}

export type ShownIssue = IssueDetail & {
  /** The report that was asked for is not kept; the newest is shown instead. */
  readonly isOther: boolean;
};

const isMissing = (error: unknown) => error instanceof KitError && error.code === "not_found";

export function useIssue(id: string, report: string | undefined) {
  const client = useClient();
  const ask = (query: { event?: string }) => client.call(getIssue, { params: { id }, query });
  return useQuery({
    queryKey: [...oneKey, id, report ?? null],
    queryFn: async (): Promise<ShownIssue> => {
      if (report === undefined) return { ...(await ask({})), isOther: false };
      try {
        return { ...(await ask({ event: report })), isOther: false };
      } catch (error) {
        if (!isMissing(error)) throw error;
        return { ...(await ask({})), isOther: true };
      }
    },
    placeholderData: (before, query) => (query?.queryKey[2] === id ? before : undefined),
  });
}

/** Events that are in one of the newest clips. */
export function useFilmed() {
  const client = useClient();
  return useQuery({
    queryKey: ["clips", "filmed"],
    queryFn: async () => {
      const { clips } = await client.call(listClips, { query: { kind: "clip", state: "saved", limit: clipsLooked } });
      return clips.flatMap(({ events, missing }) => (missing ? [] : events.map((event) => event.id)));
    },
  });
}

/** Changes an issue in every list and page that shows it, as the launcher answered. */
export function keepAnswer(queryClient: QueryClient, id: string, renew: (known: ListedIssue) => ListedIssue): void {
  const renewed = (page: IssuePage): IssuePage => ({
    ...page,
    issues: page.issues.map((known) => (known.id === id ? renew(known) : known)),
  });
  queryClient.setQueriesData<InfiniteData<IssuePage>>(
    { queryKey: [pagesKey] },
    (data) => data && { ...data, pages: data.pages.map(renewed) },
  );
  queryClient.setQueriesData<IssuePage>({ queryKey: listKey }, (page) => page && renewed(page));
  queryClient.setQueriesData<ShownIssue>(
    { queryKey: [...oneKey, id] },
    (shown) => shown && { ...shown, issue: renew(shown.issue) },
  );
}
