// SQL statements for changes that a person makes to issues.
import { type Statement, sql } from "../../storage/sql.ts";

export type IssueStateChange = {
  readonly state: "open" | "resolved" | "muted";
  readonly atMs: number;
  readonly untilMs: number | null;
  /** Number of further reports after which the mute ends. */
  readonly forCount: number | null;
};

export const updateIssueState = (id: string, { state, atMs, untilMs, forCount }: IssueStateChange): Statement => sql`
  UPDATE issue SET state = ${state}, state_since_ms = ${atMs}, muted_until_ms = ${untilMs},
    muted_until_count = count + ${forCount}
  WHERE id = ${id}`;

/** Moves the issue to the trash, or restores it if `atMs` is null. */
export const setIssueDeletedAt = (id: string, atMs: number | null): Statement =>
  sql`UPDATE issue SET deleted_at_ms = ${atMs} WHERE id = ${id}`;

/** Deletes an issue with its counts, its reports and the issues merged into it. */
export const deleteIssue = (id: string): Statement => sql`DELETE FROM issue WHERE id = ${id}`;

/** Recomputes the count and times of each issue from its fingerprints. An issue without fingerprints keeps its times. */
const recomputeTotals = (seqs: readonly number[]): Statement => sql`
  UPDATE issue SET count = coalesce(c, 0), first_seen_ms = coalesce(f, first_seen_ms), last_seen_ms = coalesce(l, last_seen_ms)
  FROM (
    SELECT value AS target, sum(p.count) AS c, min(p.first_seen_ms) AS f, max(p.last_seen_ms) AS l
    FROM json_each(${JSON.stringify(seqs)}) LEFT JOIN issue_fingerprint AS p ON p.issue_seq = value GROUP BY value)
  WHERE seq = target`;

/** Moves the fingerprints of `other`, and the issues merged into it before, to `into`. */
export const mergeIssue = (into: number, other: number): Statement[] => [
  sql`UPDATE issue SET merged_into = ${into} WHERE seq = ${other} OR merged_into = ${other}`,
  sql`UPDATE issue_fingerprint SET issue_seq = ${into} WHERE issue_seq = ${other}`,
  recomputeTotals([into, other]),
];

/** Moves the fingerprints that `part` had before the merge back to it. */
export const splitIssue = (from: number, part: number): Statement[] => [
  sql`UPDATE issue SET merged_into = NULL WHERE seq = ${part}`,
  sql`UPDATE issue_fingerprint SET issue_seq = ${part} WHERE home_seq = ${part}`,
  recomputeTotals([from, part]),
];
