// The posts that are kept, in SQL: how many of each game, and all of one game wiped.
import { type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

export const createKeptPostStore = (storage: Pick<Storage, "read">) => ({
  async count(): Promise<Map<string | null, { posts: number }>> {
    const rows = await storage.read(sql`SELECT game, count(*) AS posts FROM post GROUP BY game`);
    return new Map(rows.map(({ game, posts }) => [game === null ? null : String(game), { posts: Number(posts) }]));
  },
  /** Rules by id. A post whose request is out stays: it may be there, and a person is told so. */
  wiped(game: string | null, rules: readonly string[]): Statement[] {
    return [
      sql`
        DELETE FROM post WHERE game IS ${game}
          AND NOT EXISTS (SELECT 1 FROM delivery WHERE post_seq = post.seq AND state = 'sending')`,
      sql`DELETE FROM post_rule WHERE id IN (SELECT value FROM json_each(${JSON.stringify(rules)}))`,
    ];
  },
});
