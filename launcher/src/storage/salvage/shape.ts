// Reads the columns of a table, and validates rows against them, because SQLite does not detect a flipped bit inside a row.
import { isUtf8 } from "node:buffer";
import type { DatabaseSync } from "node:sqlite";

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
export const selectList = (columns: readonly Column[]): string =>
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
