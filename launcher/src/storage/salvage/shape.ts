// What a table looks like, and whether a row that was read can be one of it: SQLite does not notice a flipped bit inside a row.
import { isUtf8 } from "node:buffer";
import type { DatabaseSync } from "node:sqlite";

type Value = null | bigint | number | string;
/** By column, in the table's order. */
export type Values = readonly Value[];
type Column = { readonly name: string; readonly type: string; readonly isRequired: boolean };

export type Shape = {
  readonly table: string;
  readonly columns: readonly Column[];
  /** Columns of the primary key. */
  readonly key: readonly string[];
  readonly hasRowid: boolean;
};

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
export const listed = (names: readonly string[]) => names.map(quoted).join(", ");

/** Undefined where there is no such table. Reads the schema only. */
export function shapeOf(database: DatabaseSync, table: string): Shape | undefined {
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

/** Selects a row's values; text as the bytes that are stored, so that broken text is told from text. */
export const selected = (columns: readonly Column[]): string =>
  columns
    .map(({ name }) => `iif(typeof(${quoted(name)}) = 'text', CAST(${quoted(name)} AS BLOB), ${quoted(name)})`)
    .join(", ");

function readAs({ type, isRequired }: Column, read: unknown): Value | undefined {
  if (read === null) return isRequired ? undefined : null;
  if (type === "TEXT") return read instanceof Uint8Array && isUtf8(read) ? Buffer.from(read).toString() : undefined;
  if (type === "INTEGER") return typeof read === "bigint" ? read : undefined;
  return typeof read === "number" || typeof read === "bigint" ? Number(read) : undefined;
}

/** Undefined where the row cannot be one of the table. `read` is in the order of `columns`. */
export function valuesOf(columns: readonly Column[], read: readonly unknown[]): Values | undefined {
  const values: Value[] = [];
  for (const [index, column] of columns.entries()) {
    const value = readAs(column, read[index]);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

/** The one number a statement gives, as `n`; 0 where it gives none. */
export const numberOf = (database: DatabaseSync, text: string): bigint => {
  const statement = database.prepare(text);
  statement.setReadBigInts(true);
  return (statement.get()?.n as bigint | null | undefined) ?? 0n;
};
