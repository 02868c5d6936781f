// Finds the clips of a time range, and the positions of events in clips. Ignores the trash.
import type { ClipKind, ClipState } from "@kit/contract";
import { sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

const spansMax = 1_000;

type Span = {
  readonly id: string;
  readonly kind: ClipKind;
  readonly state: ClipState;
  readonly from: string;
  readonly to: string;
  readonly title: string;
  readonly poster: boolean;
};

const isoOf = (ms: unknown) => new Date(Number(ms)).toISOString();

export const createClipSpanStore = (storage: Pick<Storage, "read">) => ({
  /** Returns clips of a game in a time range, or with one of these events, in chronological order. Omits a trim if its original exists. */
  async clipsBetween(game: string | null, fromMs: number, toMs: number, events: readonly string[]): Promise<Span[]> {
    const rows = await storage.read(sql`
      SELECT id, kind, state, from_ms AS fromMs, to_ms AS toMs, title, poster FROM clip
      WHERE deleted_at_ms IS NULL AND ((game = ${game} AND to_ms >= ${fromMs} AND from_ms <= ${toMs})
        OR seq IN (SELECT clip_seq FROM clip_moment WHERE event IN (SELECT value FROM json_each(${JSON.stringify(events)}))))
        AND NOT EXISTS (SELECT 1 FROM clip AS whole WHERE whole.id = clip.trimmed_from AND whole.deleted_at_ms IS NULL)
      ORDER BY from_ms, seq LIMIT ${spansMax}`);
    return rows.map((row) => ({
      id: String(row.id),
      kind: row.kind as ClipKind,
      state: row.state as ClipState,
      from: isoOf(row.fromMs),
      to: isoOf(row.toMs),
      title: String(row.title),
      poster: row.poster === 1,
    }));
  },
  /** Maps event ids to a clip and the seconds from its first frame. */
  async clipsOf(events: readonly string[]): Promise<ReadonlyMap<string, { clip: string; second: number }>> {
    const rows = await storage.read(sql`
      SELECT event, clip.id AS clip, (at_ms - from_ms) / 1000.0 AS second
      FROM json_each(${JSON.stringify(events)}) AS w
      JOIN clip_moment ON event = w.value JOIN clip ON clip.seq = clip_seq
      WHERE deleted_at_ms IS NULL`);
    return new Map(
      rows.map((row) => [String(row.event), { clip: String(row.clip), second: Math.max(0, Number(row.second)) }]),
    );
  },
});
