// Stores clips, screenshots and markers: their plans, their results, and changes by a person. Lists them by filter, search, sort order
// and tag. A page begins after a given clip, so that new clips do not shift it.

import type { Clip, ClipFilter, ClipSort, Message, ReelPart } from "@kit/contract";
import { concatSql, type Statement, sql, toMessageColumn } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import { type ClipPlan, coverageToleranceMs, type Moment, subjectOf } from "../plans/plan.ts";
import {
  type PendingClip,
  type ProgressLookup,
  type StageLookup,
  type StoredClip,
  toPendingClip,
  toStoredClip,
} from "./clip-row.ts";

export type ClipQuery = ClipFilter & { readonly sort?: ClipSort };

const nothing = sql``;
const notesOf = (notes: readonly Message[]) => (notes.length === 0 ? null : JSON.stringify(notes));
const bit = (on: boolean) => (on ? 1 : 0);
const dayOf = (ms: number) => Math.floor(ms / 86_400_000);

/**
 * One row per clip, for `toStoredClip` and `toPendingClip`. The moments of a trim or a reel are in `part_moments`, because in clip_moment
 * they belong to its original.
 */
const clipRows = sql`
  SELECT seq, id, kind, state, reason, subject, title, title_message AS titleMessage, game, from_ms AS fromMs, to_ms AS toMs, duration_ms AS durationMs, file,
    bytes, width, height, frames, microphone, backend, notes, priority, pinned, shared, missing, poster, preview, trimmed_from AS trimmedFrom, reel,
    deleted_at_ms AS deletedAtMs, bin_days AS binDays,
    (SELECT json_group_array(tag) FROM clip_tag WHERE clip_seq = clip.seq) AS tags, coalesce(part_moments, (
      SELECT json_group_array(json_array(event, event_seq, kind, event_id, label, at_ms, priority) ORDER BY at_ms, event_seq)
      FROM clip_moment WHERE clip_seq = clip.seq)) AS moments
  FROM clip`;

/** `clauses` is what follows the table's name in the query. */
export const selectClips = (clauses: Statement): Statement => concatSql(clipRows, clauses);

/** A sort order. `after` selects the clips that come after a clip. */
type Order = { readonly by: Statement; readonly after: (id: string) => Statement };

/** Of equal clips the newer one comes first, so that every two clips have an order. */
const orders: Readonly<Record<ClipSort, Order>> = {
  newest: {
    by: sql` ORDER BY seq DESC`,
    after: (id) => sql` AND seq < (SELECT seq FROM clip WHERE id = ${id})`,
  },
  longest: {
    by: sql` ORDER BY duration_ms DESC, seq DESC`,
    after: (id) => sql` AND (duration_ms, seq) < (SELECT duration_ms, seq FROM clip WHERE id = ${id})`,
  },
  largest: {
    by: sql` ORDER BY bytes DESC, seq DESC`,
    after: (id) => sql` AND (bytes, seq) < (SELECT bytes, seq FROM clip WHERE id = ${id})`,
  },
  best: {
    by: sql` ORDER BY pinned DESC, priority DESC, seq DESC`,
    after: (id) => sql` AND (pinned, priority, seq) < (SELECT pinned, priority, seq FROM clip WHERE id = ${id})`,
  },
  title: {
    by: sql` ORDER BY title COLLATE NOCASE, seq DESC`,
    after: (id) => sql`
      AND title COLLATE NOCASE >= (SELECT title FROM clip WHERE id = ${id})
      AND (title COLLATE NOCASE > (SELECT title FROM clip WHERE id = ${id})
        OR seq < (SELECT seq FROM clip WHERE id = ${id}))`,
  },
};

/** Returns the form by which tags are compared: lower case, with one Unicode form of accented letters. */
const tagKey = (tag: string): string => tag.normalize("NFC").toLowerCase();

/** The search index has entries of three characters, so it finds no shorter word. */
const indexedCharsMin = 3;

/** Returns the spellings to search for. SQLite ignores case only in ASCII, so other words are also searched in upper and lower case. */
function caseVariants(word: string): string[] {
  const variants = [word, word.toLowerCase(), word.toUpperCase()];
  return Buffer.byteLength(word) === word.length ? [word] : [...new Set(variants)];
}

