// Games that are about to be wiped, in SQL.
import { type Statement, sql } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";

export type PlannedWipe = { readonly game: string | null; readonly dueMs: number };

/** What belongs to no game has an empty name here. */
const nameOf = (game: string | null) => game ?? "";

export const planned = ({ game, dueMs }: PlannedWipe): Statement => sql`
  INSERT INTO wipe (game, due_ms) VALUES (${nameOf(game)}, ${dueMs}) ON CONFLICT (game) DO NOTHING`;

export const ended = (game: string | null): Statement => sql`DELETE FROM wipe WHERE game = ${nameOf(game)}`;

export async function plannedWipes(storage: Pick<Storage, "read">): Promise<PlannedWipe[]> {
  const rows = await storage.read(sql`SELECT game, due_ms AS dueMs FROM wipe ORDER BY due_ms, game`);
  return rows.map(({ game, dueMs }) => ({ game: game === "" ? null : String(game), dueMs: Number(dueMs) }));
}

/** A copy of the database was made before they were planned, or after: they are of the one that is used. */
export const noneLeft = (): Statement => sql`DELETE FROM wipe`;
