// SQL that other slices read the posts of events and games with, and that counts and wipes the posts of a game.
import { demoAccountName, demoGame } from "@kit/contract";
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

export const createPostExportStore = (storage: Pick<Storage, "read">) => ({
  async count(): Promise<Map<string | null, { posts: number }>> {
    const rows = await storage.read(sql`SELECT game, count(*) AS posts FROM post GROUP BY game`);
    return new Map(rows.map(({ game, posts }) => [game === null ? null : String(game), { posts: Number(posts) }]));
  },
  /**
   * Returns the accounts to delete with a game. Only the demo has one: its webhook, unless a rule or a post that stays needs it.
   * `rules` are the ids of the rules that are deleted.
   */
  async accountsOf(game: string | null, rules: readonly string[]): Promise<string[]> {
    if (game !== demoGame) return [];
    const rows = await storage.read(sql`
      SELECT id FROM account WHERE network = 'webhook' AND name = ${demoAccountName}
        AND NOT EXISTS (
          SELECT 1 FROM post_rule, json_each(post_rule.accounts) AS named WHERE named.value = account.id
            AND post_rule.id NOT IN (SELECT value FROM json_each(${JSON.stringify(rules)})))
        AND NOT EXISTS (
          SELECT 1 FROM delivery JOIN post ON post.seq = post_seq WHERE delivery.account = account.id
            AND (delivery.state = 'sending' OR (game IS NOT ${game} AND delivery.state IN ('waiting', 'preparing'))))`);
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
