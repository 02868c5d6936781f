// SQL of issues: their columns, how a person finds them, the changes that a person makes, and what the games slice reads.
import type {
  BodyOf,
  changeIssue,
  Issue,
  IssueCulprit,
  IssueFilter,
  IssueOccurrence,
  IssueSort,
  IssueState,
} from "@kit/contract";
import {
  concatSql,
  fromMessageColumn,
  isoTime,
  isoTimeOrNull,
  numberOrNull,
  type Row,
  type Statement,
  sql,
  textOrNull,
} from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import { buildOrder } from "../grouping/grouping-store.ts";
import { createIssueListPlanner, type IssueListPosition } from "./issue-list-store.ts";

const anHourMs = 3_600_000;
const aDayMs = 86_400_000;
const hoursShown = 24;
const daysShown = 30;
const occurrencesMax = 120;

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
    first_build AS firstBuild, last_build AS lastBuild, iif(state IN ('resolved', 'regressed'), resolved_build, NULL) AS resolvedBuild,
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
    firstBuild: textOrNull(row.firstBuild),
    lastBuild: textOrNull(row.lastBuild),
    resolvedBuild: textOrNull(row.resolvedBuild),
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

export type StoredReport = IssueOccurrence & {
  readonly message: string;
  readonly stackTrace: string;
  readonly origin: string | null;
  readonly client: string | null;
};

