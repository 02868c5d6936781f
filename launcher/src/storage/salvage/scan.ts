// Reads the readable rows of a damaged table: backwards from its end, forwards from its beginning, then between unreadable rows.
// Validates rows against the table's columns, because SQLite does not detect a flipped bit inside a row.
//
// Uses no index, because an index may be damaged as well. Seeking a row needs the table's inner pages, but walking along the rows
// does not, so it walks first and seeks only between the ends of both walks.

import { isUtf8 } from "node:buffer";
import type { DatabaseSync, StatementSync } from "node:sqlite";

type Value = null | bigint | number | string;
/** Values in column order. */
export type RowValues = readonly Value[];
type Column = { readonly name: string; readonly type: string; readonly isRequired: boolean };

export type TableShape = {
  readonly table: string;
  readonly columns: readonly Column[];
  /** Primary key columns. */
  readonly key: readonly string[];
  readonly hasRowid: boolean;
};

const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`;
export const quoteNames = (names: readonly string[]) => names.map(quoteName).join(", ");

/** Reads the shape from the schema. Returns undefined if there is no such table. */
export function readTableShape(database: DatabaseSync, table: string): TableShape | undefined {
  const rows = database.prepare("SELECT * FROM pragma_table_xinfo(?)").all(table);
  const kept = rows.filter(({ hidden }) => hidden === 0);
  if (kept.length === 0) return undefined;
  const kind = database.prepare("SELECT wr FROM pragma_table_list(?) WHERE schema = 'main'").get(table);
  return {
    table,
    columns: kept.map(({ name, type, notnull }) => ({
      name: String(name),
      type: String(type),
      isRequired: notnull === 1,
    })),
    key: kept
      .filter(({ pk }) => pk !== 0)
      .sort((one, other) => Number(one.pk) - Number(other.pk))
      .map(({ name }) => String(name)),
    hasRowid: kind?.wr === 0,
  };
}

/** A select list that returns text as bytes, so that invalid UTF-8 can be detected. */
const selectList = (columns: readonly Column[]): string =>
  columns
    .map(({ name }) => `iif(typeof(${quoteName(name)}) = 'text', CAST(${quoteName(name)} AS BLOB), ${quoteName(name)})`)
    .join(", ");

function parseValue({ type, isRequired }: Column, read: unknown): Value | undefined {
  if (read === null) return isRequired ? undefined : null;
  if (type === "TEXT") return read instanceof Uint8Array && isUtf8(read) ? Buffer.from(read).toString() : undefined;
  if (type === "INTEGER") return typeof read === "bigint" ? read : undefined;
  return typeof read === "number" || typeof read === "bigint" ? Number(read) : undefined;
}

/** Converts a row, whose values are in column order. Returns undefined if a value is invalid for its column. */
export function parseTableRow(columns: readonly Column[], read: readonly unknown[]): RowValues | undefined {
  const values: Value[] = [];
  for (const [index, column] of columns.entries()) {
    const value = parseValue(column, read[index]);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

/** Returns the column `n` of the statement's only row, or 0 if it has none. */
export const selectNumber = (database: DatabaseSync, text: string): bigint => {
  const statement = database.prepare(text);
  statement.setReadBigInts(true);
  return (statement.get()?.n as bigint | null | undefined) ?? 0n;
};

/** Maximum seeks between unreadable rows. */
const triesMax = 2_000;
/** How far beyond the last read row to search. */
const beyond = 100_000n;

/** A range of unreadable row numbers. `to` is undefined if the end is unknown. */
type Gap = { readonly from: bigint; readonly to: bigint | undefined };

export type ScanResult = {
  /** All rows were read, as far as SQLite can tell. */
  readonly isWhole: boolean;
  readonly gaps: readonly Gap[];
};

type ScanOptions = {
  readonly source: DatabaseSync;
  readonly shape: TableShape;
  /** Reads only rows after this number. */
  readonly after?: bigint;
  /** Called for each row with its values in column order, and whether the row is valid. */
  readonly take: (values: readonly unknown[], isRow: boolean) => void;
  /** Whether the row is valid. The number of an invalid row is ignored. */
  readonly isRow: (values: readonly unknown[]) => boolean;
  /** Throws when the time limit is reached. */
  readonly checkTime: () => void;
};

/** Damage causes many different SQLite errors, e.g. a short read or a value that is too big. */
const isUnreadable = (error: unknown) => (error as { code?: unknown }).code === "ERR_SQLITE_ERROR";

/** Steps through a statement. Returns the number of the last valid row, and whether the end was reached. */
function walk(
  { take, isRow, checkTime }: Pick<ScanOptions, "take" | "isRow" | "checkTime">,
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

/** Whether SQLite finds no damage in the table itself, ignoring its indices. */
function isSoundTable(source: DatabaseSync, { table }: TableShape): boolean {
  try {
    const root = source.prepare("SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table);
    const found = source.prepare(`PRAGMA quick_check("${table}")`).all();
    return found.every(({ quick_check: message }) => {
      const relevant = String(message).replaceAll(/^.*ptr ?map.*$/gim, "");
      return !new RegExp(`Tree ${root?.rootpage}\\b`).test(relevant);
    });
  } catch {
    return false;
  }
}

/** Prepares a query of the table's rows, each with its number first. `end` adds conditions and order. */
type Prepare = (end: string) => () => StatementSync;

function createPrepare(source: DatabaseSync, { table, columns, hasRowid }: TableShape): Prepare {
  const from = `FROM "${table}" ${hasRowid ? "NOT INDEXED" : ""}`;
  const beginning = `SELECT ${hasRowid ? "rowid" : "0"}, ${selectList(columns)} ${from}`;
  return (end) => () => {
    const statement = source.prepare(`${beginning} ${end}`);
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    return statement;
  };
}

/** Scans a table without row numbers from both ends, without searching in between. */
function scanByKey(options: ScanOptions, prepare: Prepare): ScanResult {
  const { source, shape } = options;
  const never = () => false;
  const down = shape.key.map((name) => `${quoteNames([name])} DESC`).join(", ");
  const fromEnd = walk(options, prepare(`ORDER BY ${down}`), [], never);
  if (fromEnd.isWhole) return { isWhole: isSoundTable(source, shape), gaps: [] };
  walk(options, prepare(`ORDER BY ${quoteNames(shape.key)}`), [], never);
  return { isWhole: false, gaps: [] };
}

export function scanTable(options: ScanOptions): ScanResult {
  const { source, shape, after } = options;
  const prepare = createPrepare(source, shape);
  if (!shape.hasRowid) return scanByKey(options, prepare);
  const start = after ?? 0n;
  const never = () => false;
  const fromEnd = walk(options, prepare("ORDER BY rowid DESC"), [], (number) => number <= start);
  if (fromEnd.isWhole) return { isWhole: after !== undefined || isSoundTable(source, shape), gaps: [] };
  const until = fromEnd.last;
  const isOver = until === undefined ? never : (number: bigint) => number >= until;
  // The plus sign makes SQLite walk instead of seeking.
  const fromStart = walk(options, prepare("WHERE +rowid > ? ORDER BY rowid"), [start], isOver);
  return { isWhole: false, gaps: searchBetween(options, prepare, fromStart.last ?? start, until) };
}

/** Searches for readable rows between unreadable ones by bisection. Returns the remaining gaps. */
function searchBetween(options: ScanOptions, prepare: Prepare, low: bigint, high: bigint | undefined): Gap[] {
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
    const above = walk(options, up, [middle, to], never);
    if (above.last !== undefined && above.last > lastRead) lastRead = above.last;
    if (!above.isWhole && above.last === undefined) {
      unread.push([middle - 1n, middle + 1n]);
      wanted.push([from, middle], [middle, to]);
      continue;
    }
    if (!above.isWhole) wanted.push([above.last ?? middle, to]);
    const below = walk(options, down, [from, middle], never);
    if (!below.isWhole) wanted.push([from, below.last ?? middle]);
  }
  return mergeGaps(unread, high === undefined ? lastRead : undefined);
}

/** Merges adjacent gaps. A gap that begins after row `openAfter` has no known end. */
function mergeGaps(unread: [low: bigint, high: bigint][], openAfter: bigint | undefined): Gap[] {
  const gaps: { from: bigint; to: bigint | undefined }[] = [];
  for (const [low, high] of unread.sort(([one], [other]) => (one < other ? -1 : 1))) {
    const last = gaps.at(-1);
    if (last !== undefined && (last.to === undefined || last.to >= low)) {
      if (last.to !== undefined && high - 1n > last.to) last.to = high - 1n;
    } else gaps.push({ from: low + 1n, to: openAfter !== undefined && low >= openAfter ? undefined : high - 1n });
  }
  return gaps;
}
