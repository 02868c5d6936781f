// The clips that are kept, in SQL: how many of each game, which files are theirs, and all of one game wiped.
import { join } from "node:path";
import { type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import { clipsWhere } from "./clip-list-store.ts";
import { binNameOf, type StoredClip, storedClipOf } from "./clip-row.ts";

type Counts = { readonly clips: number; readonly clipBytes: number; readonly pinned: number };
const pageMax = 200;

type TriggerId = readonly [kind: string, eventId: string];

export const createClipExportStore = (storage: Pick<Storage, "read">) => ({
  /** Those in the bin included. */
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
  /** Of one game, or of all where it is undefined, oldest first, behind a place. `next` is where the following page begins. */
  async after(
    seq: number,
    game: string | null | undefined,
    dir: string,
  ): Promise<{ readonly clips: readonly StoredClip[]; readonly next: number | undefined }> {
    const rows = await storage.read(
      clipsWhere(sql`
        WHERE seq > ${seq} AND (${game === undefined ? 1 : 0} OR game IS ${game ?? null}) ORDER BY seq LIMIT ${pageMax}`),
    );
    const next = rows.length < pageMax ? undefined : Number(rows.at(-1)?.seq);
    return { clips: rows.map((row) => storedClipOf(row, dir, () => undefined)), next };
  },
  /** Relative to the clips folder: wherever a file of the game's clips may lie, finished or not. */
  async filesOf(game: string | null): Promise<string[]> {
    const rows = await storage.read(
      sql`SELECT id, file, deleted_at_ms IS NOT NULL AS binned FROM clip WHERE game IS ${game}`,
    );
    return rows.flatMap(({ id, file, binned }) => [
      // The name of one in the bin may be another clip's by now.
      ...(file === null || binned === 1 ? [] : [String(file)]),
      ...(file === null ? [] : [binNameOf(String(id), String(file))]),
      ...[".part", ".jpg.part", ".mp4.part"].map((end) => `${id}${end}`),
      ...[".jpg", ".mp4", ".jpg.part", ".mp4.part"].map((end) => join(".media", `${id}${end}`)),
    ]);
  },
  /** With their moments and tags, the game's moments in other clips, and what its ids make of the screen. */
  wiped(game: string | null, ids: readonly TriggerId[]): Statement[] {
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
