// A row of the issue table as it is told.
import type { Issue, IssueCulprit, IssueState } from "@kit/contract";
import type { Row } from "../storage/sql.ts";

export type StoredIssue = {
  readonly issue: Issue;
  readonly seq: number;
  /** Set while it is part of another one. */
  readonly mergedInto: number | null;
};

const newForMs = 86_400_000;

const isoOf = (ms: unknown) => new Date(Number(ms)).toISOString();
const instantOf = (ms: unknown) => (ms === null ? null : isoOf(ms));
const textOf = (value: Row[string] | undefined) => (value == null ? null : String(value));
const numberOf = (value: Row[string] | undefined) => (value == null ? null : Number(value));

/** `hours` is how many there were an hour, oldest first. */
export function storedIssueOf(row: Row, hours: readonly number[], nowMs: number): StoredIssue {
  const state = row.state as IssueState;
  const isMuted = state === "muted";
  const culprit = textOf(row.culprit);
  const issue: Issue = {
    id: String(row.id),
    title: String(row.title),
    game: textOf(row.game),
    state,
    mutedUntil: isMuted ? instantOf(row.mutedUntilMs ?? null) : null,
    mutedUntilCount: isMuted ? numberOf(row.mutedUntilCount) : null,
    stateSince: isoOf(row.stateSinceMs),
    firstSeen: isoOf(row.firstSeenMs),
    lastSeen: isoOf(row.lastSeenMs),
    count: Number(row.count),
    isNew: state === "open" && Number(row.firstSeenMs) > nowMs - newForMs,
    isOverflow: row.overflow === 1,
    dialect: String(row.dialect),
    culprit: culprit === null ? null : (JSON.parse(culprit) as IssueCulprit),
    why: String(row.why),
    note: textOf(row.note),
    deletedAt: instantOf(row.deletedAtMs ?? null),
    hours: [...hours],
  };
  return { issue, seq: Number(row.seq), mergedInto: numberOf(row.mergedInto) };
}
