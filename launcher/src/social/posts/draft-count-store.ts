// Counts the drafts of each game in SQL.
import { sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

export const createDraftCountStore = (storage: Pick<Storage, "read">) => ({
  async draftsOfGames(): Promise<ReadonlyMap<string, number>> {
    const rows = await storage.read(
      sql`SELECT game, count(*) AS drafts FROM post WHERE state = 'draft' AND game IS NOT NULL GROUP BY game`,
    );
    return new Map(rows.map(({ game, drafts }) => [String(game), Number(drafts)]));
  },
});
