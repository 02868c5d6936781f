// Reads clips for other slices: for disk usage, exports, wipes, the library of games, and timelines.
import { join } from "node:path";
import type { ClipKind, ClipState, ClipSubject } from "@kit/contract";
import { type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import { type StoredClip, toStoredClip, trashFileName } from "./clip-row.ts";
import { selectClips } from "./clip-store.ts";

type Counts = { readonly clips: number; readonly clipBytes: number; readonly pinned: number };
const pageMax = 200;

type TriggerId = readonly [kind: string, eventId: string];

const nothingRuns = () => undefined;

export const createClipDataStore = (storage: Pick<Storage, "read">) => ({
  /** Counts the clips of each game, including those in the trash. */
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
  /**
   * Returns a page of clips after `seq`, oldest first: of one game, or of all if `game` is undefined. For the next page, pass
   * `next` as `seq`.
   */
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
    return { clips: rows.map((row) => toStoredClip(row, dir, nothingRuns, nothingRuns)), next };
  },
  /** Returns all paths in the clips folder that files of the game may have, finished or not. */
  async filesOfGame(game: string | null): Promise<string[]> {
    const rows = await storage.read(
      sql`SELECT id, file, deleted_at_ms IS NOT NULL AS binned FROM clip WHERE game IS ${game}`,
    );
    return rows.flatMap(({ id, file, binned }) => [
      // While a clip is in the trash, another clip may have its file name.
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

/** `best` is the id of the best clip with a poster; null if there is none. */
export type ClipCount = { readonly clips: number; readonly best: string | null };

/** Weights in one sort key. Each exceeds the largest possible sum of the smaller ones. */
const priorityWeight = 2 ** 31;
const highlightWeight = 2 ** 42;
const pinnedWeight = 2 ** 43;

export const createClipCountStore = (storage: Pick<Storage, "read">) => ({
  /** The best clip is no reel, but a pinned one, then a highlight, then one of higher priority, then a newer one. */
  async clipsOfGames(): Promise<ReadonlyMap<string, ClipCount>> {
    const rows = await storage.read(sql`
      SELECT game, count(*) AS clips, id, max(iif(poster = 0 OR missing = 1 OR reel IS NOT NULL, -1,
        pinned * ${pinnedWeight} + priority * ${priorityWeight} + seq + iif(subject = 'highlight', ${highlightWeight}, 0))) AS worth
      FROM clip WHERE game IS NOT NULL AND subject <> 'test' AND state = 'saved' AND kind <> 'marker' AND deleted_at_ms IS NULL GROUP BY game`);
    return new Map(
      rows.map(({ game, clips, id, worth }) => [
        String(game),
        { clips: Number(clips), best: Number(worth) < 0 ? null : String(id) },
      ]),
    );
  },
});

const spansMax = 1_000;

type Span = {
  readonly id: string;
  readonly kind: ClipKind;
  readonly state: ClipState;
  readonly from: string;
  readonly to: string;
  readonly subject: ClipSubject;
  readonly title: string;
  readonly priority: number;
  readonly pinned: boolean;
  readonly poster: boolean;
};

const isoOf = (ms: unknown) => new Date(Number(ms)).toISOString();

export const createClipSpanStore = (storage: Pick<Storage, "read">) => ({
  /**
   * Returns the clips of a game between two times, and all clips with one of these events, in order of time. Omits trims of
   * existing clips, and reels.
   */
  async clipsBetween(game: string | null, fromMs: number, toMs: number, events: readonly string[]): Promise<Span[]> {
    const rows = await storage.read(sql`
      SELECT id, kind, state, from_ms AS fromMs, to_ms AS toMs, subject, title, priority, pinned, poster FROM clip
      WHERE deleted_at_ms IS NULL AND reel IS NULL AND subject <> 'test' AND ((game = ${game} AND to_ms >= ${fromMs} AND from_ms <= ${toMs})
        OR seq IN (SELECT clip_seq FROM clip_moment WHERE event IN (SELECT value FROM json_each(${JSON.stringify(events)}))))
        AND NOT EXISTS (SELECT 1 FROM clip AS whole WHERE whole.id = clip.trimmed_from AND whole.deleted_at_ms IS NULL)
      ORDER BY from_ms, seq LIMIT ${spansMax}`);
    return rows.map((row) => ({
      id: String(row.id),
      kind: row.kind as ClipKind,
      state: row.state as ClipState,
      from: isoOf(row.fromMs),
      to: isoOf(row.toMs),
      subject: row.subject as ClipSubject,
      title: String(row.title),
      priority: Number(row.priority),
      pinned: row.pinned === 1,
      poster: row.poster === 1,
    }));
  },
  /** Returns the clip of each event, and the seconds from its first frame to the event. */
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
