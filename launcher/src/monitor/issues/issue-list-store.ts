// Plans lists of issues in SQL, so that every filter, search, order and page uses an index.
import type { IssueFilter, IssueSort, IssueState } from "@kit/contract";
import { concatSql, type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import { createIssueSearch, isAscii, issueContainsText, searchExpression, trigramsOf } from "./issue-search-store.ts";

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
export type IssueListPlan = {
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
