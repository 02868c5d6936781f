// Issues for component tests, complete and typed by the contract, and a launcher that keeps the changes of them.
import {
  changeIssue,
  deleteIssue,
  getIssue,
  type Issue,
  type IssueDetail,
  type IssueFrame,
  type IssueOccurrence,
  KitError,
  listClips,
  listIssues,
  listSourceFolders,
  mergeIssues,
  restoreIssue,
  splitIssue,
} from "@kit/contract";
import type { FakeLauncher } from "./fake-launcher.ts";

const idOf = (part: string, n: number) => `01990000-0000-7000-${part}-${String(n).padStart(12, "0")}`;
/** All samples are relative to this time, so that the same report always has the same one. */
const loadedMs = Date.now();
const minutesAgo = (n: number) => new Date(loadedMs - n * 60_000).toISOString();

/** The nth issue: open, new, `n` minutes old, with one report. */
export function issueOf(n: number, members: Partial<Issue> = {}): Issue {
  const at = minutesAgo(n);
  return {
    id: idOf("8001", n),
    title: `Error ${n}`,
    ...{ game: "mygame", state: "open", mutedUntil: null, mutedUntilCount: null },
    ...{ stateSince: at, firstSeen: at, lastSeen: at, firstBuild: null, lastBuild: null, resolvedBuild: null },
    ...{ count: 1, isNew: true, isOverflow: false, dialect: "gdscript" },
    culprit: { function: "_process", file: "res://actors/enemy.gd" },
    why: "Grouped by the message and the place it happened.",
    ...{ note: null, deletedAt: null, hours: [...Array.from({ length: 23 }, () => 0), 1] },
    ...members,
  };
}

export const frameOf = (line: string, members: Partial<IssueFrame> = {}): IssueFrame => ({
  ...{ function: line, file: "res://actors/enemy.gd", line: 34, column: null, inApp: true, owner: null, text: line },
  ...members,
});

/** The nth stored report of an issue; the first is the oldest. */
export const occurrenceOf = (n: number): IssueOccurrence => ({
  event: idOf("8002", n),
  at: minutesAgo(60 - n),
  number: n,
});

type DetailMembers = Partial<Omit<IssueDetail, "report">> & { readonly report?: Partial<IssueDetail["report"]> };

/** An issue with all its reports, of which the newest is shown. */
export function detailOf(issue: Issue, { report, ...members }: DetailMembers = {}): IssueDetail {
  const occurrences = Array.from({ length: issue.count }, (_, n) => occurrenceOf(issue.count - n));
  const stack = { stackTrace: "at _process (res://actors/enemy.gd:34)", frames: [frameOf("_process")], framesTotal: 1 };
  const sender = { origin: null, client: "GodotEngine/4.6 (Linux)" };
  return {
    issue,
    days: [...Array.from({ length: 29 }, () => 0), issue.count],
    report: { ...(occurrences[0] ?? occurrenceOf(1)), message: issue.title, ...stack, ...sender, ...report },
    ...{ occurrences, breadcrumbs: [], merged: [] },
    ...members,
  };
}

/**
 * Answers requests about these issues, and keeps what a person changes. A list has the issues of the requested state or of the
 * trash, in this order, from `before` on; other filters are left to the test, which sees the requests. A test may change `issues`.
 */
export function answerIssues(launcher: FakeLauncher, issues: Issue[] = []): { issues: Issue[] } {
  const stored = { issues };
  const parts = new Map<string, Issue[]>();
  const found = (id: string): Issue => {
    const issue = stored.issues.find((one) => one.id === id);
    if (issue === undefined) throw new KitError("not_found", "There is no such issue.");
    return issue;
  };
  const change = (id: string, members: Partial<Issue>): Issue => {
    const changed = { ...found(id), ...members };
    stored.issues = stored.issues.map((one) => (one.id === id ? changed : one));
    return changed;
  };
  launcher.when(listIssues).reply(({ query = {} }) => {
    const { state, bin = false, before, limit = 50 } = query;
    const listed = stored.issues.filter(
      (issue) => bin === (issue.deletedAt !== null) && (state === undefined || issue.state === state),
    );
    const from = listed.findIndex(({ id }) => id === before) + 1;
    const more = listed.length > from + limit;
    return { issues: listed.slice(from, from + limit), more, forgotten: { issues: 0, reports: 0 } };
  });
  launcher.when(getIssue).reply(({ params: { id } }) => {
    const merged = (parts.get(id) ?? []).map(({ id, title, count }) => ({ id, title, count }));
    return detailOf(found(id), { merged });
  });
  launcher.when(changeIssue).reply(({ params: { id }, body: { mutedForCount, ...members } }) => {
    const mutedUntilCount = mutedForCount === undefined ? null : found(id).count + mutedForCount;
    return change(id, { mutedUntil: null, mutedUntilCount, ...members });
  });
  launcher.when(deleteIssue).reply(({ params: { id }, query }) => {
    if (query?.forever) stored.issues = stored.issues.filter((one) => one.id !== id);
    else change(id, { deletedAt: new Date().toISOString() });
    return undefined;
  });
  launcher.when(restoreIssue).reply(({ params: { id } }) => change(id, { deletedAt: null }));
  launcher.when(mergeIssues).reply(({ params: { id }, body: { ids } }) => {
    const merged = ids.map(found);
    parts.set(id, merged);
    stored.issues = stored.issues.filter((one) => !ids.includes(one.id));
    return change(id, { count: merged.reduce((sum, { count }) => sum + count, found(id).count) });
  });
  launcher.when(splitIssue).reply(({ params: { id } }) => {
    for (const [into, merged] of parts) {
      const part = merged.find((one) => one.id === id);
      if (part === undefined) continue;
      parts.set(
        into,
        merged.filter((one) => one !== part),
      );
      change(into, { count: found(into).count - part.count });
      stored.issues = [...stored.issues, part];
      return part;
    }
    throw new KitError("not_found", "There is no such part.");
  });
  launcher.when(listSourceFolders).reply(() => ({ sources: [] }));
  launcher.when(listClips).reply(() => ({ clips: [], more: false, bytes: 0, quotaBytes: 1e10 }));
  return stored;
}
