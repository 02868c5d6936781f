// SQL of what other slices ask about posts: those of events and of games, the clips that they need, and how they are wiped.
import { demoGame } from "@kit/contract";
import { type Statement, sql } from "../../storage/sql.ts";
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

/** Returns the ids of the clips of posts that can still be sent. */
export async function clipsOfWaitingPosts(storage: Pick<Storage, "read">): Promise<ReadonlySet<string>> {
  const rows = await storage.read(sql`
    SELECT coalesce(clip, from_clip) AS clip FROM post
    WHERE state IN ('draft', 'held', 'approved', 'sending', 'failed', 'unsure') AND attach <> 'none' AND coalesce(clip, from_clip) IS NOT NULL`);
  return new Set(rows.map(({ clip }) => String(clip)));
}

export const createPostExportStore = (storage: Pick<Storage, "read">) => ({
  async count(): Promise<Map<string | null, { posts: number }>> {
    const rows = await storage.read(sql`SELECT game, count(*) AS posts FROM post GROUP BY game`);
    return new Map(rows.map(({ game, posts }) => [game === null ? null : String(game), { posts: Number(posts) }]));
  },
  /**
   * Returns the accounts to delete with a game. Only the demo has one. It stays while it is being sent to, because that post
   * stays too.
   */
  async accountsOf(game: string | null): Promise<string[]> {
    if (game !== demoGame) return [];
    const rows = await storage.read(sql`
      SELECT id FROM account WHERE demo = 1
        AND NOT EXISTS (SELECT 1 FROM delivery WHERE delivery.account = account.id AND delivery.state = 'sending')`);
    return rows.map(({ id }) => String(id));
  },
  /**
   * Deletes the posts of the game, and these rules and accounts. Keeps posts that are being sent, because they may already
   * exist.
   */
  wiped(game: string | null, rules: readonly string[], accounts: readonly string[]): Statement[] {
    return [
      sql`
        DELETE FROM post WHERE game IS ${game}
          AND NOT EXISTS (SELECT 1 FROM delivery WHERE post_seq = post.seq AND state = 'sending')`,
      sql`DELETE FROM post_rule WHERE id IN (SELECT value FROM json_each(${JSON.stringify(rules)}))`,
      sql`DELETE FROM account WHERE id IN (SELECT value FROM json_each(${JSON.stringify(accounts)}))`,
    ];
  },
});