/** Selects clips that contain all words. A word that is too short for the index needs a scan of all clips. */
function searchClause(text: string): Statement {
  // FTS5 ends a query at a NUL.
  const words = text.toWellFormed().normalize("NFC").replaceAll("\0", " ").split(/\s+/u).filter(Boolean);
  if (words.length === 0) return nothing;
  const long = words.filter((word) => [...word].length >= indexedCharsMin);
  const short = words.filter((word) => !long.includes(word));
  const matching = long.map((word) => `"${word.replaceAll('"', '""')}"`).join(" AND ");
  const scans = short.map((word) => {
    const patterns = caseVariants(word).map((variant) => `%${variant.replace(/[!%_]/g, "!$&")}%`);
    return concatSql(sql` AND (false`, ...patterns.map((pattern) => sql` OR words LIKE ${pattern} ESCAPE '!'`), sql`)`);
  });
  return concatSql(
    sql` AND seq IN (SELECT rowid FROM clip_text WHERE true`,
    long.length === 0 ? nothing : sql` AND clip_text MATCH ${matching}`,
    ...scans,
    sql`)`,
  );
}

function filterClause(filter: ClipFilter): Statement {
  const { game, kind, state, subject, event, text = "", tag, pinned, bin = false, from, to } = filter;
  return concatSql(
    sql` WHERE (deleted_at_ms IS NOT NULL) = ${bit(bin)}`,
    game === undefined ? nothing : sql` AND game IS ${game === "unsorted" ? null : game}`,
    kind === undefined ? nothing : sql` AND kind = ${kind}`,
    state === undefined ? nothing : sql` AND state = ${state}`,
    subject === undefined ? sql` AND subject <> 'test'` : sql` AND subject = ${subject}`,
    pinned === undefined ? nothing : sql` AND pinned = ${bit(pinned)}`,
    event === undefined ? nothing : sql` AND seq = (SELECT clip_seq FROM clip_moment WHERE event = ${event})`,
    tag === undefined ? nothing : sql` AND seq IN (SELECT clip_seq FROM clip_tag WHERE key = ${tagKey(tag)})`,
    from === undefined ? nothing : sql` AND to_ms >= ${Date.parse(from)}`,
    to === undefined ? nothing : sql` AND from_ms <= ${Date.parse(to)}`,
    searchClause(text),
  );
}

/** Returns the clauses for a page. A subquery finds the page's clips through an index, so that SQLite reads only their rows. */
function clipPageClause({ sort = "newest", ...filter }: ClipQuery, before: string | null, limit: number): Statement {
  const { by, after } = orders[sort];
  const following = before === null ? nothing : after(before);
  const page = concatSql(sql`SELECT seq FROM clip`, filterClause(filter), following, by, sql` LIMIT ${limit}`);
  return concatSql(sql` WHERE seq IN (`, page, sql`)`, by);
}

/** Replaces all tags of the clip. Tags that differ only in case count as one, in the last spelling. */
function replaceClipTags(id: string, tags: readonly string[]): Statement[] {
  const byKey = new Map(tags.map((tag) => [tagKey(tag), tag.normalize("NFC")]));
  return [
    sql`DELETE FROM clip_tag WHERE clip_seq = (SELECT seq FROM clip WHERE id = ${id})`,
    sql`
      INSERT INTO clip_tag (clip_seq, key, tag)
      SELECT seq, value ->> 0, value ->> 1 FROM clip, json_each(${JSON.stringify([...byKey])}) WHERE clip.id = ${id}`,
  ];
}

/** Counts the clips of each tag, without the trash. A tag is spelled as in the newest clip that has it. */
async function listClipTags(storage: Pick<Storage, "read">): Promise<{ tag: string; clips: number }[]> {
  const rows = await storage.read(sql`
    SELECT tag, max(clip_seq), count(*) AS clips FROM clip_tag JOIN clip ON seq = clip_seq
    WHERE deleted_at_ms IS NULL GROUP BY key`);
  return rows.map(({ tag, clips }) => ({ tag: String(tag), clips: Number(clips) }));
}

/** What is stored about a saved clip. */
export type SavedFile = {
  /** When the first frame was on the screen, in epoch milliseconds with fractions. */
  readonly fromMs: number;
  readonly durationMs: number;
  /** Relative to the clips folder. */
  readonly file: string;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** True if the file has the microphone as a second sound track. */
  readonly microphone?: boolean;
  readonly backend: NonNullable<Clip["backend"]> | null;
  /** All notes, including those of the plan. */
  readonly notes: readonly Message[];
};

const momentCells = ({ moments }: Pick<ClipPlan, "moments">): string =>
  JSON.stringify(
    moments.map(({ event, seq, kind, eventId, label, atMs, priority, offsetMs }) => [
      ...[event, seq, kind, eventId, label, atMs, priority],
      ...(offsetMs === undefined ? [] : [offsetMs]),
    ]),
  );

