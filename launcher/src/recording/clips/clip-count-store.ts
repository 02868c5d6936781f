// Counts the clips of each game, and picks the clip that represents it best. Ignores the trash.
import { sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

/** `best` is the id of a clip, or null if no clip has a poster. */
export type ClipCount = { readonly clips: number; readonly best: string | null };

/** Weights of one sort key: each exceeds the largest possible sum of the smaller ones. */
const priorityWeight = 2 ** 31;
const noErrorWeight = 2 ** 42;
const pinnedWeight = 2 ** 43;

export const createClipCountStore = (storage: Pick<Storage, "read">) => ({
  /** Prefers pinned clips, then clips without an error, then a higher priority, then newer clips. */
  async clipsOfGames(): Promise<ReadonlyMap<string, ClipCount>> {
    const rows = await storage.read(sql`
      SELECT game, count(*) AS clips, id, max(iif(poster = 0 OR missing = 1, -1,
        pinned * ${pinnedWeight} + priority * ${priorityWeight} + seq + iif(EXISTS (
          SELECT 1 FROM clip_moment WHERE clip_seq = clip.seq AND kind = 'monitor'), 0, ${noErrorWeight}))) AS worth
      FROM clip WHERE game IS NOT NULL AND state = 'saved' AND kind <> 'marker' AND deleted_at_ms IS NULL GROUP BY game`);
    return new Map(
      rows.map(({ game, clips, id, worth }) => [
        String(game),
        { clips: Number(clips), best: Number(worth) < 0 ? null : String(id) },
      ]),
    );
  },
});
