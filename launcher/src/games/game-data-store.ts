// Counts the sessions of each game, and deletes what the games slice stores about one game.
import { type Statement, sql } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";
import type { TriggerId } from "./sender-store.ts";

export const createGameDataStore = (storage: Pick<Storage, "read">) => ({
  async count(): Promise<Map<string | null, { sessions: number }>> {
    const rows = await storage.read(sql`SELECT game, count(*) AS sessions FROM game_session GROUP BY game`);
    return new Map(
      rows.map(({ game, sessions }) => [game === null ? null : String(game), { sessions: Number(sessions) }]),
    );
  },
  /** Deletes sessions, settings, programs and senders of the game, and its event ids with their switches and labels. */
  wipeStatements(game: string | null, ids: readonly TriggerId[], senders: readonly number[]): Statement[] {
    const named = JSON.stringify(ids);
    const by = JSON.stringify(senders);
    return [
      sql`DELETE FROM game_session WHERE game IS ${game}`,
      sql`DELETE FROM game_session_sender WHERE sender IN (SELECT value FROM json_each(${by}))`,
      sql`DELETE FROM sender WHERE id IN (SELECT value FROM json_each(${by}))`,
      sql`DELETE FROM sender_event_id WHERE (kind, event_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${named}))`,
      sql`DELETE FROM rule WHERE (kind, event_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${named}))`,
      sql`DELETE FROM event_look WHERE event_id IN (SELECT value ->> 1 FROM json_each(${named}))`,
      ...(game === null
        ? []
        : [
            sql`DELETE FROM game WHERE game = ${game}`,
            sql`DELETE FROM game_program WHERE game = ${game}`,
            sql`DELETE FROM game_source WHERE game = ${game}`,
            sql`DELETE FROM game_entry WHERE game = ${game}`,
            sql`DELETE FROM proposed_command WHERE game = ${game}`,
          ]),
    ];
  },
});
