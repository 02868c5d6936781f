// Writes rows of the damaged database into the restored one: what is the same already is left alone, what is refused stays out.
import type { DatabaseSync } from "node:sqlite";
import { listed, type Shape, type Values, valuesOf } from "./shape.ts";

/** SQLite's own words for a row that breaks a rule of the table, or of a trigger's JSON. */
const isRefusal = (error: unknown) => [1, 19, 20].includes(((error as { errcode?: number }).errcode ?? 0) & 0xff);

/** What tells a row from the others of its table. */
const nameOf = (key: readonly unknown[]) => JSON.stringify(key.map(String));

export type Merge = {
  /** Takes over a row as it was read. False: it cannot be one of the table, or the table refuses it. */
  take(read: readonly unknown[]): boolean;
  /** Rows that the restored database did not have. */
  added(): number;
  /** Removes what was not taken over. */
  removeOthers(): void;
};

/** `shape` is the damaged file's: columns that were added since have their default. */
export function createMerge(target: DatabaseSync, shape: Shape): Merge {
  const { table, columns, key } = shape;
  const names = columns.map(({ name }) => name);
  const byKey = key.map((name) => `${listed([name])} = ?`).join(" AND ");
  const keyAt = key.map((name) => names.indexOf(name));
  const prepare = (text: string) => {
    const statement = target.prepare(text);
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    return statement;
  };
  const find = prepare(`SELECT ${listed(names)} FROM "${table}" WHERE ${byKey}`);
  const keys = prepare(`SELECT ${listed(key)} FROM "${table}"`);
  const remove = prepare(`DELETE FROM "${table}" WHERE ${byKey}`);
  const insert = prepare(`INSERT INTO "${table}" (${listed(names)}) VALUES (${names.map(() => "?").join(", ")})`);
  const taken = new Set<string>();
  let added = 0;

  const inserted = (values: Values): boolean => {
    try {
      insert.run(...values);
      return true;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return false;
    }
  };
  /** What is there stays where the new row is refused. */
  const replaced = (values: Values, own: Values): boolean => {
    target.exec("SAVEPOINT one");
    remove.run(...own);
    const isDone = inserted(values);
    target.exec(isDone ? "RELEASE one" : "ROLLBACK TO one; RELEASE one");
    return isDone;
  };
  return {
    take(read) {
      const values = valuesOf(columns, read);
      if (values === undefined) return false;
      const own = keyAt.map((at) => values[at] ?? null);
      const existing = find.get(...own) as unknown as readonly unknown[] | undefined;
      // Of two rows with one number the first is as good as the other, and stays.
      if (taken.has(nameOf(own))) return isSameRow(values, existing);
      const isSame = isSameRow(values, existing);
      if (!isSame && !(existing === undefined ? inserted(values) : replaced(values, own))) return false;
      if (existing === undefined) added += 1;
      taken.add(nameOf(own));
      return true;
    },
    added: () => added,
    removeOthers() {
      const others = (keys.all() as unknown as (string | number | bigint)[][]).filter((own) => !taken.has(nameOf(own)));
      for (const own of others) remove.run(...own);
    },
  };
}

const isSameRow = (values: Values, existing: readonly unknown[] | undefined) =>
  existing !== undefined && values.every((value, index) => sameValue(value, existing[index]));

const sameValue = (one: unknown, other: unknown) =>
  one === other || (typeof one === "number" && typeof other === "bigint" && one === Number(other));
