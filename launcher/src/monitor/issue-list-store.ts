// Lists of issues in SQL: filters and search are answered out of indices, whatever the order and the page.
import type { IssueFilter, IssueSort, IssueState } from "@kit/contract";
import { type Statement, sql } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";

/** So many are fetched by what they have in common, then sorted. Of more, the list's own order soon fills a page. */
const fewMax = 500;
/** So many found texts are put together first. Of more, the next issues are read one by one. */
const manyMax = 4_000;
/** The index knows runs of three characters; what is shorter is looked for in the next `scannedMax` issues. */
const indexedCharsMin = 3;
const scannedMax = 2_000;

/** The place of an issue in an order. */
export type Place = readonly [at: number, seq: number];
export type ListPlan = {
  /** What follows the columns. */
  readonly which: Statement;
  /** There are more in this order that were not looked at. */
  readonly goesOn: boolean;
};

export const joined = (...parts: readonly Statement[]): Statement => ({
  text: parts.map(({ text }) => text).join(""),
  values: parts.flatMap(({ values }) => values),
});
const nothing = sql``;

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
  if (state === "open") return joined(sql` AND state IN ('open', 'muted') AND (state = 'open' OR seq IN `, due, sql`)`);
  return joined(sql` AND state = ${state}`, state === "muted" ? joined(sql` AND seq NOT IN `, due) : nothing);
}

const ofGame = (game: string): Statement => sql` AND game IS ${game === "unsorted" ? null : game}`;

function within({ state, game, bin = false }: IssueFilter, nowMs: number): Statement {
  return joined(
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
    return { from, about: joined(from, listed, ofGame(game), inState) };
  }
  const from = sql` FROM issue INDEXED BY issue_by_state`;
  return state === undefined ? null : { from, about: joined(from, listed, inState) };
}

const isAscii = (text: string) => Buffer.byteLength(text) === text.length;

/**
 * What to ask the index: threes of characters that cover all of it. Whatever stands in it is text. Null when the index
 * cannot tell.
 */
function threesOf(wanted: string): string | null {
  const characters = [...wanted];
  const last = characters.length - indexedCharsMin;
  if (last < 0) return null;
  // What is not read again is asked for more closely.
  const step = isAscii(wanted) ? indexedCharsMin : 1;
  const places = Array.from({ length: Math.ceil(last / step) + 1 }, (_, index) => Math.min(index * step, last));
  const threes = places.map((at) => characters.slice(at, at + indexedCharsMin).join(""));
  // A query ends at a zero.
  const asked = [...new Set(threes)].filter((three) => !three.includes("\0"));
  return asked.map((three) => `"${three.replaceAll('"', '""')}"`).join(" AND ") || null;
}

/** Reads it again. Beyond ASCII only the index knows both cases, and is taken at its word. */
function holding(wanted: string, isIndexed: boolean): Statement {
  if (wanted === "" || (isIndexed && !isAscii(wanted))) return nothing;
  // The place is JSON, dear to read: only where its text holds the words.
  const asJson = JSON.stringify(wanted).slice(1, -1);
  return sql`
  AND (instr(lower(title), lower(${wanted})) OR instr(lower(note), lower(${wanted})) OR instr(lower(game), lower(${wanted}))
    OR (instr(lower(culprit), lower(${asJson})) AND (
      instr(lower(culprit ->> 'function'), lower(${wanted})) OR instr(lower(culprit ->> 'file'), lower(${wanted})))))`;
}

/** Issues that the index found, as JSON; not all when there are more than `manyMax`. */
type Found = { readonly seqs: string; readonly n: number };

export function createListPlans(read: Storage["read"], now: () => number) {
  const isFew = async (which: Statement): Promise<boolean> => {
    const [row] = await read(joined(sql`SELECT count(*) AS n FROM (SELECT 1`, which, sql` LIMIT ${fewMax + 1})`));
    return Number(row?.n) <= fewMax;
  };
  /** As many as matter. */
  const findIn = async (threes: string): Promise<Found> => {
    const [row] = await read(sql`
      SELECT count(*) AS n, json_group_array(which) AS seqs
      FROM (SELECT rowid AS which FROM issue_text WHERE issue_text MATCH ${threes} LIMIT ${manyMax + 1})`);
    return { n: Number(row?.n), seqs: String(row?.seqs) };
  };

  return async (filter: IssueFilter, sort: IssueSort, after: Place, limit: number): Promise<ListPlan> => {
    const order = orders[sort];
    const where = within(filter, now());
    const wanted = (filter.search ?? "").toWellFormed();
    const threes = threesOf(wanted);
    const holds = holding(wanted, threes !== null);
    const onwards = joined(order.after(after), order.by, sql` LIMIT ${limit}`);
    const planned = (...parts: readonly Statement[]): ListPlan => ({ which: joined(...parts), goesOn: false });

    let indexed = nothing;
    if (threes !== null) {
      const { n, seqs } = await findIn(threes);
      const found = sql`(SELECT value AS which FROM json_each(${seqs}))`;
      if (n <= fewMax) return planned(sql` FROM `, found, sql` CROSS JOIN issue ON seq = which`, where, holds, onwards);
      if (n <= manyMax) indexed = joined(sql` AND seq IN `, found);
      else if (!isAscii(wanted))
        indexed = sql` AND seq IN (SELECT rowid FROM issue_text WHERE issue_text MATCH ${threes})`;
    }
    const narrow = narrowest(filter);
    if (narrow !== null && (await isFew(narrow.about))) return planned(narrow.from, where, indexed, holds, onwards);
    if (threes !== null || wanted === "") return planned(order.index, where, indexed, holds, onwards);

    const next = joined(order.index, where, order.after(after), order.by, sql` LIMIT 1 OFFSET ${scannedMax}`);
    const [last] = await read(joined(order.place, next));
    const end = last === undefined ? nothing : order.downTo([Number(last.at), Number(last.seq)]);
    return { which: joined(order.index, where, end, holds, onwards), goesOn: last !== undefined };
  };
}
