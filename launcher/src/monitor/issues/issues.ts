// Operations on issues: list, show, resolve, mute, merge, split, delete and restore.

import {
  type BodyOf,
  type Breadcrumb,
  type changeIssue,
  type Issue,
  type IssueDetail,
  type IssueFilter,
  type IssueFrame,
  type IssueSort,
  KitError,
  type KitEvent,
  payloadInvalid,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Statement } from "../../storage/sql.ts";
import type { ReportAnalysis } from "../grouping/report-analysis.ts";
import { type Frame, parseStack } from "../stack/stack.ts";
import type { IssueStore, StoredReport } from "./issue-store.ts";
import {
  deleteIssue,
  type IssueStateChange,
  mergeIssue,
  type StoredIssue,
  setIssueDeletedAt,
  splitIssue,
  updateIssueState,
  updateIssueTexts,
} from "./issue-store.ts";

const breadcrumbsMax = 20;
const breadcrumbCharsMax = 200;

export type IssuesDeps = {
  readonly store: IssueStore;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly now: () => number;
  readonly analyse: (message: string, stackTrace: string) => ReportAnalysis;
  /**
   * Returns the events that the same sender sent shortly before, newest first. Empty if the journal no longer has the event.
   */
  readonly sentBefore: (event: string) => Promise<readonly KitEvent[]>;
  /** Returns the source location of each frame, or null if it is unknown. */
  readonly sourcesOf: (
    game: string | null,
    frames: readonly Frame[],
  ) => Promise<readonly (IssueFrame["source"] | null)[]>;
  readonly onChanged: () => void;
};

export type IssueChange = BodyOf<typeof changeIssue>;

export type Issues = ReturnType<typeof createIssues>;

/** Throws KitError for a mute that ends in the past, and for an end of a mute without the state "muted". */
function parseStateChange(
  { state, resolvedBuild, mutedUntil, mutedForCount }: IssueChange,
  atMs: number,
): IssueStateChange | undefined {
  if (state !== "muted" && (mutedUntil !== undefined || mutedForCount !== undefined))
    throw payloadInvalid(message("issue.not_muted"));
  if (state !== "resolved" && resolvedBuild !== undefined) throw payloadInvalid(message("issue.not_resolved"));
  if (state === undefined) return undefined;
  const untilMs = mutedUntil === undefined ? null : Date.parse(mutedUntil);
  if (untilMs !== null && !(untilMs > atMs)) throw payloadInvalid(message("issue.muted_until_past"));
  return { state, atMs, untilMs, forCount: mutedForCount ?? null, build: resolvedBuild?.trim() || null };
}

const firstLine = (text: string) => text.split("\n", 1)[0]?.slice(0, breadcrumbCharsMax).toWellFormed() ?? "";
const breadcrumbOf = ({ id, kind, actsOn, eventId, payload }: KitEvent): Breadcrumb => ({
  event: id,
  kind,
  at: actsOn,
  text: firstLine(eventId ?? payload.message ?? ""),
});

