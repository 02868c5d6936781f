// Search in SQL: which issues hold a text, asked of the index of all runs of three characters.
import { concatSql, type Statement, sql } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";

const nothing = sql``;

/** The index knows runs of three characters. */
const indexedCharsMin = 3;
/** Where fewer issues than that have a three, it alone leads to them, and what was found is read again. */
const rareMax = 500;

export const isAscii = (text: string) => Buffer.byteLength(text) === text.length;

/** What to ask the index: threes of characters that cover all of it. None when the index cannot tell. */
export function threesOf(wanted: string): string[] {
  const characters = [...wanted];
  const last = characters.length - indexedCharsMin;
  if (last < 0) return [];
  // What is not read again is asked for more closely.
  const step = isAscii(wanted) ? indexedCharsMin : 1;
  const places = Array.from({ length: Math.ceil(last / step) + 1 }, (_, index) => Math.min(index * step, last));
  const threes = places.map((at) => characters.slice(at, at + indexedCharsMin).join(""));
  // A query ends at a zero.
  return [...new Set(threes)].filter((three) => !three.includes("\0"));
}

/** Reads it again. Beyond ASCII only the index knows both cases, and is taken at its word. */
export function holding(wanted: string, isIndexed: boolean): Statement {
  if (wanted === "" || (isIndexed && !isAscii(wanted))) return nothing;
  // The place is JSON, dear to read: only where its text holds the words.
  const asJson = JSON.stringify(wanted).slice(1, -1);
  return sql`
  AND (instr(lower(title), lower(${wanted})) OR instr(lower(note), lower(${wanted})) OR instr(lower(game), lower(${wanted}))
    OR (instr(lower(culprit), lower(${asJson})) AND (
      instr(lower(culprit ->> 'function'), lower(${wanted})) OR instr(lower(culprit ->> 'file'), lower(${wanted})))))`;
}

/** The issues that have all of these; whatever stands in them is text. */
export const matching = (threes: readonly string[]): string =>
  threes.map((three) => `"${three.replaceAll('"', '""')}"`).join(" AND ");

/** Issues that the index found, as JSON; not all when there are more than were asked for. */
type Found = { readonly seqs: string; readonly n: number };

export function createSearch(read: Storage["read"]) {
  /** The index reads on in every list it is asked for: of a sentence, one that is short is enough. */
  const rarest = async (threes: readonly string[]): Promise<readonly string[]> => {
    if (threes.length < 3) return threes;
    const counts = threes.map(
      (three, place) => sql`
      SELECT ${place} AS place, count(*) AS n
      FROM (SELECT 1 FROM issue_text WHERE issue_text MATCH ${matching([three])} LIMIT ${rareMax})`,
    );
    const union = counts.reduce((all, each) => concatSql(all, sql` UNION ALL`, each));
    const [first] = await read(concatSql(union, sql` ORDER BY n LIMIT 1`));
    const three = threes[Number(first?.place)];
    return three !== undefined && Number(first?.n) < rareMax ? [three] : threes;
  };
  return async (wanted: string, threes: readonly string[], limit: number): Promise<Found> => {
    // Beyond ASCII the index is taken at its word: there it has to be asked for all.
    const asked = isAscii(wanted) ? await rarest(threes) : threes;
    const [row] = await read(sql`
      SELECT count(*) AS n, json_group_array(which) AS seqs
      FROM (SELECT rowid AS which FROM issue_text WHERE issue_text MATCH ${matching(asked)} LIMIT ${limit + 1})`);
    return { n: Number(row?.n), seqs: String(row?.seqs) };
  };
}
