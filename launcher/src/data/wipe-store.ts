// Stores planned wipes in SQL.
import { type Statement, sql } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";

export type PlannedWipe = { readonly game: string | null; readonly dueMs: number };

/** Unsorted data has an empty name in the table. */
const nameOf = (game: string | null) => game ?? "";

export const insertWipe = ({ game, dueMs }: PlannedWipe): Statement => sql`
  INSERT INTO wipe (game, due_ms) VALUES (${nameOf(game)}, ${dueMs}) ON CONFLICT (game) DO NOTHING`;

export const deleteWipe = (game: string | null): Statement => sql`DELETE FROM wipe WHERE game = ${nameOf(game)}`;

export async function listPlannedWipes(storage: Pick<Storage, "read">): Promise<PlannedWipe[]> {
  const rows = await storage.read(sql`SELECT game, due_ms AS dueMs FROM wipe ORDER BY due_ms, game`);
  return rows.map(({ game, dueMs }) => ({ game: game === "" ? null : String(game), dueMs: Number(dueMs) }));
}

/** To be used on a copy of the database, because planned wipes belong to the original. */
export const deleteAllWipes = (): Statement => sql`DELETE FROM wipe`;
