// Queries for issues and their lists. A loaded list keeps its order while its rows change.
import {
  type Client,
  getIssue,
  type Issue,
  type IssueDetail,
  type IssueSort,
  issuesPageMax,
  KitError,
  listClips,
  listIssues,
} from "@kit/contract";
import { type InfiniteData, type QueryClient, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";
import { useClient } from "../../api/session.ts";
import { belongsToTab, type IssueView, toIssueFilters } from "./issue-view.ts";

const pageSize = 50;
const checkedClipsMax = 100;

/** Not part of the key `issues`, which the feed invalidates: a refetch would move the rows that a person is reading. */
const pagesQueryKey = "issue-pages";
const listQueryKey = ["issues", "list"];
const issueQueryKey = ["issues", "one"];

/**
 * Fetches one page of a view. Of the filters that a view may combine, all but the last match few issues and are fetched
 * whole.
 */
async function fetchPage(client: Client, view: IssueView, limit: number, before?: string): Promise<LoadedIssues> {
  const filters = toIssueFilters(view);
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
    queryKey: [pagesQueryKey, view],
    queryFn: ({ pageParam: before }) => fetchPage(client, view, pageSize, before),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.more ? page.issues.at(-1)?.id : undefined),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const loaded = pages.data?.pages ?? [];
  const limit = Math.min(loaded.length * pageSize, issuesPageMax);
  const [first, second] = loaded;
  const now = useQuery({
    queryKey: [...listQueryKey, view, limit],
    queryFn: () => fetchPage(client, view, limit),
    enabled: limit > 0,
    initialData: () => (second === undefined ? first : undefined),
    // The first page is fetched again, because it may be from before a change that the feed reported while no list was
    // shown.
    staleTime: 0,
  });
  const isShown = (issue: ListedIssue) => issue.gone !== true && belongsToTab(view.tab, issue);
  const { rows, arrived } = mergeIssuePages({ pages: loaded, now: now.data, sort: view.sort, isShown });
  const { refetch, isFetching } = pages;
  // If the list is empty, new issues are shown at once: there is no row that could move.
  const isFirstArrival = rows.length === 0 && arrived > 0 && !isFetching;
  useEffect(() => {
    if (isFirstArrival) void refetch();
  }, [isFirstArrival, refetch]);
  return { pages, rows, arrived, forgotten: now.data?.forgotten, error: pages.error ?? now.error };
}

/** Returns a function that drops cached lists not shown now, so that they are fetched again when a page shows them. */
export function useDropInactiveLists(): () => void {
  const queryClient = useQueryClient();
  return useCallback(() => queryClient.removeQueries({ queryKey: [pagesQueryKey], type: "inactive" }), [queryClient]);
}

/**
 * Fetches whether any issue exists: only if one does, an empty list of open issues means that all are resolved or
 * muted.
 */
export function useHasIssues(enabled: boolean) {
  const client = useClient();
  return useQuery({
    queryKey: ["issues", "any"],
    queryFn: async () => (await client.call(listIssues, { query: { limit: 1 } })).issues.length > 0,
    enabled,
  });
}

export type ReportedIssue = IssueDetail & {
  /** Whether this is the newest report because the requested one is not stored. */
  readonly isFallback: boolean;
};

const isMissing = (error: unknown) => error instanceof KitError && error.code === "not_found";

export function useIssue(id: string, report: string | undefined) {
  const client = useClient();
  const fetchIssue = (query: { event?: string }) => client.call(getIssue, { params: { id }, query });
  return useQuery({
    queryKey: [...issueQueryKey, id, report ?? null],
    queryFn: async (): Promise<ReportedIssue> => {
      if (report === undefined) return { ...(await fetchIssue({})), isFallback: false };
      try {
        return { ...(await fetchIssue({ event: report })), isFallback: false };
      } catch (error) {
        if (!isMissing(error)) throw error;
        return { ...(await fetchIssue({})), isFallback: true };
      }
    },
    placeholderData: (before, query) => (query?.queryKey[2] === id ? before : undefined),
  });
}

