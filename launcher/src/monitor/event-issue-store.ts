// Finds the issue of a report in SQL: through the stored report, otherwise through its receipt.
import { sql } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";

export const createEventIssueStore = (storage: Pick<Storage, "read">) => ({
  /** Returns issue ids by event id. A merged issue is replaced by its target; a deleted one is left out. */
  async issuesOf(events: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (events.length === 0) return new Map();
    // The reason of a receipt is the message `issue.grouped`.
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
  /** Returns the issues of the reports in each range of the journal, read from their receipts. */
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
