// Clips, screenshots and markers in SQL: what recording intends, what came of it, and what a person changed.
import type { Clip } from "@kit/contract";
import { type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import { outsideMs, startedForMs } from "../clip-jobs/coverage.ts";
import type { Plan } from "../plan.ts";
import { type ClipQuery, clipsWhere, pageOf, tagged, tagsIn } from "./clip-list-store.ts";
import { type PendingClip, pendingOf, type StageOf, type StoredClip, storedClipOf } from "./clip-row.ts";

/** What a saved file was found to hold. */
export type Saved = {
  /** When its first frame was on the screen; may be a fraction. */
  readonly fromMs: number;
  readonly durationMs: number;
  /** Relative to the clips folder. */
  readonly file: string;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  readonly backend: NonNullable<Clip["backend"]> | null;
  /** All of them; those of the plan included. */
  readonly notes: readonly string[];
};

const notesOf = (notes: readonly string[]) => (notes.length === 0 ? null : JSON.stringify(notes));
const bit = (on: boolean) => (on ? 1 : 0);
const dayOf = (ms: number) => Math.floor(ms / 86_400_000);

/** An event is in one clip at most: one that is in another already stays there. */
function holds(plan: Plan): Statement {
  const moments = JSON.stringify(
    plan.moments.map(({ event, seq, kind, eventId, label, atMs }) => [event, seq, kind, eventId, label, atMs]),
  );
  return sql`
    INSERT INTO clip_moment (event, event_seq, clip_seq, kind, event_id, label, at_ms)
    SELECT value ->> 0, value ->> 1, clip.seq, value ->> 2, value ->> 3, value ->> 4, value ->> 5
    FROM json_each(${moments}), clip WHERE clip.id = ${plan.id}
    ON CONFLICT (event) DO NOTHING`;
}

/** Promised; once more it changes nothing but the moments that came since. */
export const planned = (plan: Plan): Statement[] => [
  sql`
    INSERT INTO clip (id, kind, state, title, game, from_ms, to_ms, notes, priority)
    VALUES (${plan.id}, ${plan.kind}, 'pending', ${plan.title}, ${plan.game}, ${plan.fromMs}, ${plan.toMs},
      ${notesOf(plan.notes)}, ${plan.priority})
    ON CONFLICT (id) DO NOTHING`,
  holds(plan),
];

/** Longer than planned: to be cut, or cut anew. A file that is there already stays what it is until then. */
export const extended = (plan: Plan): Statement[] => [
  ...planned(plan),
  sql`
    UPDATE clip SET kind = ${plan.kind}, state = 'pending', reason = NULL, to_ms = ${plan.toMs}, priority = ${plan.priority},
      from_ms = iif(file IS NULL, ${plan.fromMs}, from_ms), notes = iif(file IS NULL, ${notesOf(plan.notes)}, notes)
    WHERE id = ${plan.id}`,
];

/** Promised, with moments that were promised in another clip before. */
export const movedTo = (plan: Plan): Statement[] => [
  ...planned(plan),
  sql`
    UPDATE clip_moment SET clip_seq = (SELECT seq FROM clip WHERE id = ${plan.id})
    WHERE event IN (SELECT value FROM json_each(${JSON.stringify(plan.moments.map(({ event }) => event))}))`,
];

/** Another moment in a clip that stays as it is. */
export const addMoment = (plan: Plan): Statement[] => [
  holds(plan),
  sql`UPDATE clip SET priority = max(priority, ${plan.priority}) WHERE id = ${plan.id}`,
];

/** Only after its file was checked and has its final name. Takes it out of the bin: it is another cut than the one put there. */
export function saved(id: string, what: Saved): Statement {
  const fromMs = Math.round(what.fromMs);
  const durationMs = Math.round(what.durationMs);
  return sql`
    UPDATE clip SET state = 'saved', reason = NULL, from_ms = ${fromMs}, to_ms = ${fromMs + durationMs},
      duration_ms = ${durationMs}, file = ${what.file}, bytes = ${what.bytes}, width = ${what.width},
      height = ${what.height}, frames = ${what.frames}, backend = ${what.backend}, notes = ${notesOf(what.notes)},
      missing = 0, deleted_at_ms = NULL
    WHERE id = ${id}`;
}

/**
 * It could not be cut. Where an earlier cut is there, and unless that is gone too, that one stands: the clip is saved
 * as it was, with the reason as a note, and no longer holds the moments that lie outside of it.
 */
export const failed = (id: string, reason: string, stands = true): Statement[] => [
  ...(stands
    ? []
    : [sql`UPDATE clip SET file = NULL, bytes = 0, duration_ms = 0 WHERE id = ${id} AND state = 'pending'`]),
  sql`
    DELETE FROM clip_moment WHERE event IN (
      SELECT event FROM clip_moment JOIN clip ON clip.seq = clip_seq
      WHERE clip.id = ${id} AND state = 'pending' AND file IS NOT NULL AND duration_ms > 0
        AND at_ms NOT BETWEEN from_ms - ${startedForMs} AND from_ms + duration_ms + ${outsideMs})`,
  sql`
    UPDATE clip SET state = iif(file IS NULL, 'failed', 'saved'), reason = iif(file IS NULL, ${reason}, NULL),
      to_ms = iif(file IS NULL, to_ms, from_ms + duration_ms),
      notes = iif(file IS NULL, notes, json_insert(coalesce(notes, '[]'), '$[#]', ${reason}))
    WHERE id = ${id} AND state = 'pending'`,
];

/** A moment without footage; the first reason stays. */
export const marked = (plan: Plan, reason: string | null): Statement[] => [
  ...planned(plan),
  sql`
    UPDATE clip SET kind = 'marker', state = 'marked', reason = ${reason} WHERE id = ${plan.id} AND state = 'pending'
      AND file IS NULL`,
];

export type ClipChange = {
  readonly pinned?: boolean;
  readonly shared?: boolean;
  readonly title?: string;
  readonly tags?: readonly string[];
};

const orNull = (on: boolean | undefined) => (on === undefined ? null : bit(on));

/** What is left out stays as it is. */
export const changed = (id: string, { pinned, shared, title, tags }: ClipChange): Statement[] => [
  sql`
    UPDATE clip SET pinned = coalesce(${orNull(pinned)}, pinned), shared = coalesce(${orNull(shared)}, shared),
      title = coalesce(${title ?? null}, title)
    WHERE id = ${id}`,
  ...(tags === undefined ? [] : tagged(id, tags)),
];

/** In the bin from then on; null takes it out again, under the name its file has then. */
export const binned = (id: string, atMs: number | null, file: string | null): Statement => sql`
  UPDATE clip SET deleted_at_ms = ${atMs}, file = ${file}, bin_days = 0, bin_day = ${atMs === null ? null : dayOf(atMs)}
  WHERE id = ${id}`;

/** Another day for what lies in the bin; once a day, however far the clock is from the day before. */
export const binDay = (nowMs: number): Statement => sql`
  UPDATE clip SET bin_days = bin_days + 1, bin_day = ${dayOf(nowMs)}
  WHERE deleted_at_ms IS NOT NULL AND bin_day IS NOT ${dayOf(nowMs)}`;

/** What was found in the folder. */
export const seen = (id: string, found: { readonly missing: boolean; readonly bytes: number }): Statement => sql`
  UPDATE clip SET missing = ${bit(found.missing)}, bytes = ${found.bytes} WHERE id = ${id}`;

/** Which of the pictures beside it are there. */
export const pictured = (id: string, has: { readonly poster: boolean; readonly preview: boolean }): Statement => sql`
  UPDATE clip SET poster = ${bit(has.poster)}, preview = ${bit(has.preview)} WHERE id = ${id}`;

/** Its moments go with it. */
export const removed = (ids: readonly string[]): Statement => sql`
  DELETE FROM clip WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;

/** What has no file is only worth a row while there are not too many of them. */
export const leftoversBeyond = (most: number): Statement => sql`
  DELETE FROM clip WHERE pinned = 0 AND (state IN ('failed', 'marked') OR missing = 1) AND seq <= (
    SELECT seq FROM clip WHERE pinned = 0 AND (state IN ('failed', 'marked') OR missing = 1)
    ORDER BY seq DESC LIMIT 1 OFFSET ${most})`;

export type ClipStore = ReturnType<typeof createClipStore>;

/** `dir` is the clips folder, for the paths; what a pending clip is at is known to who cuts it. */
export function createClipStore(storage: Storage, dir: string, stageOf: StageOf) {
  const kept = async (which: Statement): Promise<StoredClip[]> =>
    (await storage.read(clipsWhere(which))).map((row) => storedClipOf(row, dir, stageOf));

  return {
    /** In the order asked for; behind the clip `before`, when one is named. */
    list: (query: ClipQuery, before: string | null, limit: number): Promise<StoredClip[]> =>
      kept(pageOf(query, before, limit)),
    tags: () => tagsIn(storage),
    find: async (id: string): Promise<StoredClip | undefined> => (await kept(sql` WHERE id = ${id}`))[0],
    /** The clip an event is in, wherever it lies. */
    ofEvent: async (event: string): Promise<StoredClip | undefined> =>
      (await kept(sql` WHERE seq = (SELECT clip_seq FROM clip_moment WHERE event = ${event})`))[0],
    /** Oldest first. */
    pending: async (): Promise<PendingClip[]> =>
      (await storage.read(clipsWhere(sql` WHERE state = 'pending' ORDER BY seq`))).map(pendingOf),
    /** All that have a file, oldest first. */
    withFile: (): Promise<StoredClip[]> => kept(sql` WHERE file IS NOT NULL ORDER BY seq`),
    /** Bytes of all files, and of those in the bin; on how many days the oldest of those was seen there. */
    async usage(): Promise<{ bytes: number; binBytes: number; binDays: number }> {
      const [row] = await storage.read(sql`
        SELECT coalesce(sum(bytes), 0) AS bytes, coalesce(sum(iif(deleted_at_ms IS NULL, 0, bytes)), 0) AS binBytes,
          coalesce(max(iif(deleted_at_ms IS NULL, 0, bin_days)), 0) AS binDays
        FROM clip WHERE missing = 0`);
      return { bytes: Number(row?.bytes), binBytes: Number(row?.binBytes), binDays: Number(row?.binDays) };
    },
  };
}
