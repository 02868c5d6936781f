// SQL that the games slice reads issues with: the issues of events and of sessions, and the open issues of each game.
import { sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

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
