// SQL for the eviction of stored reports. They are read in pages, so that no statement takes long.
import { type Row, type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

const readAtOnce = 2_000;
const truncatedAtOnce = 10;

/** The bytes of all reports of one level. Reports of a level are about equally expendable; the highest level goes first. */
type Level = { readonly level: number; readonly bytes: number };
export type DeletableSamples = {
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

export const createSampleStore = (storage: Storage) => ({
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
