// How many issues of each game are open or came back, in SQL.
import { sql } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";

export const createIssueCountStore = (storage: Pick<Storage, "read">) => ({
  /** What was muted until now is open again, as in the list. */
  async issuesOfGames(nowMs: number): Promise<ReadonlyMap<string, number>> {
    const rows = await storage.read(sql`
      SELECT game, count(*) AS issues FROM issue
      WHERE listed = 0 AND game IS NOT NULL
        AND (state IN ('open', 'regressed') OR (state = 'muted' AND muted_until_ms <= ${nowMs})) GROUP BY game`);
    return new Map(rows.map(({ game, issues }) => [String(game), Number(issues)]));
  },
});
