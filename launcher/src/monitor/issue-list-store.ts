// Lists of issues in SQL: filters and search are answered out of indices, whatever the order and the page.
import type { IssueFilter, IssueSort, IssueState } from "@kit/contract";
import { concatSql, type Statement, sql } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";
import { createSearch, holding, isAscii, matching, threesOf } from "./issue-search-store.ts";

const nothing = sql``;

/** So many are fetched by what they have in common, then sorted. Of more, the list's own order soon fills a page. */
const fewMax = 500;
/** So many found texts are put together first. Of more, the next issues are read one by one. */
const manyMax = 4_000;
/** What is too short for the index is looked for in so many of the next issues. */
const scannedMax = 2_000;

/** The place of an issue in an order. */
export type Place = readonly [at: number, seq: number];
export type ListPlan = {
  /** What follows the columns. */
  readonly which: Statement;
  /** There are more in this order that were not looked at. */
  readonly goesOn: boolean;
};

type Order = {
  /** The state and the game stand in it too. */
  readonly index: Statement;
  readonly place: Statement;
  readonly after: (place: Place) => Statement;
  readonly downTo: (place: Place) => Statement;
  readonly by: Statement;
};
const orders: Readonly<Record<IssueSort, Order>> = {
  lastSeen: {
    index: sql` FROM issue INDEXED BY issue_by_last_seen`,
    place: sql`SELECT last_seen_ms AS at, seq`,
    after: ([at, seq]) => sql` AND (last_seen_ms, seq) < (${at}, ${seq})`,
    downTo: ([at, seq]) => sql` AND (last_seen_ms, seq) >= (${at}, ${seq})`,
    by: sql` ORDER BY last_seen_ms DESC, seq DESC`,
  },
  firstSeen: {
    index: sql` FROM issue INDEXED BY issue_by_first_seen`,
    place: sql`SELECT first_seen_ms AS at, seq`,
    after: ([at, seq]) => sql` AND (first_seen_ms, seq) < (${at}, ${seq})`,
    downTo: ([at, seq]) => sql` AND (first_seen_ms, seq) >= (${at}, ${seq})`,
    by: sql` ORDER BY first_seen_ms DESC, seq DESC`,
  },
  count: {
    index: sql` FROM issue INDEXED BY issue_by_count`,
    place: sql`SELECT count AS at, seq`,
    after: ([at, seq]) => sql` AND (count, seq) < (${at}, ${seq})`,
    downTo: ([at, seq]) => sql` AND (count, seq) >= (${at}, ${seq})`,
    by: sql` ORDER BY count DESC, seq DESC`,
  },
};

/** What is muted until now is open; upkeep writes it down, so that there are never many. */
function inState(state: IssueState, nowMs: number): Statement {
  const due = sql`(SELECT seq FROM issue INDEXED BY issue_waking WHERE state = 'muted' AND muted_until_ms <= ${nowMs})`;
  if (state === "open")
    return concatSql(sql` AND state IN ('open', 'muted') AND (state = 'open' OR seq IN `, due, sql`)`);
  return concatSql(sql` AND state = ${state}`, state === "muted" ? concatSql(sql` AND seq NOT IN `, due) : nothing);
}

const ofGame = (game: string): Statement => sql` AND game IS ${game === "unsorted" ? null : game}`;

function within({ state, game, bin = false }: IssueFilter, nowMs: number): Statement {
  return concatSql(
    sql` WHERE listed = ${bin ? 1 : 0}`,
    game === undefined ? nothing : ofGame(game),
    state === undefined ? nothing : inState(state, nowMs),
  );
}

/** The index that leads to those of a game or in a state, and about how many those are. */
function narrowest({
  state,
  game,
  bin = false,
}: IssueFilter): { readonly from: Statement; readonly about: Statement } | null {
  const listed = sql` WHERE listed = ${bin ? 1 : 0}`;
  const inState = state === undefined ? nothing : sql` AND state = ${state}`;
  if (game !== undefined) {
    const from = sql` FROM issue INDEXED BY issue_by_game`;
    return { from, about: concatSql(from, listed, ofGame(game), inState) };
  }
  const from = sql` FROM issue INDEXED BY issue_by_state`;
  return state === undefined ? null : { from, about: concatSql(from, listed, inState) };
}

export function createListPlans(read: Storage["read"], now: () => number) {
  const isFew = async (which: Statement): Promise<boolean> => {
    const [row] = await read(concatSql(sql`SELECT count(*) AS n FROM (SELECT 1`, which, sql` LIMIT ${fewMax + 1})`));
    return Number(row?.n) <= fewMax;
  };
  const search = createSearch(read);

  return async (filter: IssueFilter, sort: IssueSort, after: Place, limit: number): Promise<ListPlan> => {
    const order = orders[sort];
    const where = within(filter, now());
    const wanted = (filter.search ?? "").toWellFormed();
    const threes = threesOf(wanted);
    const holds = holding(wanted, threes.length > 0);
    const onwards = concatSql(order.after(after), order.by, sql` LIMIT ${limit}`);
    const planned = (...parts: readonly Statement[]): ListPlan => ({ which: concatSql(...parts), goesOn: false });

    let indexed = nothing;
    if (threes.length > 0) {
      const { n, seqs } = await search(wanted, threes, manyMax);
      const found = sql`(SELECT value AS which FROM json_each(${seqs}))`;
      if (n <= fewMax) return planned(sql` FROM `, found, sql` CROSS JOIN issue ON seq = which`, where, holds, onwards);
      if (n <= manyMax) indexed = concatSql(sql` AND seq IN `, found);
      else if (!isAscii(wanted))
        indexed = sql` AND seq IN (SELECT rowid FROM issue_text WHERE issue_text MATCH ${matching(threes)})`;
    }
    const narrow = narrowest(filter);
    if (narrow !== null && (await isFew(narrow.about))) return planned(narrow.from, where, indexed, holds, onwards);
    if (threes.length > 0 || wanted === "") return planned(order.index, where, indexed, holds, onwards);

    const next = concatSql(order.index, where, order.after(after), order.by, sql` LIMIT 1 OFFSET ${scannedMax}`);
    const [last] = await read(concatSql(order.place, next));
    const end = last === undefined ? nothing : order.downTo([Number(last.at), Number(last.seq)]);
    return { which: concatSql(order.index, where, end, holds, onwards), goesOn: last !== undefined };
  };
}
