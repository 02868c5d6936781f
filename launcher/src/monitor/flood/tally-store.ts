// SQL of the tallies: counts are first stored as rows of their own, then moved into the sums of the issues.
import { type Row, type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import type { ReportCount } from "../grouping/group.ts";
import { addReportCounts } from "../grouping/grouping-store.ts";

/** Must be committed before the reports are answered. Inserts nothing if the fingerprint was deleted meanwhile. */
export function insertTally({ fingerprint, minutes, firstMs, lastMs }: ReportCount): Statement {
  const { game, version, key } = fingerprint;
  return sql`
    INSERT INTO issue_tally (fingerprint_seq, minute_ms, n, first_ms, last_ms)
    SELECT f.seq, value ->> 0, value ->> 1, ${firstMs}, ${lastMs}
    FROM issue_fingerprint AS f, json_each(${JSON.stringify([...minutes])})
    WHERE f.game = ${game} AND f.version = ${version} AND f.key = ${key}`;
}

/** The counts of one fingerprint that are not in its sums yet. `upTo` is the number of the newest row among them. */
export type Tally = { readonly fingerprint: number; readonly upTo: number; readonly count: ReportCount };

/** Adds a tally to the sums and deletes its rows. */
export const moveTallyToSums = ({ fingerprint, upTo, count }: Tally): Statement[] => [
  ...addReportCounts(count),
  sql`DELETE FROM issue_tally WHERE fingerprint_seq = ${fingerprint} AND seq <= ${upTo}`,
];

function tallyOf(row: Row): Tally {
  const minutes = new Map<number, number>();
  for (const [minuteMs, n] of JSON.parse(String(row.minutes)) as [number, number][])
    minutes.set(minuteMs, (minutes.get(minuteMs) ?? 0) + n);
  const identity = { game: String(row.game), version: Number(row.version), key: String(row.key) };
  const times = { firstMs: Number(row.firstMs), lastMs: Number(row.lastMs) };
  return {
    fingerprint: Number(row.fingerprint),
    upTo: Number(row.upTo),
    count: { fingerprint: identity, n: Number(row.n), minutes, ...times },
  };
}

export type TallyStore = ReturnType<typeof createTallyStore>;

export const createTallyStore = (storage: Pick<Storage, "read">) => ({
  /** Reads the tallies of at most `limit` fingerprints. */
  async readTallies(limit: number): Promise<Tally[]> {
    const rows = await storage.read(sql`
      SELECT f.seq AS fingerprint, f.game AS game, f.version AS version, f.key AS key, sum(t.n) AS n,
        min(first_ms) AS firstMs, max(last_ms) AS lastMs, max(t.seq) AS upTo,
        json_group_array(json_array(minute_ms, t.n)) AS minutes
      FROM issue_tally AS t JOIN issue_fingerprint AS f ON f.seq = t.fingerprint_seq
      GROUP BY t.fingerprint_seq LIMIT ${limit}`);
    return rows.map(tallyOf);
  },
});
