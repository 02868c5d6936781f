// What a person changes of issues, in SQL.
import { type Statement, sql } from "../storage/sql.ts";

export type StateChange = {
  readonly state: "open" | "resolved" | "muted";
  readonly atMs: number;
  readonly untilMs: number | null;
  /** So many more reports. */
  readonly forCount: number | null;
};

export const stateChanged = (id: string, { state, atMs, untilMs, forCount }: StateChange): Statement => sql`
  UPDATE issue SET state = ${state}, state_since_ms = ${atMs}, muted_until_ms = ${untilMs},
    muted_until_count = count + ${forCount}
  WHERE id = ${id}`;

export const noted = (id: string, note: string | null): Statement =>
  sql`UPDATE issue SET note = ${note} WHERE id = ${id}`;

/** In the bin from then on; null takes it out again. */
export const binned = (id: string, atMs: number | null): Statement =>
  sql`UPDATE issue SET deleted_at_ms = ${atMs} WHERE id = ${id}`;

/** For good, with its counts, its reports and what was merged into it. */
export const removed = (id: string): Statement => sql`DELETE FROM issue WHERE id = ${id}`;

/** The sums of what belongs to it now; what nothing belongs to keeps its times. */
const summed = (seqs: readonly number[]): Statement => sql`
  UPDATE issue SET count = coalesce(c, 0), first_seen_ms = coalesce(f, first_seen_ms), last_seen_ms = coalesce(l, last_seen_ms)
  FROM (
    SELECT value AS target, sum(p.count) AS c, min(p.first_seen_ms) AS f, max(p.last_seen_ms) AS l
    FROM json_each(${JSON.stringify(seqs)}) LEFT JOIN issue_fingerprint AS p ON p.issue_seq = value GROUP BY value)
  WHERE seq = target`;

/** Points all that belongs to `other`, and what was merged into that one, to `into`. */
export const merged = (into: number, other: number): Statement[] => [
  sql`UPDATE issue SET merged_into = ${into} WHERE seq = ${other} OR merged_into = ${other}`,
  sql`UPDATE issue_fingerprint SET issue_seq = ${into} WHERE issue_seq = ${other}`,
  summed([into, other]),
];

/** Points what was made for `part` back to it. */
export const split = (from: number, part: number): Statement[] => [
  sql`UPDATE issue SET merged_into = NULL WHERE seq = ${part}`,
  sql`UPDATE issue_fingerprint SET issue_seq = ${part} WHERE home_seq = ${part}`,
  summed([from, part]),
];