function positionOf(sort: IssueSort, last: StoredIssue | null): IssueListPosition {
  if (last === null) return [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  const { issue, seq } = last;
  return [sort === "count" ? issue.count : Date.parse(issue[sort]), seq];
}

const occurrenceOf = (row: Row): IssueOccurrence => ({
  event: String(row.event),
  at: new Date(Number(row.atMs)).toISOString(),
  number: Number(row.number),
});

function reportOf(row: Row): StoredReport {
  const [message, stackTrace] = JSON.parse(String(row.body)) as [string, string];
  const { origin, client } = row as { origin: string | null; client: string | null };
  return { ...occurrenceOf(row), message, stackTrace, origin, client };
}

export type IssueStore = ReturnType<typeof createIssueStore>;

export function createIssueStore(storage: Storage, now: () => number) {
  const planList = createIssueListPlanner(storage.read, now);
  /** Returns the counts of each issue in the last `spans` spans of `spanMs`, oldest first. */
  const countsPerSpan = async (
    seqs: readonly number[],
    spanMs: number,
    spans: number,
  ): Promise<Map<number, number[]>> => {
    const sinceMs = (Math.floor(now() / spanMs) - spans + 1) * spanMs;
    const rows = await storage.read(sql`
      SELECT f.issue_seq AS issue, CAST((at_ms - ${sinceMs}) / ${spanMs} AS INTEGER) AS span, sum(n) AS n
      FROM json_each(${JSON.stringify(seqs)}) AS w
      CROSS JOIN issue_fingerprint AS f ON f.issue_seq = w.value
      CROSS JOIN issue_count AS c ON c.fingerprint_seq = f.seq AND c.at_ms >= ${sinceMs}
      GROUP BY 1, 2`);
    const found = new Map(seqs.map((seq) => [seq, Array.from({ length: spans }, () => 0)]));
    for (const { issue, span, n } of rows) {
      const counts = found.get(Number(issue));
      // If the clock was set back, some counts lie in the future. They are added to the newest span.
      const index = Math.min(Number(span), spans - 1);
      if (counts !== undefined) counts[index] = (counts[index] ?? 0) + Number(n);
    }
    return found;
  };
  const readIssues = async (which: Statement): Promise<StoredIssue[]> => {
    const rows = await storage.read(concatSql(issueColumns(now()), which));
    const hours = await countsPerSpan(
      rows.map(({ seq }) => Number(seq)),
      anHourMs,
      hoursShown,
    );
    return rows.map((row) => storedIssueOf(row, hours.get(Number(row.seq)) ?? [], now()));
  };

  return {
    /** Lists issues after `last`. `more` is true if issues follow, or if some were not compared with the search. */
    async list(filter: IssueFilter, sort: IssueSort, last: StoredIssue | null, limit: number) {
      const { which, hasMore } = await planList(filter, sort, positionOf(sort, last), limit + 1);
      const found = await readIssues(which);
      return { issues: found.slice(0, limit), more: hasMore || found.length > limit };
    },
    /** Returns how many issues, with how many reports, were evicted: of one game or of all. */
    async evictedCounts(game?: string): Promise<{ issues: number; reports: number }> {
      const wanted = game === "unsorted" ? "" : (game ?? null);
      const [row] = await storage.read(sql`
        SELECT coalesce(sum(issues), 0) AS issues, coalesce(sum(reports), 0) AS reports FROM issue_forgotten
        WHERE ${wanted} IS NULL OR game = ${wanted}`);
      return { issues: Number(row?.issues), reports: Number(row?.reports) };
    },
    find: async (id: string): Promise<StoredIssue | undefined> =>
      (await readIssues(sql` FROM issue WHERE id = ${id}`))[0],
    findBySeq: async (seq: number): Promise<StoredIssue | undefined> =>
      (await readIssues(sql` FROM issue WHERE seq = ${seq}`))[0],
    /** Returns the counts of the last 30 UTC days, oldest first. */
    countsPerDay: async (seq: number): Promise<number[]> =>
      (await countsPerSpan([seq], aDayMs, daysShown)).get(seq) ?? [],
    /** Lists the newest stored reports, newest first. */
    async occurrences(seq: number): Promise<IssueOccurrence[]> {
      const rows = await storage.read(sql`
        SELECT event, at_ms AS atMs, number FROM issue_sample AS s JOIN issue_fingerprint AS f ON f.seq = s.fingerprint_seq
        WHERE f.issue_seq = ${seq} ORDER BY at_ms DESC, number DESC LIMIT ${occurrencesMax}`);
      return rows.map(occurrenceOf);
    },
    async findReport(seq: number, event: string): Promise<StoredReport | undefined> {
      const [row] = await storage.read(sql`
        SELECT event, at_ms AS atMs, number, body, origin, client
        FROM issue_sample AS s JOIN issue_fingerprint AS f ON f.seq = s.fingerprint_seq
        WHERE f.issue_seq = ${seq} AND event = ${event}`);
      return row && reportOf(row);
    },
    /** Lists the issues merged into this one, with their own counts. */
    async mergedIssues(seq: number): Promise<{ id: string; title: string; count: number }[]> {
      const rows = await storage.read(sql`
        SELECT id, title, (SELECT coalesce(sum(count), 0) FROM issue_fingerprint WHERE home_seq = issue.seq) AS count
        FROM issue WHERE merged_into = ${seq} ORDER BY seq`);
      return rows.map(({ id, title, count }) => ({ id: String(id), title: String(title), count: Number(count) }));
    },
  };
}

// Changes that a person makes.

/** An omitted text stays as it is; null or an empty text removes it. */
export const updateIssueTexts = (id: string, { note }: BodyOf<typeof changeIssue>): Statement[] =>
  note === undefined ? [] : [sql`UPDATE issue SET note = ${note?.toWellFormed() || null} WHERE id = ${id}`];

export type IssueStateChange = {
  readonly state: "open" | "resolved" | "muted";
  readonly atMs: number;
  readonly untilMs: number | null;
  /** Number of further reports after which the mute ends. */
  readonly forCount: number | null;
  /** The build in which it was resolved. */
  readonly build: string | null;
};

export const updateIssueState = (
  id: string,
  { state, atMs, untilMs, forCount, build }: IssueStateChange,
): Statement => sql`
  UPDATE issue SET state = ${state}, state_since_ms = ${atMs}, muted_until_ms = ${untilMs},
    muted_until_count = count + ${forCount}, resolved_build = ${build}, resolved_order = ${build && buildOrder(build)}
  WHERE id = ${id}`;

/** Moves the issue to the trash, or restores it if `atMs` is null. */
export const setIssueDeletedAt = (id: string, atMs: number | null): Statement =>
  sql`UPDATE issue SET deleted_at_ms = ${atMs} WHERE id = ${id}`;

/** Deletes an issue with its counts, its reports and the issues merged into it. */
export const deleteIssue = (id: string): Statement => sql`DELETE FROM issue WHERE id = ${id}`;

/** Recomputes the count, times and builds of each issue from its fingerprints. An issue without fingerprints keeps its times. */
const recomputeTotals = (seqs: readonly number[]): Statement => sql`
  UPDATE issue SET count = coalesce(c, 0), first_seen_ms = coalesce(f, first_seen_ms), last_seen_ms = coalesce(l, last_seen_ms),
    first_build = (
      SELECT first_build FROM issue_fingerprint WHERE issue_seq = target AND first_build IS NOT NULL
      ORDER BY first_seen_ms LIMIT 1),
    last_build = (
      SELECT last_build FROM issue_fingerprint WHERE issue_seq = target AND last_build IS NOT NULL
      ORDER BY last_seen_ms DESC LIMIT 1)
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

export const createEventIssueStore = (storage: Pick<Storage, "read">) => ({
  /**
   * Returns issue ids by event id: through the stored report, otherwise through the receipt. A merged issue is replaced by
   * its target; a deleted one is left out.
   */
  async issuesOf(events: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (events.length === 0) return new Map();
    // A receipt names the issue in its reason, the message `issue.grouped`.
    const rows = await storage.read(sql`
      SELECT w.value AS event, coalesce(
        (SELECT i.id FROM issue_sample AS s JOIN issue_fingerprint AS f ON f.seq = s.fingerprint_seq
          JOIN issue AS i ON i.seq = f.issue_seq WHERE s.event = w.value),
        (SELECT coalesce(m.id, i.id) FROM event AS e
          JOIN receipt AS r ON r.event_seq = e.seq AND r.state = 'grouped' AND r.by = 'monitor'
          JOIN issue AS i ON i.id = r.reason ->> '$.values.issue' LEFT JOIN issue AS m ON m.seq = i.merged_into
          WHERE e.id = w.value ORDER BY r.seq DESC LIMIT 1)) AS issue
      FROM json_each(${JSON.stringify(events)}) AS w`);
    return new Map(rows.flatMap(({ event, issue }) => (issue === null ? [] : [[String(event), String(issue)]])));
  },
  /**
   * Returns, for each range of journal positions, the issues of its reports, read from their receipts. Each range includes
   * both its ends.
   */
  async issuesWithin(stretches: readonly (readonly [number, number])[]): Promise<readonly ReadonlySet<string>[]> {
    const rows = await storage.read(sql`
      SELECT w.stretch AS stretch, coalesce(m.id, i.id) AS issue
      FROM (SELECT DISTINCT w.key AS stretch, r.reason ->> '$.values.issue' AS issue
        FROM json_each(${JSON.stringify(stretches)}) AS w
        CROSS JOIN receipt AS r ON r.event_seq BETWEEN w.value ->> 0 AND w.value ->> 1
        WHERE r.state = 'grouped' AND r.by = 'monitor') AS w
      JOIN issue AS i ON i.id = w.issue LEFT JOIN issue AS m ON m.seq = i.merged_into`);
    const ofStretches = Map.groupBy(rows, ({ stretch }) => Number(stretch));
    return stretches.map((_, index) => new Set(ofStretches.get(index)?.map(({ issue }) => String(issue))));
  },
});

export const createIssueCountStore = (storage: Pick<Storage, "read">) => ({
  /** An issue whose mute has expired counts as open, as in the list. */
  async openIssuesPerGame(nowMs: number): Promise<ReadonlyMap<string, number>> {
    const rows = await storage.read(sql`
      SELECT game, count(*) AS issues FROM issue
      WHERE listed = 0 AND game IS NOT NULL
        AND (state IN ('open', 'regressed') OR (state = 'muted' AND muted_until_ms <= ${nowMs})) GROUP BY game`);
    return new Map(rows.map(({ game, issues }) => [String(game), Number(issues)]));
  },
});
