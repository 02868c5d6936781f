// Plans lists and searches of issues in SQL, so that every filter, search, order and page uses an index.
import type { IssueFilter, IssueSort, IssueState } from "@kit/contract";
import { concatSql, type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

const noSql = sql``;

/**
 * Up to this many matches are fetched with the index of a filter, then sorted. With more, reading in list order soon fills a
 * page.
 */
const sortedInMemoryMax = 500;
/** Up to this many search hits are collected before the list is read. With more, each issue of the list is compared instead. */
const searchHitsMax = 4_000;
/** Maximum issues compared per page with text that is too short for the index. */
const scannedMax = 2_000;

/** Position of an issue in a sorted list: the value that the list is sorted by, then `seq` among equal ones. */
export type IssueListPosition = readonly [at: number, seq: number];
type IssueListPlan = {
  /** The SQL after the selected columns. */
  readonly which: Statement;
  /** True if issues follow that were not compared with the search. */
  readonly hasMore: boolean;
};

type Order = {
  /** The index that has this order. It also contains state and game. */
  readonly index: Statement;
  readonly position: Statement;
  readonly after: (position: IssueListPosition) => Statement;
  readonly downTo: (place: IssueListPosition) => Statement;
  readonly orderBy: Statement;
};
const orders: Readonly<Record<IssueSort, Order>> = {
  lastSeen: {
    index: sql` FROM issue INDEXED BY issue_by_last_seen`,
    position: sql`SELECT last_seen_ms AS at, seq`,
    after: ([at, seq]) => sql` AND (last_seen_ms, seq) < (${at}, ${seq})`,
    downTo: ([at, seq]) => sql` AND (last_seen_ms, seq) >= (${at}, ${seq})`,
    orderBy: sql` ORDER BY last_seen_ms DESC, seq DESC`,
  },
  firstSeen: {
    index: sql` FROM issue INDEXED BY issue_by_first_seen`,
    position: sql`SELECT first_seen_ms AS at, seq`,
    after: ([at, seq]) => sql` AND (first_seen_ms, seq) < (${at}, ${seq})`,
    downTo: ([at, seq]) => sql` AND (first_seen_ms, seq) >= (${at}, ${seq})`,
    orderBy: sql` ORDER BY first_seen_ms DESC, seq DESC`,
  },
  count: {
    index: sql` FROM issue INDEXED BY issue_by_count`,
    position: sql`SELECT count AS at, seq`,
    after: ([at, seq]) => sql` AND (count, seq) < (${at}, ${seq})`,
    downTo: ([at, seq]) => sql` AND (count, seq) >= (${at}, ${seq})`,
    orderBy: sql` ORDER BY count DESC, seq DESC`,
  },
};

/**
 * Returns the condition that an issue is in this state. Issues whose mute has expired count as open. They are few at any
 * time, because upkeep soon makes them open.
 */
function inState(state: IssueState, nowMs: number): Statement {
  const due = sql`(SELECT seq FROM issue INDEXED BY issue_waking WHERE state = 'muted' AND muted_until_ms <= ${nowMs})`;
  if (state === "open")
    return concatSql(sql` AND state IN ('open', 'muted') AND (state = 'open' OR seq IN `, due, sql`)`);
  return concatSql(sql` AND state = ${state}`, state === "muted" ? concatSql(sql` AND seq NOT IN `, due) : noSql);
}

const ofGame = (game: string): Statement => sql` AND game IS ${game === "unsorted" ? null : game}`;

function matchesFilter({ state, game, bin = false }: IssueFilter, nowMs: number): Statement {
  return concatSql(
    sql` WHERE listed = ${bin ? 1 : 0}`,
    game === undefined ? noSql : ofGame(game),
    state === undefined ? noSql : inState(state, nowMs),
  );
}

/**
 * Returns `from`, which reads the index by game or else by state, and `size`, which selects the matches to count. Null
 * without either filter.
 */
function narrowestIndex({
  state,
  game,
  bin = false,
}: IssueFilter): { readonly from: Statement; readonly size: Statement } | null {
  const listed = sql` WHERE listed = ${bin ? 1 : 0}`;
  const inState = state === undefined ? noSql : sql` AND state = ${state}`;
  if (game !== undefined) {
    const from = sql` FROM issue INDEXED BY issue_by_game`;
    return { from, size: concatSql(from, listed, ofGame(game), inState) };
  }
  const from = sql` FROM issue INDEXED BY issue_by_state`;
  return state === undefined ? null : { from, size: concatSql(from, listed, inState) };
}

// The search, with the trigram index.

/** Characters of a trigram, the unit of the search index. */
const trigramLength = 3;
/** If fewer issues than this contain one of the trigrams, only that trigram is searched, and the text of each hit is compared. */
const rareIssuesMax = 500;

const isAscii = (text: string) => Buffer.byteLength(text) === text.length;

/** Returns trigrams that together cover the text, or none if it is too short for the index. */
function trigramsOf(wanted: string): string[] {
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
function issueContainsText(wanted: string, isIndexed: boolean): Statement {
  if (wanted === "" || (isIndexed && !isAscii(wanted))) return noSql;
  // Parsing the JSON of the location is slow, so its text is compared first.
  const asJson = JSON.stringify(wanted).slice(1, -1);
  return sql`
  AND (instr(lower(title), lower(${wanted})) OR instr(lower(note), lower(${wanted})) OR instr(lower(game), lower(${wanted}))
    OR (instr(lower(culprit), lower(${asJson})) AND (
      instr(lower(culprit ->> 'function'), lower(${wanted})) OR instr(lower(culprit ->> 'file'), lower(${wanted})))))`;
}

/** Returns the search expression for issues that contain all trigrams. Each is quoted, so that none is read as an operator. */
const searchExpression = (threes: readonly string[]): string =>
  threes.map((three) => `"${three.replaceAll('"', '""')}"`).join(" AND ");

/** `seqs` is a JSON array of the issues found. If `n` exceeds the limit, there are more. */
type SearchHits = { readonly seqs: string; readonly n: number };

function createIssueSearch(read: Storage["read"]) {
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

export function createIssueListPlanner(read: Storage["read"], now: () => number) {
  const isFew = async (which: Statement): Promise<boolean> => {
    const [row] = await read(
      concatSql(sql`SELECT count(*) AS n FROM (SELECT 1`, which, sql` LIMIT ${sortedInMemoryMax + 1})`),
    );
    return Number(row?.n) <= sortedInMemoryMax;
  };
  const search = createIssueSearch(read);

  return async (
    filter: IssueFilter,
    sort: IssueSort,
    after: IssueListPosition,
    limit: number,
  ): Promise<IssueListPlan> => {
    const order = orders[sort];
    const where = matchesFilter(filter, now());
    const wanted = (filter.search ?? "").toWellFormed();
    const trigrams = trigramsOf(wanted);
    const containsWanted = issueContainsText(wanted, trigrams.length > 0);
    const page = concatSql(order.after(after), order.orderBy, sql` LIMIT ${limit}`);
    const plan = (...parts: readonly Statement[]): IssueListPlan => ({ which: concatSql(...parts), hasMore: false });

    let indexed = noSql;
    if (trigrams.length > 0) {
      const { n, seqs } = await search(wanted, trigrams, searchHitsMax);
      const found = sql`(SELECT value AS which FROM json_each(${seqs}))`;
      if (n <= sortedInMemoryMax)
        return plan(sql` FROM `, found, sql` CROSS JOIN issue ON seq = which`, where, containsWanted, page);
      if (n <= searchHitsMax) indexed = concatSql(sql` AND seq IN `, found);
      else if (!isAscii(wanted))
        indexed = sql` AND seq IN (SELECT rowid FROM issue_text WHERE issue_text MATCH ${searchExpression(trigrams)})`;
    }
    const narrow = narrowestIndex(filter);
    if (narrow !== null && (await isFew(narrow.size))) return plan(narrow.from, where, indexed, containsWanted, page);
    if (trigrams.length > 0 || wanted === "") return plan(order.index, where, indexed, containsWanted, page);

    const next = concatSql(order.index, where, order.after(after), order.orderBy, sql` LIMIT 1 OFFSET ${scannedMax}`);
    const [last] = await read(concatSql(order.position, next));
    const end = last === undefined ? noSql : order.downTo([Number(last.at), Number(last.seq)]);
    return { which: concatSql(order.index, where, end, containsWanted, page), hasMore: last !== undefined };
  };
}
