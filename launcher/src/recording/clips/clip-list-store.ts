// Lists of clips in SQL: filtered, searched, in any order, and the tags they have. Pages go on behind a clip, whatever was added since.
import type { ClipFilter, ClipSort } from "@kit/contract";
import { concatSql, type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

export type ClipQuery = ClipFilter & { readonly sort?: ClipSort };

const nothing = sql``;
const bit = (on: boolean) => (on ? 1 : 0);

/** A row a clip, for `keptOf` and `pendingOf`. The events of a part are its own: in clip_moment they stay with the whole. */
const clips = sql`
  SELECT seq, id, kind, state, reason, title, game, from_ms AS fromMs, to_ms AS toMs, duration_ms AS durationMs, file, bytes,
    width, height, frames, backend, notes, priority, pinned, shared, missing, poster, preview, trimmed_from AS trimmedFrom,
    deleted_at_ms AS deletedAtMs, bin_days AS binDays,
    (SELECT json_group_array(tag) FROM clip_tag WHERE clip_seq = clip.seq) AS tags, coalesce(part_moments, (
      SELECT json_group_array(json_array(event, event_seq, kind, event_id, label, at_ms) ORDER BY at_ms, event_seq)
      FROM clip_moment WHERE clip_seq = clip.seq)) AS moments
  FROM clip`;

/** Those clips; `which` is all that follows the table. */
export const clipsWhere = (which: Statement): Statement => concatSql(clips, which);

type Order = { readonly by: Statement; readonly behind: (id: string) => Statement };

/** Of equals the newest first, so that every clip has one place. */
const orders: Readonly<Record<ClipSort, Order>> = {
  newest: {
    by: sql` ORDER BY seq DESC`,
    behind: (id) => sql` AND seq < (SELECT seq FROM clip WHERE id = ${id})`,
  },
  longest: {
    by: sql` ORDER BY duration_ms DESC, seq DESC`,
    behind: (id) => sql` AND (duration_ms, seq) < (SELECT duration_ms, seq FROM clip WHERE id = ${id})`,
  },
  largest: {
    by: sql` ORDER BY bytes DESC, seq DESC`,
    behind: (id) => sql` AND (bytes, seq) < (SELECT bytes, seq FROM clip WHERE id = ${id})`,
  },
  priority: {
    by: sql` ORDER BY priority DESC, seq DESC`,
    behind: (id) => sql` AND (priority, seq) < (SELECT priority, seq FROM clip WHERE id = ${id})`,
  },
  title: {
    by: sql` ORDER BY title COLLATE NOCASE, seq DESC`,
    behind: (id) => sql`
      AND title COLLATE NOCASE >= (SELECT title FROM clip WHERE id = ${id})
      AND (title COLLATE NOCASE > (SELECT title FROM clip WHERE id = ${id})
        OR seq < (SELECT seq FROM clip WHERE id = ${id}))`,
  },
};

/** Small letters, and one form of letters with marks. */
const tagKeyOf = (tag: string): string => tag.normalize("NFC").toLowerCase();

/** The index knows runs of three characters. */
const indexedCharsMin = 3;

/** SQLite itself knows both cases of ASCII only: of other letters those that people write. */
function spellingsOf(word: string): string[] {
  const spellings = [word, word.toLowerCase(), word.toUpperCase()];
  return Buffer.byteLength(word) === word.length ? [word] : [...new Set(spellings)];
}

/** All of the words, anywhere. A word that is too short for the index is looked for in every clip. */
function holding(text: string): Statement {
  // A query ends at a zero.
  const words = text.toWellFormed().normalize("NFC").replaceAll("\0", " ").split(/\s+/u).filter(Boolean);
  if (words.length === 0) return nothing;
  const long = words.filter((word) => [...word].length >= indexedCharsMin);
  const short = words.filter((word) => !long.includes(word));
  const matching = long.map((word) => `"${word.replaceAll('"', '""')}"`).join(" AND ");
  const scans = short.map((word) => {
    const patterns = spellingsOf(word).map((spelling) => `%${spelling.replace(/[!%_]/g, "!$&")}%`);
    return concatSql(sql` AND (false`, ...patterns.map((pattern) => sql` OR words LIKE ${pattern} ESCAPE '!'`), sql`)`);
  });
  return concatSql(
    sql` AND seq IN (SELECT rowid FROM clip_text WHERE true`,
    long.length === 0 ? nothing : sql` AND clip_text MATCH ${matching}`,
    ...scans,
    sql`)`,
  );
}

function within({ game, kind, state, event, text = "", tag, pinned, bin = false }: ClipFilter): Statement {
  return concatSql(
    sql` WHERE (deleted_at_ms IS NOT NULL) = ${bit(bin)}`,
    game === undefined ? nothing : sql` AND game IS ${game === "unsorted" ? null : game}`,
    kind === undefined ? nothing : sql` AND kind = ${kind}`,
    state === undefined ? nothing : sql` AND state = ${state}`,
    pinned === undefined ? nothing : sql` AND pinned = ${bit(pinned)}`,
    event === undefined ? nothing : sql` AND seq = (SELECT clip_seq FROM clip_moment WHERE event = ${event})`,
    tag === undefined ? nothing : sql` AND seq IN (SELECT clip_seq FROM clip_tag WHERE key = ${tagKeyOf(tag)})`,
    holding(text),
  );
}

/** What follows the table for one page. The page is found by its index first, and only then read. */
export function pageOf({ sort = "newest", ...filter }: ClipQuery, before: string | null, limit: number): Statement {
  const { by, behind } = orders[sort];
  const onwards = before === null ? nothing : behind(before);
  const page = concatSql(sql`SELECT seq FROM clip`, within(filter), onwards, by, sql` LIMIT ${limit}`);
  return concatSql(sql` WHERE seq IN (`, page, sql`)`, by);
}

/** All it has from then on. Of two that differ in case only the last one stays. */
export function tagged(id: string, tags: readonly string[]): Statement[] {
  const byKey = new Map(tags.map((tag) => [tagKeyOf(tag), tag.normalize("NFC")]));
  return [
    sql`DELETE FROM clip_tag WHERE clip_seq = (SELECT seq FROM clip WHERE id = ${id})`,
    sql`
      INSERT INTO clip_tag (clip_seq, key, tag)
      SELECT seq, value ->> 0, value ->> 1 FROM clip, json_each(${JSON.stringify([...byKey])}) WHERE clip.id = ${id}`,
  ];
}

/** As the newest clip that has it spells it; of clips outside the bin. */
export async function tagsIn(storage: Pick<Storage, "read">): Promise<{ tag: string; clips: number }[]> {
  const rows = await storage.read(sql`
    SELECT tag, max(clip_seq), count(*) AS clips FROM clip_tag JOIN clip ON seq = clip_seq
    WHERE deleted_at_ms IS NULL GROUP BY key`);
  return rows.map(({ tag, clips }) => ({ tag: String(tag), clips: Number(clips) }));
}
