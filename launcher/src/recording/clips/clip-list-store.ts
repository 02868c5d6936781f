// Lists clips: filters, search, sort orders and tags. A page begins after a given clip, so that new clips do not shift it.
import type { ClipFilter, ClipSort } from "@kit/contract";
import { concatSql, type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

export type ClipQuery = ClipFilter & { readonly sort?: ClipSort };

const nothing = sql``;
const bit = (on: boolean) => (on ? 1 : 0);

/**
 * One row per clip, for `toStoredClip` and `toPendingClip`. The moments of a trim are in `part_moments`, because in clip_moment
 * they belong to its original.
 */
const clipRows = sql`
  SELECT seq, id, kind, state, reason, title, game, from_ms AS fromMs, to_ms AS toMs, duration_ms AS durationMs, file, bytes,
    width, height, frames, backend, notes, priority, pinned, shared, missing, poster, preview, trimmed_from AS trimmedFrom,
    deleted_at_ms AS deletedAtMs, bin_days AS binDays,
    (SELECT json_group_array(tag) FROM clip_tag WHERE clip_seq = clip.seq) AS tags, coalesce(part_moments, (
      SELECT json_group_array(json_array(event, event_seq, kind, event_id, label, at_ms) ORDER BY at_ms, event_seq)
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
  priority: {
    by: sql` ORDER BY priority DESC, seq DESC`,
    after: (id) => sql` AND (priority, seq) < (SELECT priority, seq FROM clip WHERE id = ${id})`,
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

function filterClause({ game, kind, state, event, text = "", tag, pinned, bin = false }: ClipFilter): Statement {
  return concatSql(
    sql` WHERE (deleted_at_ms IS NOT NULL) = ${bit(bin)}`,
    game === undefined ? nothing : sql` AND game IS ${game === "unsorted" ? null : game}`,
    kind === undefined ? nothing : sql` AND kind = ${kind}`,
    state === undefined ? nothing : sql` AND state = ${state}`,
    pinned === undefined ? nothing : sql` AND pinned = ${bit(pinned)}`,
    event === undefined ? nothing : sql` AND seq = (SELECT clip_seq FROM clip_moment WHERE event = ${event})`,
    tag === undefined ? nothing : sql` AND seq IN (SELECT clip_seq FROM clip_tag WHERE key = ${tagKey(tag)})`,
    searchClause(text),
  );
}

/** Returns the clauses for a page. A subquery finds the page's clips through an index, so that SQLite reads only their rows. */
export function clipPageClause(
  { sort = "newest", ...filter }: ClipQuery,
  before: string | null,
  limit: number,
): Statement {
  const { by, after } = orders[sort];
  const following = before === null ? nothing : after(before);
  const page = concatSql(sql`SELECT seq FROM clip`, filterClause(filter), following, by, sql` LIMIT ${limit}`);
  return concatSql(sql` WHERE seq IN (`, page, sql`)`, by);
}

/** Replaces all tags of the clip. Tags that differ only in case count as one, in the last spelling. */
export function replaceClipTags(id: string, tags: readonly string[]): Statement[] {
  const byKey = new Map(tags.map((tag) => [tagKey(tag), tag.normalize("NFC")]));
  return [
    sql`DELETE FROM clip_tag WHERE clip_seq = (SELECT seq FROM clip WHERE id = ${id})`,
    sql`
      INSERT INTO clip_tag (clip_seq, key, tag)
      SELECT seq, value ->> 0, value ->> 1 FROM clip, json_each(${JSON.stringify([...byKey])}) WHERE clip.id = ${id}`,
  ];
}

/** Counts the clips of each tag, without the trash. A tag is spelled as in the newest clip that has it. */
export async function listClipTags(storage: Pick<Storage, "read">): Promise<{ tag: string; clips: number }[]> {
  const rows = await storage.read(sql`
    SELECT tag, max(clip_seq), count(*) AS clips FROM clip_tag JOIN clip ON seq = clip_seq
    WHERE deleted_at_ms IS NULL GROUP BY key`);
  return rows.map(({ tag, clips }) => ({ tag: String(tag), clips: Number(clips) }));
}
