// SQL that the games slice reads posts with: the post of each event, and the drafts of each game.
import { sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

export const createEventPostStore = (storage: Pick<Storage, "read">) => ({
  /** Returns the id of the post of each event that has one, by event id. */
  async postsOf(events: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (events.length === 0) return new Map();
    const rows = await storage.read(sql`
      SELECT event, id FROM post WHERE event IN (SELECT value FROM json_each(${JSON.stringify(events)}))`);
    return new Map(rows.map(({ event, id }) => [String(event), String(id)]));
  },
});

export const createDraftCountStore = (storage: Pick<Storage, "read">) => ({
  async draftsOfGames(): Promise<ReadonlyMap<string, number>> {
    const rows = await storage.read(
      sql`SELECT game, count(*) AS drafts FROM post WHERE state = 'draft' AND game IS NOT NULL GROUP BY game`,
    );
    return new Map(rows.map(({ game, drafts }) => [String(game), Number(drafts)]));
  },
});
