// The columns of an issue: how they are read, and written if a person can change their text.

import type { BodyOf, changeIssue, Issue, IssueCulprit, IssueState } from "@kit/contract";
import { fromMessageColumn } from "../../storage/message-column.ts";
import { isoTime, isoTimeOrNull, numberOrNull, textOrNull } from "../../storage/row.ts";
import { type Row, type Statement, sql } from "../../storage/sql.ts";

export type StoredIssue = {
  readonly issue: Issue;
  readonly seq: number;
  /** The issue that this one is merged into. */
  readonly mergedInto: number | null;
};

/** Reads an issue whose mute has expired as open. Upkeep writes the new state later. */
export const issueColumns = (nowMs: number) => sql`
  SELECT seq, id, title, game, dialect, culprit, why, overflow, state_since_ms AS stateSinceMs, note, count,
    iif(state = 'muted' AND muted_until_ms <= ${nowMs}, 'open', state) AS state, muted_until_ms AS mutedUntilMs,
    muted_until_count AS mutedUntilCount, first_seen_ms AS firstSeenMs, last_seen_ms AS lastSeenMs,
    deleted_at_ms AS deletedAtMs, merged_into AS mergedInto`;

const newForMs = 86_400_000;

/** `hours`: the number of reports in each of the last hours, oldest first. */
export function storedIssueOf(row: Row, hours: readonly number[], nowMs: number): StoredIssue {
  const state = row.state as IssueState;
  const isMuted = state === "muted";
  const culprit = textOrNull(row.culprit);
  const issue: Issue = {
    id: String(row.id),
    title: String(row.title),
    game: textOrNull(row.game),
    state,
    mutedUntil: isMuted ? isoTimeOrNull(row.mutedUntilMs) : null,
    mutedUntilCount: isMuted ? numberOrNull(row.mutedUntilCount) : null,
    stateSince: isoTime(row.stateSinceMs),
    firstSeen: isoTime(row.firstSeenMs),
    lastSeen: isoTime(row.lastSeenMs),
    count: Number(row.count),
    isNew: state === "open" && Number(row.firstSeenMs) > nowMs - newForMs,
    isOverflow: row.overflow === 1,
    dialect: String(row.dialect),
    culprit: culprit === null ? null : (JSON.parse(culprit) as IssueCulprit),
    why: fromMessageColumn(row.why) ?? "",
    note: textOrNull(row.note),
    deletedAt: isoTimeOrNull(row.deletedAtMs),
    hours: [...hours],
  };
  return { issue, seq: Number(row.seq), mergedInto: numberOrNull(row.mergedInto) };
}

/** An omitted text stays as it is; null or an empty text removes it. */
export const updateIssueTexts = (id: string, { note }: BodyOf<typeof changeIssue>): Statement[] =>
  note === undefined ? [] : [sql`UPDATE issue SET note = ${note?.toWellFormed() || null} WHERE id = ${id}`];
