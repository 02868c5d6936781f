// What the list shows when issues change under it: each row in its place with its newest members, what came since only counted.
import type { Issue, IssueSort } from "@kit/contract";

/** `gone`: it is part of another one now. */
export type ListedIssue = Issue & { readonly gone?: boolean };

export type IssuePage = {
  readonly issues: readonly ListedIssue[];
  /** The list goes on after the last one. */
  readonly more: boolean;
  /** What went for good to make room. */
  readonly forgotten?: { readonly issues: number; readonly reports: number };
};

const placeOf = (sort: IssueSort, issue: Issue) => (sort === "count" ? issue.count : Date.parse(issue[sort]));

/** Its place is the first now, not the one it had before it was resolved. */
const cameBack = (before: Issue, now: Issue) => now.state === "regressed" && before.state !== "regressed";

type Shown = {
  readonly pages: readonly IssuePage[];
  /** The beginning of the same list as it is now, of at least as many as were loaded or of all there are. */
  readonly now: IssuePage | undefined;
  readonly sort: IssueSort;
  readonly isShown: (issue: ListedIssue) => boolean;
};

export function listedIssues({ pages, now, sort, isShown }: Shown): { rows: ListedIssue[]; arrived: number } {
  const loaded = new Map(pages.flatMap((page) => page.issues.map((issue) => [issue.id, issue])));
  const newest = new Map((now?.issues ?? []).map((issue) => [issue.id, issue]));
  // Where all there are were told, what is not among them has left.
  const all = now !== undefined && !now.more;
  const rows = [...loaded.values()].flatMap((issue) => {
    const known = newest.get(issue.id);
    if (known === undefined && all) return [];
    if (known !== undefined && cameBack(issue, known)) return [];
    return isShown(known ?? issue) ? [known ?? issue] : [];
  });
  const last = [...loaded.values()].at(-1);
  const goesOn = pages.at(-1)?.more ?? false;
  const arrived = (now?.issues ?? []).filter((issue) => {
    const before = loaded.get(issue.id);
    if (!isShown(issue) || (before !== undefined && !cameBack(before, issue))) return false;
    // What stood below the last row all the time is no news.
    return !goesOn || last === undefined || issue.state === "regressed" || placeOf(sort, issue) > placeOf(sort, last);
  });
  return { rows, arrived: arrived.length };
}
