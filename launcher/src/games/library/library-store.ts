// Stores names, commands and covers of games in SQL, and reads how games were played.
import type { GameCommand } from "@kit/contract";
import { type Statement, sql, textOrNull } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import type { CoverPicture } from "./picture.ts";

export type LibraryEntry = {
  readonly name: string | null;
  readonly command: GameCommand | null;
  /** Version of the cover that a person chose; null if nobody chose one. */
  readonly coverVersion: string | null;
};
export type PlayStats = {
  readonly sessions: number;
  readonly playedMs: number;
  readonly playing: boolean;
  /** Id of the newest session. */
  readonly session: string;
  readonly startedMs: number;
};

/** Saves the command, and deletes the command that a restored backup proposed. */
export function saveGameCommand(game: string, command: GameCommand | null): Statement[] {
  const text = command && JSON.stringify(command);
  return [
    sql`
      INSERT INTO game_entry (game, command) VALUES (${game}, ${text})
      ON CONFLICT (game) DO UPDATE SET command = excluded.command`,
    sql`DELETE FROM proposed_command WHERE game = ${game}`,
  ];
}

export function saveGameCover(game: string, picture: CoverPicture | null): Statement {
  const { type = null, version = null, base64 = null } = picture ?? {};
  return sql`
    INSERT INTO game_entry (game, cover_type, cover_version, cover) VALUES (${game}, ${type}, ${version}, ${base64})
    ON CONFLICT (game) DO UPDATE SET cover_type = excluded.cover_type, cover_version = excluded.cover_version,
      cover = excluded.cover`;
}

const parseCommand = (text: unknown): GameCommand | null => (text === null ? null : JSON.parse(String(text)));

export function createLibraryStore(storage: Pick<Storage, "read">) {
  return {
    async entries(): Promise<ReadonlyMap<string, LibraryEntry>> {
      const rows = await storage.read(sql`SELECT game, name, command, cover_version AS coverVersion FROM game_entry`);
      return new Map(
        rows.map(({ game, name, command, coverVersion }) => [
          String(game),
          { name: textOrNull(name), command: parseCommand(command), coverVersion: textOrNull(coverVersion) },
        ]),
      );
    },
    async playStats(nowMs: number): Promise<ReadonlyMap<string, PlayStats>> {
      // If a query selects max(), SQLite takes its other columns from the row with the maximum.
      const rows = await storage.read(sql`
        SELECT game, max(seq), id, started_ms AS startedMs, count(*) AS sessions, sum(ended_ms IS NULL) AS going,
          sum(max(0, coalesce(ended_ms, ${nowMs}) - started_ms)) AS playedMs
        FROM game_session WHERE game IS NOT NULL GROUP BY game`);
      return new Map(
        rows.map((row) => [
          String(row.game),
          {
            sessions: Number(row.sessions),
            playedMs: Number(row.playedMs),
            playing: Number(row.going) > 0,
            session: String(row.id),
            startedMs: Number(row.startedMs),
          },
        ]),
      );
    },
    /** Returns the commands that came with a restored database of another Kit. Nobody has accepted them yet. */
    async proposedCommands(): Promise<ReadonlyMap<string, GameCommand>> {
      const rows = await storage.read(sql`SELECT game, command FROM proposed_command`);
      return new Map(rows.map(({ game, command }) => [String(game), JSON.parse(String(command)) as GameCommand]));
    },
    /** Returns, for each game, the command of the program that last sent its events, if arguments and folder are known. */
    async seenCommands(): Promise<ReadonlyMap<string, GameCommand>> {
      const rows = await storage.read(sql`
        SELECT game, path, arguments, folder, max(seen_at_ms) FROM game_program
        WHERE arguments IS NOT NULL AND folder IS NOT NULL GROUP BY game`);
      return new Map(
        rows.map((row) => [
          String(row.game),
          {
            program: String(row.path),
            arguments: JSON.parse(String(row.arguments)) as string[],
            folder: String(row.folder),
          },
        ]),
      );
    },
    async cover(game: string): Promise<CoverPicture | undefined> {
      const [row] = await storage.read(sql`
        SELECT cover_type AS type, cover_version AS version, cover AS base64 FROM game_entry
        WHERE game = ${game} AND cover IS NOT NULL`);
      return row && { type: String(row.type), version: String(row.version), base64: String(row.base64) };
    },
  };
}
