// Finds issues that contain the searched text, with the trigram index.
import { concatSql, type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

const noSql = sql``;

/** Characters of a trigram, the unit of the search index. */
const trigramLength = 3;
/** If fewer issues than this contain one of the trigrams, only that trigram is searched, and the text of each hit is compared. */
const rareIssuesMax = 500;

export const isAscii = (text: string) => Buffer.byteLength(text) === text.length;

/** Returns trigrams that together cover the text, or none if it is too short for the index. */
export function trigramsOf(wanted: string): string[] {
  const characters = [...wanted];
  const last = characters.length - trigramLength;
  if (last < 0) return [];
  // Text beyond ASCII is not compared with the hits, so the index must check every trigram of it.
  const step = isAscii(wanted) ? trigramLength : 1;
  const starts = Array.from({ length: Math.ceil(last / step) + 1 }, (_, index) => Math.min(index * step, last));
  const trigrams = starts.map((at) => characters.slice(at, at + trigramLength).join(""));
  // SQLite reads a search expression only up to a NUL character.
  return [...new Set(trigrams)].filter((three) => !three.includes("\0"));
}

/**
 * Returns the condition that an issue contains the text. It is empty for text beyond ASCII that was searched with the
 * index: there SQLite cannot ignore case, but the index can.
 */
export function issueContainsText(wanted: string, isIndexed: boolean): Statement {
  if (wanted === "" || (isIndexed && !isAscii(wanted))) return noSql;
  // Parsing the JSON of the location is slow, so its text is compared first.
  const asJson = JSON.stringify(wanted).slice(1, -1);
  return sql`
  AND (instr(lower(title), lower(${wanted})) OR instr(lower(note), lower(${wanted})) OR instr(lower(game), lower(${wanted}))
    OR (instr(lower(culprit), lower(${asJson})) AND (
      instr(lower(culprit ->> 'function'), lower(${wanted})) OR instr(lower(culprit ->> 'file'), lower(${wanted})))))`;
}

/** Returns the search expression for issues that contain all trigrams. Each is quoted, so that none is read as an operator. */
export const searchExpression = (threes: readonly string[]): string =>
  threes.map((three) => `"${three.replaceAll('"', '""')}"`).join(" AND ");

/** `seqs` is a JSON array of the issues found. If `n` exceeds the limit, there are more. */
type SearchHits = { readonly seqs: string; readonly n: number };

export function createIssueSearch(read: Storage["read"]) {
  /** Returns only the rarest trigram if few issues contain it: reading one short list is faster than intersecting many. */
  const rarestTrigram = async (threes: readonly string[]): Promise<readonly string[]> => {
    if (threes.length < 3) return threes;
    const counts = threes.map(
      (three, place) => sql`
      SELECT ${place} AS place, count(*) AS n
      FROM (SELECT 1 FROM issue_text WHERE issue_text MATCH ${searchExpression([three])} LIMIT ${rareIssuesMax})`,
    );
    const union = counts.reduce((all, each) => concatSql(all, sql` UNION ALL`, each));
    const [first] = await read(concatSql(union, sql` ORDER BY n LIMIT 1`));
    const three = threes[Number(first?.place)];
    return three !== undefined && Number(first?.n) < rareIssuesMax ? [three] : threes;
  };
  return async (wanted: string, threes: readonly string[], limit: number): Promise<SearchHits> => {
    const asked = isAscii(wanted) ? await rarestTrigram(threes) : threes;
    const [row] = await read(sql`
      SELECT count(*) AS n, json_group_array(which) AS seqs
      FROM (SELECT rowid AS which FROM issue_text WHERE issue_text MATCH ${searchExpression(asked)} LIMIT ${limit + 1})`);
    return { n: Number(row?.n), seqs: String(row?.seqs) };
  };
}
