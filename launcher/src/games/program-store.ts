// The programs of games in SQL.
import { type Statement, sql } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";

export type KnownProgram = { readonly game: string; readonly path: string; readonly command: string };
/** How it was started, where that is known: null where its words are too many to be kept. */
export type Started = { readonly arguments?: readonly string[] | null; readonly folder?: string | null };

/** Keeps a program, and of all programs the newest `max`. */
export const saveProgram = (
  { game, path, command, arguments: words = null, folder = null }: KnownProgram & Started,
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

export async function loadPrograms(storage: Storage): Promise<KnownProgram[]> {
  const rows = await storage.read(sql`SELECT game, path, command FROM game_program ORDER BY seen_at_ms`);
  return rows.map(({ game, path, command }) => ({ game: String(game), path: String(path), command: String(command) }));
}
