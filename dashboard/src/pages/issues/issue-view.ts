// The filter of the Issues page, stored in the address so that a reload or a bookmark keeps it. Pure.
import { type Issue, type IssueFilter, type IssueSort, type IssueState, issueSorts } from "@kit/contract";
import { fragmentQuery } from "../../api/address-filters.ts";

export const issueTabs = ["open", "resolved", "muted", "bin"] as const;
export type IssueTab = (typeof issueTabs)[number];

export type IssueView = {
  readonly tab: IssueTab;
  readonly game?: string;
  /** Words that the title, the location or the note must contain. */
  readonly search?: string;
  readonly sort: IssueSort;
};

export const defaultIssueView: IssueView = { tab: "open", sort: "lastSeen" };

/** The launcher accepts no longer search text. */
export const issueSearchCharsMax = 200;

/** Parses the filter of an address, e.g. `#/issues?state=muted`. Ignores unknown values. */
export function parseIssueView(fragment: string): IssueView {
  const query = fragmentQuery(fragment);
  const game = query.get("game");
  const search = query.get("search")?.slice(0, issueSearchCharsMax);
  return {
    tab: issueTabs.find((known) => known === query.get("state")) ?? defaultIssueView.tab,
    ...(game ? { game } : {}),
    ...(search ? { search } : {}),
    sort: issueSorts.find((known) => known === query.get("sort")) ?? defaultIssueView.sort,
  };
}

/** Returns the event id of the report to show, which is part of an issue's address. */
export const reportFromAddress = (fragment: string): string | undefined =>
  fragmentQuery(fragment).get("event") ?? undefined;

/** Returns the view as an address query, which `parseIssueView` and `reportFromAddress` can read. Empty by default. */
export function toIssueQuery({ tab, game, search, sort }: IssueView, report?: string): string {
  const query = new URLSearchParams();
  if (tab !== defaultIssueView.tab) query.set("state", tab);
  if (game) query.set("game", game);
  if (search) query.set("search", search);
  if (sort !== defaultIssueView.sort) query.set("sort", sort);
  if (report !== undefined) query.set("event", report);
  return query.toString();
}

export const isIssueViewFiltered = ({ game, search }: IssueView): boolean => Boolean(game || search);

/** The states of the issues in each tab, in display order. Each state is requested separately. */
const statesOf: Readonly<Record<Exclude<IssueTab, "bin">, readonly IssueState[]>> = {
  open: ["regressed", "open"],
  resolved: ["resolved"],
  muted: ["muted"],
};

/** Returns the filters with which a view requests its issues from the API, in display order. */
export function toIssueFilters({ tab, game, search }: IssueView): IssueFilter[] {
  const rest = { ...(game ? { game } : {}), ...(search?.trim() ? { search: search.trim() } : {}) };
  return tab === "bin" ? [{ ...rest, bin: true }] : statesOf[tab].map((state) => ({ ...rest, state }));
}

/** Whether an issue in this state belongs in a tab. */
export function belongsToTab(tab: IssueTab, { state, deletedAt }: Pick<Issue, "state" | "deletedAt">): boolean {
  if (deletedAt !== null || tab === "bin") return deletedAt !== null && tab === "bin";
  return statesOf[tab].includes(state);
}