const titleMessageOf = ({ titleMessage }: ClipPlan) => toMessageColumn(titleMessage ?? null);

/** Adds the moments to the clip. An event that already belongs to another clip stays there. */
const insertMoments = (plan: ClipPlan): Statement => sql`
  INSERT INTO clip_moment (event, event_seq, clip_seq, kind, event_id, label, at_ms, priority)
  SELECT value ->> 0, value ->> 1, clip.seq, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6
  FROM json_each(${momentCells(plan)}), clip WHERE clip.id = ${plan.id}
  ON CONFLICT (event) DO NOTHING`;

/** Stores what the moments of a plan say about its clip. A title that a person gave stays. */
export const describeClip = (plan: ClipPlan): Statement => sql`
  UPDATE clip SET subject = ${subjectOf(plan)}, priority = ${plan.priority}, title = iif(named, title, ${plan.title})
  WHERE id = ${plan.id}`;

/** Inserts a pending clip. If the clip exists, only adds moments. */
export const insertClip = (plan: ClipPlan): Statement[] => [
  sql`
    INSERT INTO clip (id, kind, state, subject, title, title_message, game, from_ms, to_ms, notes, priority)
    VALUES (${plan.id}, ${plan.kind}, 'pending', ${subjectOf(plan)}, ${plan.title}, ${titleMessageOf(plan)}, ${plan.game}, ${plan.fromMs},
      ${plan.toMs}, ${notesOf(plan.notes)}, ${plan.priority})
    ON CONFLICT (id) DO NOTHING`,
  insertMoments(plan),
];

/** Extends the plan of a clip, which is then cut again. Its file stays until the new cut replaces it. */
export const extendClip = (plan: ClipPlan): Statement[] => [
  ...insertClip(plan),
  sql`
    UPDATE clip SET kind = ${plan.kind}, state = 'pending', reason = NULL, to_ms = ${plan.toMs},
      from_ms = iif(file IS NULL, ${plan.fromMs}, from_ms), notes = iif(file IS NULL, ${notesOf(plan.notes)}, notes)
    WHERE id = ${plan.id}`,
  describeClip(plan),
];

/** Moves the moments of a plan to its clip, which exists, from other clips. */
export const moveMoments = (plan: ClipPlan): Statement => sql`
  UPDATE clip_moment SET clip_seq = (SELECT seq FROM clip WHERE id = ${plan.id})
  WHERE event IN (SELECT value FROM json_each(${JSON.stringify(plan.moments.map(({ event }) => event))}))`;

/** Takes moments out of a clip. Those that were moved to another clip stay there. */
export const dropMoments = ({ id }: ClipPlan, moments: readonly Moment[]): Statement => sql`
  DELETE FROM clip_moment WHERE clip_seq = (SELECT seq FROM clip WHERE id = ${id})
    AND event IN (SELECT value FROM json_each(${JSON.stringify(moments.map(({ event }) => event))}))`;

/** Inserts a pending clip, and moves its moments there from another clip. */
export const insertSplitClip = (plan: ClipPlan): Statement[] => [...insertClip(plan), moveMoments(plan)];

/** Adds moments to a clip whose file stays unchanged. */
export const addMoments = (plan: ClipPlan): Statement[] => [insertMoments(plan), describeClip(plan)];

/**
 * Marks a clip as saved, whose file must be verified and named. Takes the clip out of the trash: a person deleted an earlier cut,
 * not this one.
 */
export function markClipSaved(id: string, what: SavedFile): Statement {
  const fromMs = Math.round(what.fromMs);
  const durationMs = Math.round(what.durationMs);
  return sql`
    UPDATE clip SET state = 'saved', reason = NULL, from_ms = ${fromMs}, to_ms = ${fromMs + durationMs},
      duration_ms = ${durationMs}, file = ${what.file}, bytes = ${what.bytes}, width = ${what.width},
      height = ${what.height}, frames = ${what.frames}, microphone = ${bit(what.microphone === true)}, backend = ${what.backend}, notes = ${notesOf(what.notes)},
      missing = 0, deleted_at_ms = NULL
    WHERE id = ${id}`;
}

/**
 * Marks a clip as failed. With the file of an earlier cut (`hasFile`), it counts as saved instead: it gets the reason as a note,
 * and loses the moments that the file does not show.
 */
