// Reads what can be read of a damaged table: from its end, from its beginning, then what lies between two unreadable places.
//
// No index is asked, since an index may be damaged, too. A search for a row goes by the inner pages of the table, a walk along
// it does not: so it is walked first, and searched only beyond what the walks met.
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { listed, type Shape, selected } from "./shape.ts";

/** Places between two unreadable ones that are tried. */
const triesMax = 2_000;
/** How far beyond the last row that was read others are looked for. */
const beyond = 100_000n;

/** Rows that cannot be read, by their numbers; without `to` it is not known where they end. */
type Gap = { readonly from: bigint; readonly to: bigint | undefined };

export type Scan = {
  /** Every row was read, as far as SQLite can tell. */
  readonly isWhole: boolean;
  readonly gaps: readonly Gap[];
};

export type ScanNeeds = {
  readonly source: DatabaseSync;
  readonly shape: Shape;
  /** Rows after this number only. */
  readonly after?: bigint;
  /** Called for each row, with its values in the order of the shape's columns, and whether it can be one of the table. */
  readonly take: (values: readonly unknown[], isRow: boolean) => void;
  /** Whether it can be a row of the table: the number of one that cannot says nothing. */
  readonly isRow: (values: readonly unknown[]) => boolean;
  /** Throws when the time is over. */
  readonly checkTime: () => void;
};

/** Damage shows as many of SQLite's errors: a page beyond the end is a short read, a broken length too big a value. */
const isUnreadable = (error: unknown) => (error as { code?: unknown }).code === "ERR_SQLITE_ERROR";

/** Steps through a statement. Gives the number of the last row, and whether it came to its end. */
function walk(
  { take, isRow, checkTime }: Pick<ScanNeeds, "take" | "isRow" | "checkTime">,
  statement: () => StatementSync,
  bound: readonly bigint[],
  isOver: (number: bigint) => boolean,
): { last: bigint | undefined; isWhole: boolean } {
  let last: bigint | undefined;
  let isTaking = false;
  try {
    for (const row of statement().iterate(...bound) as unknown as Iterable<readonly unknown[]>) {
      const number = row[0] as bigint;
      const values = row.slice(1);
      isTaking = true;
      checkTime();
      const isGood = isRow(values);
      if (isGood && isOver(number)) break;
      take(values, isGood);
      isTaking = false;
      if (isGood) last = number;
    }
    return { last, isWhole: true };
  } catch (error) {
    if (isTaking || !isUnreadable(error)) throw error;
    return { last, isWhole: false };
  }
}

/** What SQLite finds wrong with the table itself, whatever is with its indexes. */
function isSoundTable(source: DatabaseSync, { table }: Shape): boolean {
  try {
    const root = source.prepare("SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table);
    const found = source.prepare(`PRAGMA quick_check("${table}")`).all();
    return found.every(({ quick_check: said }) => {
      const about = String(said).replaceAll(/^.*ptr ?map.*$/gim, "");
      return !new RegExp(`Tree ${root?.rootpage}\\b`).test(about);
    });
  } catch {
    return false;
  }
}

/** The table's rows, each with its number first, in the order and within the bounds that the end of the statement says. */
type Prepare = (end: string) => () => StatementSync;

function preparing(source: DatabaseSync, { table, columns, hasRowid }: Shape): Prepare {
  const from = `FROM "${table}" ${hasRowid ? "NOT INDEXED" : ""}`;
  const beginning = `SELECT ${hasRowid ? "rowid" : "0"}, ${selected(columns)} ${from}`;
  return (end) => () => {
    const statement = source.prepare(`${beginning} ${end}`);
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    return statement;
  };
}

/** A table without numbers: from both ends. What lies between is not searched. */
function scanByKey(needs: ScanNeeds, prepare: Prepare): Scan {
  const { source, shape } = needs;
  const never = () => false;
  const down = shape.key.map((name) => `${listed([name])} DESC`).join(", ");
  const fromEnd = walk(needs, prepare(`ORDER BY ${down}`), [], never);
  if (fromEnd.isWhole) return { isWhole: isSoundTable(source, shape), gaps: [] };
  walk(needs, prepare(`ORDER BY ${listed(shape.key)}`), [], never);
  return { isWhole: false, gaps: [] };
}

export function scan(needs: ScanNeeds): Scan {
  const { source, shape, after } = needs;
  const prepare = preparing(source, shape);
  if (!shape.hasRowid) return scanByKey(needs, prepare);
  const start = after ?? 0n;
  const never = () => false;
  const fromEnd = walk(needs, prepare("ORDER BY rowid DESC"), [], (number) => number <= start);
  if (fromEnd.isWhole) return { isWhole: after !== undefined || isSoundTable(source, shape), gaps: [] };
  const until = fromEnd.last;
  const isOver = until === undefined ? never : (number: bigint) => number >= until;
  // A plus sign keeps SQLite from searching for the first one.
  const fromStart = walk(needs, prepare("WHERE +rowid > ? ORDER BY rowid"), [start], isOver);
  return { isWhole: false, gaps: searchBetween(needs, prepare, fromStart.last ?? start, until) };
}

/** Rows that have unreadable ones on both sides. What is left are the gaps, in which no row can be read. */
function searchBetween(needs: ScanNeeds, prepare: Prepare, low: bigint, high: bigint | undefined): Gap[] {
  const up = prepare("WHERE rowid >= ? AND rowid < ? ORDER BY rowid");
  const down = prepare("WHERE rowid > ? AND rowid < ? ORDER BY rowid DESC");
  const never = () => false;
  const unread: [low: bigint, high: bigint][] = [];
  const wanted: [low: bigint, high: bigint][] = [[low, high ?? low + beyond]];
  let lastRead = low;
  for (let tries = 0; wanted.length > 0; tries += 1) {
    const [from, to] = wanted.shift() as [bigint, bigint];
    if (to - from <= 1n) continue;
    if (tries >= triesMax) {
      unread.push([from, to]);
      continue;
    }
    const middle = (from + to) / 2n;
    const above = walk(needs, up, [middle, to], never);
    if (above.last !== undefined && above.last > lastRead) lastRead = above.last;
    if (!above.isWhole && above.last === undefined) {
      unread.push([middle - 1n, middle + 1n]);
      wanted.push([from, middle], [middle, to]);
      continue;
    }
    if (!above.isWhole) wanted.push([above.last ?? middle, to]);
    const below = walk(needs, down, [from, middle], never);
    if (!below.isWhole) wanted.push([from, below.last ?? middle]);
  }
  return gapsOf(unread, high === undefined ? lastRead : undefined);
}

/** Adjacent ones as one. Beyond `openAfter` it is not known how many rows there were. */
function gapsOf(unread: [low: bigint, high: bigint][], openAfter: bigint | undefined): Gap[] {
  const gaps: { from: bigint; to: bigint | undefined }[] = [];
  for (const [low, high] of unread.sort(([one], [other]) => (one < other ? -1 : 1))) {
    const last = gaps.at(-1);
    if (last !== undefined && (last.to === undefined || last.to >= low)) {
      if (last.to !== undefined && high - 1n > last.to) last.to = high - 1n;
    } else gaps.push({ from: low + 1n, to: openAfter !== undefined && low >= openAfter ? undefined : high - 1n });
  }
  return gaps;
}
