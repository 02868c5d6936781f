// Merges the loaded pages of the issue list with a newer answer. Rows keep their positions and show current values; new
// issues are only counted.
import type { Issue, IssueSort } from "@kit/contract";

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