/** Fetches the ids of the events in the newest clips. */
export function useRecordedEvents() {
  const client = useClient();
  return useQuery({
    queryKey: ["clips", "filmed"],
    queryFn: async () => {
      const { clips } = await client.call(listClips, {
        query: { kind: "clip", state: "saved", limit: checkedClipsMax },
      });
      return clips.flatMap(({ events, missing }) => (missing ? [] : events.map((event) => event.id)));
    },
  });
}

/** Applies `update` to one issue in every cached list. */
export function updateCachedIssue(
  queryClient: QueryClient,
  id: string,
  update: (issue: ListedIssue) => ListedIssue,
): void {
  const updatePage = (page: LoadedIssues): LoadedIssues => ({
    ...page,
    issues: page.issues.map((issue) => (issue.id === id ? update(issue) : issue)),
  });
  queryClient.setQueriesData<InfiniteData<LoadedIssues>>(
    { queryKey: [pagesQueryKey] },
    (data) => data && { ...data, pages: data.pages.map(updatePage) },
  );
  queryClient.setQueriesData<LoadedIssues>({ queryKey: listQueryKey }, (page) => page && updatePage(page));
  queryClient.setQueriesData<ReportedIssue>(
    { queryKey: [...issueQueryKey, id] },
    (shown) => shown && { ...shown, issue: update(shown.issue) },
  );
}

/** `gone`: the issue was merged into another one or deleted while the list was shown. */
export type ListedIssue = Issue & { readonly gone?: boolean };

export type LoadedIssues = {
  readonly issues: readonly ListedIssue[];
  /** Whether the launcher has more issues after the last one. */
  readonly more: boolean;
  /** How many issues and reports Kit deleted to free space. */
  readonly forgotten?: { readonly issues: number; readonly reports: number };
};

const sortValue = (sort: IssueSort, issue: Issue) => (sort === "count" ? issue.count : Date.parse(issue[sort]));

/** An issue that has regressed belongs at the top of the list, so it leaves its old position and counts as new. */
const hasRegressed = (before: Issue, now: Issue) => now.state === "regressed" && before.state !== "regressed";

type MergeInput = {
  readonly pages: readonly LoadedIssues[];
  /** The newer answer: at least as many issues as were loaded, from the beginning, or the whole list. */
  readonly now: LoadedIssues | undefined;
  readonly sort: IssueSort;
  readonly isShown: (issue: ListedIssue) => boolean;
};

export function mergeIssuePages({ pages, now, sort, isShown }: MergeInput): { rows: ListedIssue[]; arrived: number } {
  const loaded = new Map(pages.flatMap((page) => page.issues.map((issue) => [issue.id, issue])));
  const newest = new Map((now?.issues ?? []).map((issue) => [issue.id, issue]));
  // If the newer answer is the whole list, issues that are not in it are gone.
  const isWhole = now !== undefined && !now.more;
  const rows = [...loaded.values()].flatMap((issue) => {
    const current = newest.get(issue.id);
    if (current === undefined && isWhole) return [];
    if (current !== undefined && hasRegressed(issue, current)) return [];
    return isShown(current ?? issue) ? [current ?? issue] : [];
  });
  const last = [...loaded.values()].at(-1);
  const hasMore = pages.at(-1)?.more ?? false;
  const arrived = (now?.issues ?? []).filter((issue) => {
    const before = loaded.get(issue.id);
    if (!isShown(issue) || (before !== undefined && !hasRegressed(before, issue))) return false;
    // An issue that belongs below the last loaded row is not new: it was on a page that was never loaded.
    return (
      !hasMore || last === undefined || issue.state === "regressed" || sortValue(sort, issue) > sortValue(sort, last)
    );
  });
  return { rows, arrived: arrived.length };
}
