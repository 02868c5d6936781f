// Stores the source folder of each game in SQL.
import type { Editor } from "@kit/contract";
import { type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

export type StoredSource = { readonly game: string; readonly root: string; readonly editor: Editor };

export const saveSource = ({ game, root, editor }: StoredSource): Statement => sql`
  INSERT INTO game_source (game, root, editor) VALUES (${game}, ${root}, ${editor})
  ON CONFLICT (game) DO UPDATE SET root = excluded.root, editor = excluded.editor`;

export const deleteSource = (game: string): Statement => sql`DELETE FROM game_source WHERE game = ${game}`;

export async function loadSources(storage: Storage): Promise<StoredSource[]> {
  const rows = await storage.read(sql`SELECT game, root, editor FROM game_source ORDER BY game`);
  return rows.map(({ game, root, editor }) => ({
    game: String(game),
    root: String(root),
    editor: editor as Editor,
  }));
}