export function createIssues({ store, write, now, analyse, sentBefore, sourcesOf, onChanged }: IssuesDeps) {
  const find = async (id: string): Promise<StoredIssue> => {
    const found = await store.find(id);
    if (found === undefined) throw new KitError("not_found", message("issue.unknown"));
    return found;
  };
  /** Finds the issue, or the issue it was merged into. */
  const findOrMergeTarget = async (id: string): Promise<StoredIssue> => {
    const found = await find(id);
    return found.mergedInto === null ? found : ((await store.findBySeq(found.mergedInto)) ?? found);
  };
  const writeChange = async (id: string, ...statements: Statement[]): Promise<Issue> => {
    await write(...statements);
    onChanged();
    return (await find(id)).issue;
  };
  /**
   * Returns the events before a report, but of each other issue only one error report: in a flood, all events would be
   * reports of one issue.
   */
  const breadcrumbsBefore = async (report: StoredReport): Promise<Breadcrumb[]> => {
    const seen = new Set([analyse(report.message, report.stackTrace).key]);
    const isOther = ({ kind, payload }: KitEvent) => {
      if (kind !== "monitor") return true;
      const { key } = analyse(payload.message ?? "", payload.stackTrace ?? "");
      const isFirst = !seen.has(key);
      seen.add(key);
      return isFirst;
    };
    const others = (await sentBefore(report.event)).filter(isOther);
    return others.slice(0, breadcrumbsMax).reverse().map(breadcrumbOf);
  };

  return {
    /** Throws KitError if the issue `after` does not exist. */
    async list(filter: IssueFilter, sort: IssueSort, after: string | null, limit: number) {
      const last = after === null ? null : await find(after);
      const [{ issues, more }, forgotten] = await Promise.all([
        store.list(filter, sort, last, limit),
        store.evictedCounts(filter.game),
      ]);
      return { issues: issues.map(({ issue }) => issue), more, forgotten };
    },
    async get(id: string, event?: string): Promise<IssueDetail> {
      const { issue, seq } = await findOrMergeTarget(id);
      const [occurrences, days, mergedIssues] = await Promise.all([
        store.occurrences(seq),
        store.countsPerDay(seq),
        store.mergedIssues(seq),
      ]);
      const shown = event ?? occurrences[0]?.event;
      const kept = shown === undefined ? undefined : await store.findReport(seq, shown);
      if (event !== undefined && kept === undefined) throw new KitError("not_found", message("issue.no_report"));
      const rest = { days, occurrences, merged: mergedIssues };
      if (kept === undefined) return { issue, report: null, breadcrumbs: [], ...rest };
      const { frames: read, framesTotal } = parseStack(kept.message, kept.stackTrace);
      const [sources, breadcrumbs] = await Promise.all([sourcesOf(issue.game, read), breadcrumbsBefore(kept)]);
      const frames = read.map(({ dialect: _, ...frame }, index) => ({ ...frame, source: sources[index] ?? null }));
      return { issue, report: { ...kept, frames, framesTotal }, breadcrumbs, ...rest };
    },
    async change(id: string, change: IssueChange): Promise<Issue> {
      const state = parseStateChange(change, now());
      const { issue } = await findOrMergeTarget(id);
      const stateChange = state === undefined ? [] : [updateIssueState(issue.id, state)];
      const statements = [...stateChange, ...updateIssueTexts(issue.id, change)];
      return statements.length === 0 ? issue : writeChange(issue.id, ...statements);
    },
    async merge(id: string, others: readonly string[]): Promise<Issue> {
      const into = await find(id);
      const mergedIssues = await Promise.all([...new Set(others)].map(find));
      for (const part of [into, ...mergedIssues]) {
        if (part.mergedInto !== null) throw payloadInvalid(message("issue.is_merged", { issue: part.issue.id }));
        if (part.issue.deletedAt !== null) throw payloadInvalid(message("issue.in_trash", { issue: part.issue.id }));
        if (part.issue.game !== into.issue.game) throw payloadInvalid(message("issue.merge_across_games"));
      }
      if (mergedIssues.some(({ seq }) => seq === into.seq)) throw payloadInvalid(message("issue.merge_into_itself"));
      return writeChange(id, ...mergedIssues.flatMap(({ seq }) => mergeIssue(into.seq, seq)));
    },
    async split(id: string): Promise<Issue> {
      const { seq, mergedInto } = await find(id);
      if (mergedInto === null) throw payloadInvalid(message("issue.not_merged"));
      return writeChange(id, ...splitIssue(mergedInto, seq));
    },
    /** Moves an issue to the trash. Keeps the time of deletion if it is already there. */
    async moveToTrash(id: string): Promise<void> {
      const { issue } = await findOrMergeTarget(id);
      if (issue.deletedAt === null) await writeChange(issue.id, setIssueDeletedAt(issue.id, now()));
    },
    /** Deletes an issue permanently. It must be in the trash. */
    async deletePermanently(id: string): Promise<void> {
      const { issue } = await find(id);
      if (issue.deletedAt === null) throw new KitError("not_found", message("issue.not_in_trash"));
      await write(deleteIssue(id));
      onChanged();
    },
    async restore(id: string): Promise<Issue> {
      const { issue } = await findOrMergeTarget(id);
      return issue.deletedAt === null ? issue : writeChange(issue.id, setIssueDeletedAt(issue.id, null));
    },
  };
}
