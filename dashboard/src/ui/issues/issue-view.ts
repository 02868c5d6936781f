// Which issues the list shows and in which order, as it stands in the address. Pure, so that a reload or a bookmark keeps it.
import { type Issue, type IssueFilter, type IssueSort, type IssueState, issueSorts } from "@kit/contract";

export const issueTabs = ["open", "resolved", "muted", "bin"] as const;
export type IssueTab = (typeof issueTabs)[number];

export type IssueView = {
  readonly tab: IssueTab;
  readonly game?: string;
  /** What title, place or note must hold. */
  readonly search?: string;
  readonly sort: IssueSort;
};

export const openIssues: IssueView = { tab: "open", sort: "lastSeen" };

/** The launcher takes no more. */
export const searchCharsMax = 200;

const queryIn = (fragment: string) => new URLSearchParams(fragment.split("?", 2)[1] ?? "");

/** Reads the view from an address's fragment, e.g. `#/issues?state=muted`. What it does not know it leaves out. */
export function issueViewIn(fragment: string): IssueView {
  const query = queryIn(fragment);
  const game = query.get("game");
  const search = query.get("search")?.slice(0, searchCharsMax);
  return {
    tab: issueTabs.find((known) => known === query.get("state")) ?? openIssues.tab,
    ...(game ? { game } : {}),
    ...(search ? { search } : {}),
    sort: issueSorts.find((known) => known === query.get("sort")) ?? openIssues.sort,
  };
}

/** The report an issue's address asks for, by its event's id. */
export const reportIn = (fragment: string): string | undefined => queryIn(fragment).get("event") ?? undefined;

/** The query part `issueViewIn` and `reportIn` read back; empty for what is shown when nothing is said. */
export function issueQueryOf({ tab, game, search, sort }: IssueView, report?: string): string {
  const query = new URLSearchParams();
  if (tab !== openIssues.tab) query.set("state", tab);
  if (game) query.set("game", game);
  if (search) query.set("search", search);
  if (sort !== openIssues.sort) query.set("sort", sort);
  if (report !== undefined) query.set("event", report);
  return query.toString();
}

export const isNarrowed = ({ game, search }: IssueView): boolean => Boolean(game || search);

/** The states a tab shows, each asked for by itself: what came back stands before what is open. */
const statesOf: Readonly<Record<Exclude<IssueTab, "bin">, readonly IssueState[]>> = {
  open: ["regressed", "open"],
  resolved: ["resolved"],
  muted: ["muted"],
};

/** The same in the launcher's words; what stands first comes first. */
export function issueFiltersOf({ tab, game, search }: IssueView): IssueFilter[] {
  const rest = { ...(game ? { game } : {}), ...(search?.trim() ? { search: search.trim() } : {}) };
  return tab === "bin" ? [{ ...rest, bin: true }] : statesOf[tab].map((state) => ({ ...rest, state }));
}

/** Whether an issue belongs under a tab, as it is now. */
export function isUnder(tab: IssueTab, { state, deletedAt }: Pick<Issue, "state" | "deletedAt">): boolean {
  if (deletedAt !== null || tab === "bin") return deletedAt !== null && tab === "bin";
  return statesOf[tab].includes(state);
}
