// Issues as a person works with them: seen, resolved, muted, merged and split, put into the bin and taken back.
import {
  type Breadcrumb,
  type Issue,
  type IssueDetail,
  type IssueFilter,
  type IssueFrame,
  type IssueSort,
  KitError,
  type KitEvent,
} from "@kit/contract";
import type { Statement } from "../storage/sql.ts";
import type { Recognised } from "./grouping/recognise.ts";
import { binned, merged, noted, removed, type StateChange, split, stateChanged } from "./issue-change-store.ts";
import type { StoredIssue } from "./issue-row.ts";
import type { IssueStore, StoredReport } from "./issue-store.ts";
import { type Frame, parseStack } from "./stack/stack.ts";

const breadcrumbsMax = 20;
const breadcrumbCharsMax = 200;

export type IssuesNeeds = {
  readonly store: IssueStore;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly now: () => number;
  readonly recognise: (message: string, stackTrace: string) => Recognised;
  /** What the sender of an event sent shortly before it, newest first; nothing when the journal forgot it. */
  readonly sentBefore: (event: string) => Promise<readonly KitEvent[]>;
  /** Where the frames are in the source of a game, one for each; null where that is not known. */
  readonly sourcesOf: (
    game: string | null,
    frames: readonly Frame[],
  ) => Promise<readonly (IssueFrame["source"] | null)[]>;
  readonly onChanged: () => void;
};

export type IssueChange = {
  readonly state?: StateChange["state"];
  readonly mutedUntil?: string;
  readonly mutedForCount?: number;
  readonly note?: string | null;
};

export type Issues = ReturnType<typeof createIssues>;

const invalid = (detail: string) => new KitError("payload_invalid", detail);

/** Throws KitError when it says what cannot be. */
function stateOf({ state, mutedUntil, mutedForCount }: IssueChange, atMs: number): StateChange | undefined {
  if (state !== "muted" && (mutedUntil !== undefined || mutedForCount !== undefined))
    throw invalid("mutedUntil and mutedForCount go with the state muted.");
  if (state === undefined) return undefined;
  const untilMs = mutedUntil === undefined ? null : Date.parse(mutedUntil);
  if (untilMs !== null && !(untilMs > atMs))
    throw invalid("mutedUntil names a time that is over, or that does not exist.");
  return { state, atMs, untilMs, forCount: mutedForCount ?? null };
}

const firstLine = (text: string) => text.split("\n", 1)[0]?.slice(0, breadcrumbCharsMax).toWellFormed() ?? "";
const breadcrumbOf = ({ id, kind, actsOn, eventId, payload }: KitEvent): Breadcrumb => ({
  event: id,
  kind,
  at: actsOn,
  text: firstLine(eventId ?? payload.message ?? ""),
});

export function createIssues({ store, write, now, recognise, sentBefore, sourcesOf, onChanged }: IssuesNeeds) {
  const find = async (id: string): Promise<StoredIssue> => {
    const found = await store.find(id);
    if (found === undefined) throw new KitError("not_found", "There is no such issue.");
    return found;
  };
  /** The issue, or the one it was merged into. */
  const findWhole = async (id: string): Promise<StoredIssue> => {
    const found = await find(id);
    return found.mergedInto === null ? found : ((await store.at(found.mergedInto)) ?? found);
  };
  const changed = async (id: string, ...statements: Statement[]): Promise<Issue> => {
    await write(...statements);
    onChanged();
    return (await find(id)).issue;
  };
  /** The other events before it, of each other error the last one: in a storm the ones just before are all the same. */
  const before = async ({ event, message, stackTrace }: StoredReport): Promise<Breadcrumb[]> => {
    const seen = new Set([recognise(message, stackTrace).key]);
    const isOther = ({ kind, payload }: KitEvent) => {
      if (kind !== "monitor") return true;
      const { key } = recognise(payload.message ?? "", payload.stackTrace ?? "");
      const isNews = !seen.has(key);
      seen.add(key);
      return isNews;
    };
    const others = (await sentBefore(event)).filter(isOther);
    return others.slice(0, breadcrumbsMax).reverse().map(breadcrumbOf);
  };

  return {
    /** Throws KitError when there is no issue `before`. */
    async list(filter: IssueFilter, sort: IssueSort, after: string | null, limit: number) {
      const last = after === null ? null : await find(after);
      const [{ kept, more }, forgotten] = await Promise.all([
        store.list(filter, sort, last, limit),
        store.forgotten(filter.game),
      ]);
      return { issues: kept.map(({ issue }) => issue), more, forgotten };
    },
    async get(id: string, event?: string): Promise<IssueDetail> {
      const { issue, seq } = await findWhole(id);
      const [occurrences, days, parts] = await Promise.all([
        store.occurrences(seq),
        store.days(seq),
        store.merged(seq),
      ]);
      const shown = event ?? occurrences[0]?.event;
      const kept = shown === undefined ? undefined : await store.report(seq, shown);
      if (event !== undefined && kept === undefined)
        throw new KitError("not_found", "No report of this event is kept with the issue.");
      const rest = { days, occurrences, merged: parts };
      if (kept === undefined) return { issue, report: null, breadcrumbs: [], ...rest };
      const { frames: read, framesTotal } = parseStack(kept.message, kept.stackTrace);
      const [sources, breadcrumbs] = await Promise.all([sourcesOf(issue.game, read), before(kept)]);
      const frames = read.map((frame, index) => ({ ...frame, source: sources[index] ?? null }));
      return { issue, report: { ...kept, frames, framesTotal }, breadcrumbs, ...rest };
    },
    async change(id: string, change: IssueChange): Promise<Issue> {
      const state = stateOf(change, now());
      const { issue } = await findWhole(id);
      const note = change.note === undefined ? [] : [noted(issue.id, change.note?.toWellFormed() || null)];
      const statements = [...(state === undefined ? [] : [stateChanged(issue.id, state)]), ...note];
      return statements.length === 0 ? issue : changed(issue.id, ...statements);
    },
    async merge(id: string, others: readonly string[]): Promise<Issue> {
      const into = await find(id);
      const parts = await Promise.all([...new Set(others)].map(find));
      for (const part of [into, ...parts]) {
        if (part.mergedInto !== null) throw invalid(`${part.issue.id} is part of another issue: split it off first.`);
        if (part.issue.deletedAt !== null) throw invalid(`${part.issue.id} lies in the bin: restore it first.`);
        if (part.issue.game !== into.issue.game) throw invalid("Only issues of one game can be merged.");
      }
      if (parts.some(({ seq }) => seq === into.seq)) throw invalid("An issue cannot be merged into itself.");
      return changed(id, ...parts.flatMap(({ seq }) => merged(into.seq, seq)));
    },
    async split(id: string): Promise<Issue> {
      const { seq, mergedInto } = await find(id);
      if (mergedInto === null) throw invalid("The issue is not merged into another one.");
      return changed(id, ...split(mergedInto, seq));
    },
    /** Into the bin; what lies there already stays there. */
    async remove(id: string): Promise<void> {
      const { issue } = await findWhole(id);
      if (issue.deletedAt === null) await changed(issue.id, binned(issue.id, now()));
    },
    /** For good. Only from the bin. */
    async removeForever(id: string): Promise<void> {
      const { issue } = await find(id);
      if (issue.deletedAt === null) throw new KitError("not_found", "The issue does not lie in the bin.");
      await write(removed(id));
      onChanged();
    },
    async restore(id: string): Promise<Issue> {
      const { issue } = await findWhole(id);
      return issue.deletedAt === null ? issue : changed(issue.id, binned(issue.id, null));
    },
  };
}
