// Merges rows of the damaged database into the restored one. Skips equal rows, and rows that violate constraints.
import type { DatabaseSync } from "node:sqlite";
import { parseTableRow, quoteNames, type RowValues, type TableShape } from "./shape.ts";

/** Whether the error is a violated constraint, or invalid JSON in a trigger. */
const isRefusal = (error: unknown) => [1, 19, 20].includes(((error as { errcode?: number }).errcode ?? 0) & 0xff);

/** The primary key of a row as text. */
const rowKey = (key: readonly unknown[]) => JSON.stringify(key.map(String));

export type RowMerge = {
  /** Merges a row. Returns false if it is invalid or violates a constraint. */
  mergeRow(read: readonly unknown[]): boolean;
  /** Number of merged rows that the restored database did not have. */
  added(): number;
  /** Deletes all rows that were not merged. */
  removeOthers(): void;
};

/** `shape`: the table in the damaged file. Columns that a migration added since get their defaults. */
export function createRowMerge(target: DatabaseSync, shape: TableShape): RowMerge {
  const { table, columns, key } = shape;
  const names = columns.map(({ name }) => name);
  const byKey = key.map((name) => `${quoteNames([name])} = ?`).join(" AND ");
  const keyAt = key.map((name) => names.indexOf(name));
  const prepare = (text: string) => {
    const statement = target.prepare(text);
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    return statement;
  };
  const find = prepare(`SELECT ${quoteNames(names)} FROM "${table}" WHERE ${byKey}`);
  const keys = prepare(`SELECT ${quoteNames(key)} FROM "${table}"`);
  const remove = prepare(`DELETE FROM "${table}" WHERE ${byKey}`);
  const insert = prepare(`INSERT INTO "${table}" (${quoteNames(names)}) VALUES (${names.map(() => "?").join(", ")})`);
  const merged = new Set<string>();
  let added = 0;

  const tryInsert = (values: RowValues): boolean => {
    try {
      insert.run(...values);
      return true;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return false;
    }
  };
  /** Keeps the existing row if the new one violates a constraint. */
  const tryReplace = (values: RowValues, own: RowValues): boolean => {
    target.exec("SAVEPOINT one");
    remove.run(...own);
    const isDone = tryInsert(values);
    target.exec(isDone ? "RELEASE one" : "ROLLBACK TO one; RELEASE one");
    return isDone;
  };
  return {
    mergeRow(read) {
      const values = parseTableRow(columns, read);
      if (values === undefined) return false;
      const own = keyAt.map((at) => values[at] ?? null);
      const existing = find.get(...own) as unknown as readonly unknown[] | undefined;
      // If two damaged rows have the same key, the first one wins.
      if (merged.has(rowKey(own))) return isSameRow(values, existing);
      const isSame = isSameRow(values, existing);
      if (!isSame && !(existing === undefined ? tryInsert(values) : tryReplace(values, own))) return false;
      if (existing === undefined) added += 1;
      merged.add(rowKey(own));
      return true;
    },
    added: () => added,
    removeOthers() {
      const others = (keys.all() as unknown as (string | number | bigint)[][]).filter(
        (own) => !merged.has(rowKey(own)),
      );
      for (const own of others) remove.run(...own);
    },
  };
}

const isSameRow = (values: RowValues, existing: readonly unknown[] | undefined) =>
  existing !== undefined && values.every((value, index) => sameValue(value, existing[index]));

const sameValue = (one: unknown, other: unknown) =>
  one === other || (typeof one === "number" && typeof other === "bigint" && one === Number(other));
