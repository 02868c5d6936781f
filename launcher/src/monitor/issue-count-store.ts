// Counts the open and regressed issues of each game in SQL.
import { sql } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";

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
