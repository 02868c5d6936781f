// Clip data for storage pages, exports and wipes: counts, all clips in pages, and the files of a game.
import { join } from "node:path";
import { type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import { selectClips } from "./clip-list-store.ts";
import { type StoredClip, toStoredClip, trashFileName } from "./clip-row.ts";

type Counts = { readonly clips: number; readonly clipBytes: number; readonly pinned: number };
const pageMax = 200;

type TriggerId = readonly [kind: string, eventId: string];

export const createClipDataStore = (storage: Pick<Storage, "read">) => ({
  /** Includes the trash. */
  async count(): Promise<Map<string | null, Counts>> {
    const rows = await storage.read(sql`
      SELECT game, count(*) AS clips, sum(iif(missing = 0, bytes, 0)) AS clipBytes, sum(pinned) AS pinned
      FROM clip GROUP BY game`);
    return new Map(
      rows.map(({ game, clips, clipBytes, pinned }) => [
        game === null ? null : String(game),
        { clips: Number(clips), clipBytes: Number(clipBytes), pinned: Number(pinned) },
      ]),
    );
  },
  /** Returns a page of clips after `seq`, oldest first, of one game, or of all games if it is undefined. `next` is the `seq` for the next page. */
  async clipsAfter(
    seq: number,
    game: string | null | undefined,
    dir: string,
  ): Promise<{ readonly clips: readonly StoredClip[]; readonly next: number | undefined }> {
    const rows = await storage.read(
      selectClips(sql`
        WHERE seq > ${seq} AND (${game === undefined ? 1 : 0} OR game IS ${game ?? null}) ORDER BY seq LIMIT ${pageMax}`),
    );
    const next = rows.length < pageMax ? undefined : Number(rows.at(-1)?.seq);
    return { clips: rows.map((row) => toStoredClip(row, dir, () => undefined)), next };
  },
  /** Returns all possible paths of the game's files, finished or not, relative to the clips folder. */
  async filesOfGame(game: string | null): Promise<string[]> {
    const rows = await storage.read(
      sql`SELECT id, file, deleted_at_ms IS NOT NULL AS binned FROM clip WHERE game IS ${game}`,
    );
    return rows.flatMap(({ id, file, binned }) => [
      // Another clip may use the original name of a clip in the trash.
      ...(file === null || binned === 1 ? [] : [String(file)]),
      ...(file === null ? [] : [trashFileName(String(id), String(file))]),
      ...[".part", ".jpg.part", ".mp4.part"].map((end) => `${id}${end}`),
      ...[".jpg", ".small.jpg", ".mp4"]
        .flatMap((end) => [end, `${end}.part`])
        .map((end) => join(".media", `${id}${end}`)),
    ]);
  },
  /** Deletes the game's clips with moments and tags, its moments in other clips, and its rules. */
  deleteGame(game: string | null, ids: readonly TriggerId[]): Statement[] {
    const recording = ids.flatMap(([kind, eventId]) => (kind === "recording" ? [eventId] : []));
    return [
      sql`DELETE FROM clip WHERE game IS ${game}`,
      sql`
        DELETE FROM clip_moment WHERE event_id IS NOT NULL
          AND (kind, event_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${JSON.stringify(ids)}))`,
      sql`DELETE FROM recording_rule WHERE event_id IN (SELECT value FROM json_each(${JSON.stringify(recording)}))`,
    ];
  },
});
