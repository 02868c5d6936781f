// Stores the programs of games in SQL.
import { type Statement, sql } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";

export type GameProgram = { readonly game: string; readonly path: string; readonly command: string };
/** How a program was started. `arguments` is null if there are too many to store. */
export type LaunchDetails = { readonly arguments?: readonly string[] | null; readonly folder?: string | null };

/** Saves a program and deletes the oldest programs above `max`. */
export const saveProgram = (
  { game, path, command, arguments: words = null, folder = null }: GameProgram & LaunchDetails,
  atMs: number,
  max: number,
): Statement[] => [
  sql`
    INSERT INTO game_program (game, path, command, arguments, folder, seen_at_ms)
    VALUES (${game}, ${path}, ${command}, ${words && JSON.stringify(words)}, ${folder}, ${atMs})
    ON CONFLICT (game, path, command) DO UPDATE SET seen_at_ms = excluded.seen_at_ms, arguments = excluded.arguments,
      folder = excluded.folder`,
  sql`
    DELETE FROM game_program WHERE (game, path, command) NOT IN
      (SELECT game, path, command FROM game_program ORDER BY seen_at_ms DESC LIMIT ${max})`,
];

export async function loadPrograms(storage: Storage): Promise<GameProgram[]> {
  const rows = await storage.read(sql`SELECT game, path, command FROM game_program ORDER BY seen_at_ms`);
  return rows.map(({ game, path, command }) => ({ game: String(game), path: String(path), command: String(command) }));
}