export const markClipFailed = (id: string, reason: Message, hasFile = true): Statement[] => [
  ...(hasFile
    ? []
    : [sql`UPDATE clip SET file = NULL, bytes = 0, duration_ms = 0 WHERE id = ${id} AND state = 'pending'`]),
  sql`
    DELETE FROM clip_moment WHERE event IN (
      SELECT event FROM clip_moment JOIN clip ON clip.seq = clip_seq
      WHERE clip.id = ${id} AND state = 'pending' AND file IS NOT NULL AND duration_ms > 0
        AND at_ms NOT BETWEEN from_ms - ${coverageToleranceMs} AND from_ms + duration_ms + ${coverageToleranceMs})`,
  sql`
    UPDATE clip SET state = iif(file IS NULL, 'failed', 'saved'),
      reason = iif(file IS NULL, ${toMessageColumn(reason)}, NULL),
      to_ms = iif(file IS NULL, to_ms, from_ms + duration_ms),
      notes = iif(file IS NULL, notes, json_insert(coalesce(notes, '[]'), '$[#]', json(${toMessageColumn(reason)})))
    WHERE id = ${id} AND state = 'pending'`,
];

/** Inserts a marker, or turns a pending clip without a file into one. The reason of an existing marker stays. */
export const insertMarker = (plan: ClipPlan, reason: Message | null): Statement[] => [
  ...insertClip(plan),
  sql`
    UPDATE clip SET kind = 'marker', state = 'marked', reason = ${toMessageColumn(reason)} WHERE id = ${plan.id} AND state = 'pending'
      AND file IS NULL`,
];

export type ClipChange = {
  readonly pinned?: boolean;
  readonly shared?: boolean;
  readonly title?: string;
  readonly tags?: readonly string[];
};

const orNull = (on: boolean | undefined) => (on === undefined ? null : bit(on));

/** Leaves unchanged what the change leaves out. */
export const updateClip = (id: string, { pinned, shared, title, tags }: ClipChange): Statement[] => [
  sql`
    UPDATE clip SET pinned = coalesce(${orNull(pinned)}, pinned), shared = coalesce(${orNull(shared)}, shared),
      title = coalesce(${title ?? null}, title),
      title_message = iif(${title ?? null} IS NULL, title_message, NULL), named = iif(${title ?? null} IS NULL, named, 1)
    WHERE id = ${id}`,
  ...(tags === undefined ? [] : replaceClipTags(id, tags)),
];

/** Puts a clip into the trash, or takes it out if `atMs` is null. `file` is its name in the clips folder, now or once restored. */
export const setClipTrashed = (id: string, atMs: number | null, file: string | null): Statement => sql`
  UPDATE clip SET deleted_at_ms = ${atMs}, file = ${file}, bin_days = 0, bin_day = ${atMs === null ? null : dayOf(atMs)}
  WHERE id = ${id}`;

/** Counts a day of use for the clips in the trash: at most one each calendar day, however far the clock jumped. */
export const countTrashDay = (nowMs: number): Statement => sql`
  UPDATE clip SET bin_days = bin_days + 1, bin_day = ${dayOf(nowMs)}
  WHERE deleted_at_ms IS NOT NULL AND bin_day IS NOT ${dayOf(nowMs)}`;

/** Stores whether the file exists, and its size. */
export const updateFileState = (
  id: string,
  found: { readonly missing: boolean; readonly bytes: number },
): Statement => sql`
  UPDATE clip SET missing = ${bit(found.missing)}, bytes = ${found.bytes} WHERE id = ${id}`;

/** Stores that a picture of the clip exists. */
export const markClipPictured = (id: string, what: "poster" | "preview"): Statement =>
  what === "poster"
    ? sql`UPDATE clip SET poster = 1 WHERE id = ${id}`
    : sql`UPDATE clip SET preview = 1 WHERE id = ${id}`;

