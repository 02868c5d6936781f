// Finds issues that contain a text, with the trigram index.
import { concatSql, type Statement, sql } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";

const noSql = sql``;

/** Length of the indexed character sequences. */
const trigramLength = 3;
/** If fewer issues contain a trigram, it is searched alone and the text of each hit is compared. */
const rareIssuesMax = 500;

export const isAscii = (text: string) => Buffer.byteLength(text) === text.length;

/** Returns trigrams that cover the text, or none if it is too short for the index. */
export function trigramsOf(wanted: string): string[] {
  const characters = [...wanted];
  const last = characters.length - trigramLength;
  if (last < 0) return [];
  // Beyond ASCII, hits are not compared again, so every trigram is needed.
  const step = isAscii(wanted) ? trigramLength : 1;
  const starts = Array.from({ length: Math.ceil(last / step) + 1 }, (_, index) => Math.min(index * step, last));
  const trigrams = starts.map((at) => characters.slice(at, at + trigramLength).join(""));
  // A query would end at a NUL character.
  return [...new Set(trigrams)].filter((three) => !three.includes("\0"));
}

/** Compares the text of each hit. Skipped for indexed text beyond ASCII, where SQLite cannot ignore case but the index can. */
export function containsText(wanted: string, isIndexed: boolean): Statement {
  if (wanted === "" || (isIndexed && !isAscii(wanted))) return noSql;
  // Parsing the JSON of the location is slow, so compare its text first.
  const asJson = JSON.stringify(wanted).slice(1, -1);
  return sql`
  AND (instr(lower(title), lower(${wanted})) OR instr(lower(note), lower(${wanted})) OR instr(lower(game), lower(${wanted}))
    OR (instr(lower(culprit), lower(${asJson})) AND (
      instr(lower(culprit ->> 'function'), lower(${wanted})) OR instr(lower(culprit ->> 'file'), lower(${wanted})))))`;
}

/** Builds a query for issues that contain all trigrams, each quoted as text. */
export const matchExpression = (threes: readonly string[]): string =>
  threes.map((three) => `"${three.replaceAll('"', '""')}"`).join(" AND ");

/** Ids of the hits as JSON, incomplete if `n` exceeds the limit. */
type SearchHits = { readonly seqs: string; readonly n: number };

export function createSearch(read: Storage["read"]) {
  /** Returns the rarest trigram if it has few hits. Searching one short list is faster than intersecting many. */
  const rarestTrigram = async (threes: readonly string[]): Promise<readonly string[]> => {
    if (threes.length < 3) return threes;
    const counts = threes.map(
      (three, place) => sql`
      SELECT ${place} AS place, count(*) AS n
      FROM (SELECT 1 FROM issue_text WHERE issue_text MATCH ${matchExpression([three])} LIMIT ${rareIssuesMax})`,
    );
    const union = counts.reduce((all, each) => concatSql(all, sql` UNION ALL`, each));
    const [first] = await read(concatSql(union, sql` ORDER BY n LIMIT 1`));
    const three = threes[Number(first?.place)];
    return three !== undefined && Number(first?.n) < rareIssuesMax ? [three] : threes;
  };
  return async (wanted: string, threes: readonly string[], limit: number): Promise<SearchHits> => {
    // Beyond ASCII, hits are not compared again, so search for all trigrams.
    const asked = isAscii(wanted) ? await rarestTrigram(threes) : threes;
    const [row] = await read(sql`
      SELECT count(*) AS n, json_group_array(which) AS seqs
      FROM (SELECT rowid AS which FROM issue_text WHERE issue_text MATCH ${matchExpression(asked)} LIMIT ${limit + 1})`);
    return { n: Number(row?.n), seqs: String(row?.seqs) };
  };
}
