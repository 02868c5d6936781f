// How many clips each game has, and which of them shows it best, in SQL. Those in the bin are left out.
import { sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

/** `best` is null where none has a picture. */
export type ClipCount = { readonly clips: number; readonly best: string | null };

/** More than any rank below it can be worth; priorities and places in the table stay far under these. */
const ofPriority = 2 ** 31;
const ofGood = 2 ** 42;
const ofPinned = 2 ** 43;

export const createClipCountStore = (storage: Pick<Storage, "read">) => ({
  /** Pinned before others, without an error before those with one, then by what their moments are worth, the newest first. */
  async clipsOfGames(): Promise<ReadonlyMap<string, ClipCount>> {
    const rows = await storage.read(sql`
      SELECT game, count(*) AS clips, id, max(iif(poster = 0 OR missing = 1, -1,
        pinned * ${ofPinned} + priority * ${ofPriority} + seq + iif(EXISTS (
          SELECT 1 FROM clip_moment WHERE clip_seq = clip.seq AND kind = 'monitor'), 0, ${ofGood}))) AS worth
      FROM clip WHERE game IS NOT NULL AND state = 'saved' AND kind <> 'marker' AND deleted_at_ms IS NULL GROUP BY game`);
    return new Map(
      rows.map(({ game, clips, id, worth }) => [
        String(game),
        { clips: Number(clips), best: Number(worth) < 0 ? null : String(id) },
      ]),
    );
  },
});