/** Deletes clips with their moments. */
export const deleteClips = (ids: readonly string[]): Statement => sql`
  DELETE FROM clip WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;

/** Deletes clips without a file, except for the newest `most` and pinned ones. */
export const pruneClipsWithoutFile = (most: number): Statement => sql`
  DELETE FROM clip WHERE pinned = 0 AND (state IN ('failed', 'marked') OR missing = 1) AND seq <= (
    SELECT seq FROM clip WHERE pinned = 0 AND (state IN ('failed', 'marked') OR missing = 1)
    ORDER BY seq DESC LIMIT 1 OFFSET ${most})`;

export type ClipStore = ReturnType<typeof createClipStore>;

export function createClipStore(
  storage: Storage,
  dir: string,
  stageOf: StageLookup,
  progressOf: ProgressLookup = () => undefined,
) {
  const read = async (clauses: Statement): Promise<StoredClip[]> =>
    (await storage.read(selectClips(clauses))).map((row) => toStoredClip(row, dir, stageOf, progressOf));

  return {
    /** Returns clips in the requested order, starting after the clip `before` if it is given. */
    list: (query: ClipQuery, before: string | null, limit: number): Promise<StoredClip[]> =>
      read(clipPageClause(query, before, limit)),
    tags: () => listClipTags(storage),
    find: async (id: string): Promise<StoredClip | undefined> => (await read(sql` WHERE id = ${id}`))[0],
    /** Returns the clip that contains an event, even from the trash. */
    findByEvent: async (event: string): Promise<StoredClip | undefined> =>
      (await read(sql` WHERE seq = (SELECT clip_seq FROM clip_moment WHERE event = ${event})`))[0],
    /** Returns the pending clips, oldest first. */
    pending: async (): Promise<PendingClip[]> =>
      (await storage.read(selectClips(sql` WHERE state = 'pending' ORDER BY seq`))).map(toPendingClip),
    /** Returns the reels that exist or are being made, without those in the trash. */
    reels: async (): Promise<Clip[]> =>
      (
        await read(sql`
          WHERE reel IS NOT NULL AND deleted_at_ms IS NULL AND missing = 0 AND state IN ('pending', 'saved')`)
      ).map(({ clip }) => clip),
    /** Returns the clips that have a file, even in the trash, oldest first. */
    withFile: (): Promise<StoredClip[]> => read(sql` WHERE file IS NOT NULL ORDER BY seq`),
    /** Returns the size of all files, the size of those in the trash, and the most days of use that a clip has been there. */
    async usage(): Promise<{ bytes: number; binBytes: number; binDays: number }> {
      const [row] = await storage.read(sql`
        SELECT coalesce(sum(bytes), 0) AS bytes, coalesce(sum(iif(deleted_at_ms IS NULL, 0, bytes)), 0) AS binBytes,
          coalesce(max(iif(deleted_at_ms IS NULL, 0, bin_days)), 0) AS binDays
        FROM clip WHERE missing = 0`);
      return { bytes: Number(row?.bytes), binBytes: Number(row?.binBytes), binDays: Number(row?.binDays) };
    },
  };
}

/** Inserts a reel, with copies of the moments that it shows. A reel of clips of errors is one of errors too. */
export const insertReel = (plan: ClipPlan, parts: readonly ReelPart[], backend: Clip["backend"]): Statement => sql`
  INSERT INTO clip (id, kind, state, subject, title, title_message, game, from_ms, to_ms, priority, backend, reel, part_moments)
  SELECT ${plan.id}, 'clip', 'pending', iif(min(subject = 'error'), 'error', 'highlight'), ${plan.title}, ${titleMessageOf(plan)},
    ${plan.game}, ${plan.fromMs}, ${plan.toMs}, ${plan.priority}, ${backend}, ${JSON.stringify(parts)}, ${momentCells(plan)}
  FROM clip WHERE id IN (SELECT value ->> 'clip' FROM json_each(${JSON.stringify(parts)}))`;

/** Stores where the file of a reel shows its parts and moments. */
export const placeReelParts = (id: string, parts: readonly ReelPart[], moments: readonly Moment[]): Statement => sql`
  UPDATE clip SET reel = ${JSON.stringify(parts)}, part_moments = ${momentCells({ moments })} WHERE id = ${id}`;

/** The clip that is trimmed. */
type Whole = Pick<Clip, "id" | "backend" | "subject">;

/** Inserts a trim. It stores a copy of its moments: clip_moment has each event in only one clip, the original. */
export const insertTrim = (plan: ClipPlan, { id, backend, subject }: Whole): Statement[] => [
  sql`
    INSERT INTO clip (id, kind, state, subject, title, title_message, game, from_ms, to_ms, priority, backend, trimmed_from,
      part_moments)
    VALUES (${plan.id}, 'clip', 'pending', ${plan.moments.length === 0 ? subject : subjectOf(plan)}, ${plan.title},
      ${titleMessageOf(plan)}, ${plan.game}, ${plan.fromMs}, ${plan.toMs}, ${plan.priority}, ${backend}, ${id}, ${momentCells(plan)})`,
  sql`
    INSERT INTO clip_tag (clip_seq, key, tag)
    SELECT (SELECT seq FROM clip WHERE id = ${plan.id}), key, tag
    FROM clip_tag WHERE clip_seq = (SELECT seq FROM clip WHERE id = ${id})`,
];
