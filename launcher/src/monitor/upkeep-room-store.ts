// Which issues go to make room, in SQL.
import { concatSql, type Row, type Statement, sql } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";

/** The longest silent ones of a state are compared with those of the other states. */
const comparedMax = 200;

export type Leaving = {
  readonly seq: number;
  readonly listed: number;
  readonly state: string;
  readonly lastSeenMs: number;
  /** Rows that go with it. */
  readonly rows: number;
};
export type Share = { readonly game: string | null; readonly issues: number };
export type Size = { readonly issues: number; readonly bytes: number };

/** Nobody wrote on it, nor on what was merged into it. */
const unnoted = sql` note IS NULL AND NOT EXISTS (
  SELECT 1 FROM issue AS part WHERE part.merged_into = issue.seq AND part.note IS NOT NULL)`;

/** Those of them that are still as they were when they were chosen. */
function unchanged(leaving: readonly Leaving[]): Statement {
  const wanted = JSON.stringify(leaving.map(({ seq, listed, state, lastSeenMs }) => [seq, listed, state, lastSeenMs]));
  return sql`
    FROM json_each(${wanted}) AS w CROSS JOIN issue ON seq = w.value ->> 0
    WHERE listed = w.value ->> 1 AND state = w.value ->> 2 AND last_seen_ms = w.value ->> 3`;
}

/** For good, with all that belongs to them. */
export const left = (leaving: readonly Leaving[]): Statement =>
  concatSql(sql`DELETE FROM issue WHERE seq IN (SELECT seq`, unchanged(leaving), sql`)`);

/** The same, counted as forgotten; what somebody wrote on meanwhile stays. */
export function forgotten(leaving: readonly Leaving[]): Statement[] {
  const which = concatSql(unchanged(leaving), sql` AND`, unnoted);
  return [
    concatSql(
      sql`INSERT INTO issue_forgotten (game, issues, reports) SELECT coalesce(game, '') AS of_game, count(*), sum(count)`,
      which,
      sql` GROUP BY of_game ON CONFLICT (game) DO UPDATE SET issues = issues + excluded.issues, reports = reports + excluded.reports`,
    ),
    concatSql(sql`DELETE FROM issue WHERE seq IN (SELECT seq`, which, sql`)`),
  ];
}

/** Silence counts by so much: what is resolved or muted is missed less than what is open. */
const weights = { resolved: 4, muted: 2, open: 1, regressed: 1 } as const;
const states = Object.keys(weights) as (keyof typeof weights)[];
/** What came back after more than an hour was no accident of one moment. */
const cameBackAfterMs = 3_600_000;
const cameBackWeight = 0.25;

const silentLongest = (state: keyof typeof weights, game: string | null, nowMs: number): Statement =>
  concatSql(
    sql`
    SELECT * FROM (
      SELECT seq, listed, state, last_seen_ms, ${weights[state]} * (${nowMs} - last_seen_ms)
        * iif(last_seen_ms - first_seen_ms > ${cameBackAfterMs}, ${cameBackWeight}, 1) AS silence
      FROM issue INDEXED BY issue_by_game WHERE listed = 0 AND game IS ${game} AND state = ${state} AND`,
    unnoted,
    sql` ORDER BY last_seen_ms LIMIT ${comparedMax})`,
  );

const rowsOf = sql`
  SELECT seq, listed, state, last_seen_ms AS lastSeenMs, (
    SELECT count(*) FROM issue_fingerprint AS f JOIN issue_count AS c ON c.fingerprint_seq = f.seq WHERE f.issue_seq = chosen.seq)
    + (SELECT count(*) FROM issue_fingerprint AS f JOIN issue_sample AS s ON s.fingerprint_seq = f.seq WHERE f.issue_seq = chosen.seq)
    AS rows`;

const leavingOf = (row: Row): Leaving => ({
  seq: Number(row.seq),
  listed: Number(row.listed),
  state: String(row.state),
  lastSeenMs: Number(row.lastSeenMs),
  rows: Number(row.rows),
});

export type RoomStore = ReturnType<typeof createRoomStore>;

export function createRoomStore(storage: Storage) {
  const leaving = async (which: Statement) =>
    (await storage.read(concatSql(rowsOf, sql` FROM (`, which, sql`) AS chosen`))).map(leavingOf);
  return {
    async size(): Promise<Size> {
      const [row] = await storage.read(sql`SELECT issues, bytes FROM issue_size`);
      return { issues: Number(row?.issues), bytes: Number(row?.bytes) };
    },
    /** How many each game has. */
    async shares(): Promise<Share[]> {
      const rows = await storage.read(sql`
        SELECT game, count(*) AS issues FROM issue INDEXED BY issue_by_game WHERE listed = 0 GROUP BY game`);
      return rows.map(({ game, issues }) => ({ game: game == null ? null : String(game), issues: Number(issues) }));
    },
    /** Of what lies in the bin the oldest, those that were put there before `beforeMs`. */
    binned: (beforeMs: number, max: number): Promise<Leaving[]> =>
      leaving(sql`
        SELECT seq, listed, state, last_seen_ms FROM issue INDEXED BY issue_in_bin
        WHERE deleted_at_ms < ${beforeMs} AND listed = 1 ORDER BY deleted_at_ms LIMIT ${max}`),
    /** Of what lies in the bin the oldest that nobody wrote on. */
    binnedUnnoted: (max: number): Promise<Leaving[]> =>
      leaving(
        concatSql(
          sql`
          SELECT seq, listed, state, last_seen_ms FROM issue INDEXED BY issue_in_bin
          WHERE deleted_at_ms IS NOT NULL AND listed = 1 AND`,
          unnoted,
          sql` ORDER BY deleted_at_ms LIMIT ${max}`,
        ),
      ),
    /** A game's least relevant. */
    leastRelevant: (game: string | null, nowMs: number, max: number): Promise<Leaving[]> =>
      leaving(
        concatSql(
          sql`SELECT seq, listed, state, last_seen_ms FROM (`,
          ...states.flatMap((state, index) => [
            index === 0 ? sql`` : sql` UNION ALL `,
            silentLongest(state, game, nowMs),
          ]),
          sql`) ORDER BY silence DESC LIMIT ${max}`,
        ),
      ),
  };
}
