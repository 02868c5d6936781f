// SQL of upkeep: counts, mutes, and the eviction of reports and issues. Each statement does a bounded part of the work, so that
// new reports never wait long.
import { concatSql, type Row, type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

/** The roll-ups: counts of `from` spans become counts of `to` spans, which last `toMs`. */
const rollUps = [
  { from: "minute", to: "hour", toMs: 3_600_000 },
  { from: "hour", to: "day", toMs: 86_400_000 },
] as const;
export type RollUp = (typeof rollUps)[number];
export const [minutesToHours, hoursToDays] = rollUps;

const countsAtOnce = 250;
const unmutedAtOnce = 50;

const lastWholeSpanEnd = ({ toMs }: RollUp, beforeMs: number) => Math.floor(beforeMs / toMs) * toMs;

/** Rolls up some counts of spans that ended before `beforeMs`, oldest first. The total does not change. */
export function rollUpCounts(span: RollUp, beforeMs: number): Statement[] {
  const { from, to, toMs } = span;
  const endMs = lastWholeSpanEnd(span, beforeMs);
  return [
    sql`
      INSERT INTO issue_count (fingerprint_seq, at_ms, span, n)
      SELECT fingerprint_seq, at_ms - at_ms % ${toMs} AS began, ${to}, sum(n) FROM (
        SELECT fingerprint_seq, at_ms, n FROM issue_count INDEXED BY issue_count_by_age
        WHERE span = ${from} AND at_ms < ${endMs} ORDER BY at_ms, fingerprint_seq LIMIT ${countsAtOnce})
      WHERE true GROUP BY fingerprint_seq, began
      ON CONFLICT (fingerprint_seq, at_ms, span) DO UPDATE SET n = n + excluded.n`,
    sql`
      DELETE FROM issue_count WHERE span = ${from} AND (fingerprint_seq, at_ms) IN (
        SELECT fingerprint_seq, at_ms FROM issue_count INDEXED BY issue_count_by_age
        WHERE span = ${from} AND at_ms < ${endMs} ORDER BY at_ms, fingerprint_seq LIMIT ${countsAtOnce})`,
  ];
}

/** Reopens issues whose mute has expired, up to a maximum per call. */
export const unmuteDueIssues = (nowMs: number): Statement => sql`
  UPDATE issue SET state = 'open', state_since_ms = muted_until_ms WHERE seq IN (
    SELECT seq FROM issue INDEXED BY issue_waking WHERE state = 'muted' AND muted_until_ms <= ${nowMs} LIMIT ${unmutedAtOnce})`;

// Eviction of stored reports. They are read in pages, so that no statement takes long.

const readAtOnce = 2_000;
const truncatedAtOnce = 10;

/** The bytes of all reports of one level. Reports of a level are about equally expendable; the highest level goes first. */
type Level = { readonly level: number; readonly bytes: number };
type DeletableSamples = {
  /** Where the next page starts. Null after the last page. */
  readonly next: number | null;
  readonly rows: readonly (Level & { readonly seq: number })[];
};

const deletableSampleOf = (row: Row) => ({ seq: Number(row.seq), level: Number(row.level), bytes: Number(row.bytes) });

export const deleteSamples = (seqs: readonly number[]): Statement =>
  sql`DELETE FROM issue_sample WHERE seq IN (SELECT value FROM json_each(${JSON.stringify(seqs)}))`;

/** Truncates some of the longest reports. */
export const truncateLongestSamples = (charsMax: number): Statement => sql`
  UPDATE issue_sample SET bytes = octet_length(shorter), body = shorter FROM (
    SELECT seq AS which, json_array(substr(body ->> 0, 1, ${charsMax}), substr(body ->> 1, 1, ${charsMax})) AS shorter
    FROM issue_sample INDEXED BY sample_bytes WHERE bytes > ${charsMax * 2} ORDER BY bytes DESC LIMIT ${truncatedAtOnce})
  WHERE seq = which`;

export type SampleStore = ReturnType<typeof createSampleStore>;

const createSampleStore = (storage: Storage) => ({
  /** Total bytes of all stored reports. */
  async bytes(): Promise<number> {
    const [row] = await storage.read(sql`SELECT sample_bytes AS bytes FROM issue_size`);
    return Number(row?.bytes);
  },
  async hasSampleOver(bytes: number): Promise<boolean> {
    return (await storage.read(sql`SELECT 1 FROM issue_sample WHERE bytes > ${bytes} LIMIT 1`)).length > 0;
  },
  /**
   * Reads a page of reports that may be deleted: all but the first and the newest of each fingerprint. A level is higher by
   * about four if the fingerprint had twice as many reports, or if the report is four times as old.
   */
  async readDeletable(after: number, nowMs: number): Promise<DeletableSamples> {
    const [part] = await storage.read(sql`
      SELECT max(seq) AS last, count(*) AS n FROM (SELECT seq FROM issue_sample WHERE seq > ${after} ORDER BY seq LIMIT ${readAtOnce})`);
    const last = Number(part?.last);
    const rows = await storage.read(sql`
      SELECT seq, bytes, CAST(4 * (irrelevance + log(4.0, max(0, ${nowMs} - at_ms) / 3600000.0 + 1)) AS INTEGER) AS level
      FROM issue_sample AS s
      WHERE seq > ${after} AND seq <= ${last} AND number > 1
        AND number < (SELECT max(number) FROM issue_sample WHERE fingerprint_seq = s.fingerprint_seq)`);
    return { next: Number(part?.n) < readAtOnce ? null : last, rows: rows.map(deletableSampleOf) };
  },
});

// Eviction of issues.

/** Maximum issues of each state that are compared in one round. */
const candidatesPerStateMax = 200;

export type EvictionCandidate = {
  readonly seq: number;
  readonly listed: number;
  readonly state: string;
  readonly lastSeenMs: number;
  /** Number of rows that are deleted with the issue. */
  readonly rows: number;
};
export type GameIssueCount = { readonly game: string | null; readonly issues: number };
export type IssueTableSize = { readonly issues: number; readonly bytes: number };

/** The condition that neither the issue nor an issue merged into it has a note. */
const hasNoNote = sql` note IS NULL AND NOT EXISTS (
  SELECT 1 FROM issue AS part WHERE part.merged_into = issue.seq AND part.note IS NOT NULL)`;

/** Selects those of the candidates that did not change since they were chosen. */
function stillUnchanged(leaving: readonly EvictionCandidate[]): Statement {
  const wanted = JSON.stringify(leaving.map(({ seq, listed, state, lastSeenMs }) => [seq, listed, state, lastSeenMs]));
  return sql`
    FROM json_each(${wanted}) AS w CROSS JOIN issue ON seq = w.value ->> 0
    WHERE listed = w.value ->> 1 AND state = w.value ->> 2 AND last_seen_ms = w.value ->> 3`;
}

/** Permanently deletes issues with everything that belongs to them. */
export const deleteIssues = (leaving: readonly EvictionCandidate[]): Statement =>
  concatSql(sql`DELETE FROM issue WHERE seq IN (SELECT seq`, stillUnchanged(leaving), sql`)`);

/** Deletes issues and counts them as evicted. Skips an issue that got a note since it was chosen. */
export function deleteAndCountIssues(leaving: readonly EvictionCandidate[]): Statement[] {
  const which = concatSql(stillUnchanged(leaving), sql` AND`, hasNoNote);
  return [
    concatSql(
      sql`INSERT INTO issue_forgotten (game, issues, reports) SELECT coalesce(game, '') AS of_game, count(*), sum(count)`,
      which,
      sql` GROUP BY of_game ON CONFLICT (game) DO UPDATE SET issues = issues + excluded.issues, reports = reports + excluded.reports`,
    ),
    concatSql(sql`DELETE FROM issue WHERE seq IN (SELECT seq`, which, sql`)`),
  ];
}

/** The time since the last report is multiplied by this, so that resolved and muted issues are evicted before open ones. */
const silenceWeights = { resolved: 4, muted: 2, open: 1, regressed: 1 } as const;
const states = Object.keys(silenceWeights) as (keyof typeof silenceWeights)[];
/** An issue whose first and last report are further apart than this recurs. It is evicted later: its weight is lower. */
const recurringAfterMs = 3_600_000;
const recurringWeight = 0.25;

const longestSilent = (state: keyof typeof silenceWeights, game: string | null, nowMs: number): Statement =>
  concatSql(
    sql`
    SELECT * FROM (
      SELECT seq, listed, state, last_seen_ms, ${silenceWeights[state]} * (${nowMs} - last_seen_ms)
        * iif(last_seen_ms - first_seen_ms > ${recurringAfterMs}, ${recurringWeight}, 1) AS silence
      FROM issue INDEXED BY issue_by_game WHERE listed = 0 AND game IS ${game} AND state = ${state} AND`,
    hasNoNote,
    sql` ORDER BY last_seen_ms LIMIT ${candidatesPerStateMax})`,
  );

const selectWithRowCount = sql`
  SELECT seq, listed, state, last_seen_ms AS lastSeenMs, (
    SELECT count(*) FROM issue_fingerprint AS f JOIN issue_count AS c ON c.fingerprint_seq = f.seq WHERE f.issue_seq = chosen.seq)
    + (SELECT count(*) FROM issue_fingerprint AS f JOIN issue_sample AS s ON s.fingerprint_seq = f.seq WHERE f.issue_seq = chosen.seq)
    AS rows`;

const candidateOf = (row: Row): EvictionCandidate => ({
  seq: Number(row.seq),
  listed: Number(row.listed),
  state: String(row.state),
  lastSeenMs: Number(row.lastSeenMs),
  rows: Number(row.rows),
});

export type IssueEvictionStore = ReturnType<typeof createIssueEvictionStore>;

function createIssueEvictionStore(storage: Storage) {
  const readCandidates = async (which: Statement) =>
    (await storage.read(concatSql(selectWithRowCount, sql` FROM (`, which, sql`) AS chosen`))).map(candidateOf);
  return {
    async size(): Promise<IssueTableSize> {
      const [row] = await storage.read(sql`SELECT issues, bytes FROM issue_size`);
      return { issues: Number(row?.issues), bytes: Number(row?.bytes) };
    },
    async issuesPerGame(): Promise<GameIssueCount[]> {
      const rows = await storage.read(sql`
        SELECT game, count(*) AS issues FROM issue INDEXED BY issue_by_game WHERE listed = 0 GROUP BY game`);
      return rows.map(({ game, issues }) => ({ game: game == null ? null : String(game), issues: Number(issues) }));
    },
    /** Returns issues that were moved to the trash before `beforeMs`, oldest first. */
    trashedBefore: (beforeMs: number, max: number): Promise<EvictionCandidate[]> =>
      readCandidates(sql`
        SELECT seq, listed, state, last_seen_ms FROM issue INDEXED BY issue_in_bin
        WHERE deleted_at_ms < ${beforeMs} AND listed = 1 ORDER BY deleted_at_ms LIMIT ${max}`),
    /** Returns issues in the trash that have no note, oldest first. */
    trashedWithoutNote: (max: number): Promise<EvictionCandidate[]> =>
      readCandidates(
        concatSql(
          sql`
          SELECT seq, listed, state, last_seen_ms FROM issue INDEXED BY issue_in_bin
          WHERE deleted_at_ms IS NOT NULL AND listed = 1 AND`,
          hasNoNote,
          sql` ORDER BY deleted_at_ms LIMIT ${max}`,
        ),
      ),
    /** Returns the issues of a game that have been without reports for longest, weighted by state and recurrence. */
    leastRelevant: (game: string | null, nowMs: number, max: number): Promise<EvictionCandidate[]> =>
      readCandidates(
        concatSql(
          sql`SELECT seq, listed, state, last_seen_ms FROM (`,
          ...states.flatMap((state, index) => [
            index === 0 ? sql`` : sql` UNION ALL `,
            longestSilent(state, game, nowMs),
          ]),
          sql`) ORDER BY silence DESC LIMIT ${max}`,
        ),
      ),
  };
}

export type UpkeepStore = ReturnType<typeof createUpkeepStore>;

export const createUpkeepStore = (storage: Storage) => ({
  samples: createSampleStore(storage),
  issues: createIssueEvictionStore(storage),
  async hasCountsBefore(span: RollUp, beforeMs: number): Promise<boolean> {
    const rows = await storage.read(sql`
      SELECT 1 FROM issue_count INDEXED BY issue_count_by_age
      WHERE span = ${span.from} AND at_ms < ${lastWholeSpanEnd(span, beforeMs)} LIMIT 1`);
    return rows.length > 0;
  },
  async hasDueMutes(nowMs: number): Promise<boolean> {
    const rows = await storage.read(sql`
      SELECT 1 FROM issue INDEXED BY issue_waking WHERE state = 'muted' AND muted_until_ms <= ${nowMs} LIMIT 1`);
    return rows.length > 0;
  },
});
