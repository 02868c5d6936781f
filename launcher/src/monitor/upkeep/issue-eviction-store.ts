// SQL for the eviction of issues.
import { concatSql, type Row, type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

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

export function createIssueEvictionStore(storage: Storage) {
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
