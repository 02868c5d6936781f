// What keeps the issues within their share of the disk, in SQL.
import { type Statement, sql } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";

/** The spans that counts are kept in, each with how long it is. */
const spans = [
  { from: "minute", to: "hour", toMs: 3_600_000 },
  { from: "hour", to: "day", toMs: 86_400_000 },
] as const;
export type Span = (typeof spans)[number];
export const [minutesToHours, hoursToDays] = spans;

/** Adds up what is older, as far as whole spans go. The sum of all stays what it is. */
export function rolled({ from, to, toMs }: Span, beforeMs: number): Statement[] {
  const endMs = Math.floor(beforeMs / toMs) * toMs;
  return [
    sql`
      INSERT INTO issue_count (fingerprint_seq, at_ms, span, n)
      SELECT fingerprint_seq, at_ms - at_ms % ${toMs}, ${to}, sum(n) FROM issue_count
      WHERE span = ${from} AND at_ms < ${endMs} GROUP BY 1, 2
      ON CONFLICT (fingerprint_seq, at_ms, span) DO UPDATE SET n = n + excluded.n`,
    sql`DELETE FROM issue_count WHERE span = ${from} AND at_ms < ${endMs}`,
  ];
}

/** Those in the bin since before then go for good. */
export const binEmptied = (beforeMs: number): Statement => sql`DELETE FROM issue WHERE deleted_at_ms < ${beforeMs}`;

export const woken = (nowMs: number): Statement => sql`
  UPDATE issue SET state = 'open', state_since_ms = muted_until_ms WHERE state = 'muted' AND muted_until_ms <= ${nowMs}`;

/** The least relevant reports go: of what there is much of, and of long ago, first; of each kind the first and the newest stay. */
export const evicted = (bytes: number, nowMs: number): Statement => sql`
  DELETE FROM issue_sample WHERE seq IN (
    SELECT seq FROM (
      SELECT seq, bytes, sum(bytes) OVER (
        ORDER BY irrelevance + log(4.0, max(0, ${nowMs} - at_ms) / 3600000.0 + 1) DESC, seq) AS freed
      FROM issue_sample AS s
      WHERE number > 1 AND number < (SELECT max(number) FROM issue_sample WHERE fingerprint_seq = s.fingerprint_seq))
    WHERE freed - bytes < ${bytes})`;

/** What must stay is cut, the longest first, when it is too much by itself. */
export const cut = (bytes: number, charsMax: number): Statement => sql`
  UPDATE issue_sample SET bytes = octet_length(shorter), body = shorter FROM (
    SELECT seq AS which, json_array(substr(body ->> 0, 1, ${charsMax}), substr(body ->> 1, 1, ${charsMax})) AS shorter
    FROM (SELECT seq, body, bytes, sum(bytes) OVER (ORDER BY bytes DESC, seq) AS freed FROM issue_sample WHERE bytes > ${charsMax * 2})
    WHERE freed - bytes < ${bytes})
  WHERE seq = which`;

export type UpkeepStore = ReturnType<typeof createUpkeepStore>;

export const createUpkeepStore = (storage: Storage) => ({
  /** Of all kept reports. */
  async sampleBytes(): Promise<number> {
    const [row] = await storage.read(sql`SELECT coalesce(sum(bytes), 0) AS bytes FROM issue_sample`);
    return Number(row?.bytes);
  },
});
