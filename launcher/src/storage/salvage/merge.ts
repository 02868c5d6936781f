// Merges rows of the damaged database into the restored one. Skips equal rows, and rows that violate constraints. Of events, checks
// their checksums, and whether they continue the backup's journal.

import type { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { parseTableRow, quoteNames, type RowValues, readTableShape, scanTable, type TableShape } from "./scan.ts";

/** Whether the restored database is an earlier state of the damaged one. Otherwise their rows must not be mixed. */
export function isSameHistory(source: DatabaseSync, target: DatabaseSync): boolean {
  const known = target.prepare(
    "SELECT seq, id FROM event WHERE seq % max(1, (SELECT count(*) FROM event) / 64) = 0 ORDER BY seq DESC LIMIT 64",
  );
  const other = source.prepare("SELECT id FROM event NOT INDEXED WHERE seq = ?");
  // Tolerates some differences, because the compared rows may be damaged.
  let same = 0;
  let different = 0;
  for (const { seq, id } of known.all()) {
    try {
      const found = other.get(Number(seq))?.id;
      if (found === id) same += 1;
      else if (found !== undefined) different += 1;
    } catch {
      // The row is unreadable.
    }
  }
  return same >= different;
}

/** Whether the payload matches the checksum. `read`: the row's values in column order. */
export const isIntactEvent = ({ columns }: TableShape, read: readonly unknown[]): boolean => {
  const at = (name: string) => read[columns.findIndex((column) => column.name === name)];
  const payload = at("payload");
  const checksum = at("checksum");
  if (!(payload instanceof Uint8Array) || !(checksum instanceof Uint8Array)) return false;
  return crc32(payload).toString(16).padStart(8, "0") === Buffer.from(checksum).toString();
};

/** Whether the database has an intact event. If not, the schema that was grafted into it does not fit its pages. */
export function hasIntactEvent(database: DatabaseSync): boolean {
  try {
    const shape = readTableShape(database, "event");
    if (shape === undefined) return false;
    let isFound = false;
    const stop = new Error("found");
    try {
      scanTable({
        source: database,
        shape,
        take(read) {
          isFound ||= isIntactEvent(shape, read);
          if (isFound) throw stop;
        },
        isRow: (read) => isIntactEvent(shape, read),
        checkTime: () => undefined,
      });
    } catch (error) {
      if (error !== stop) throw error;
    }
    return isFound;
  } catch {
    return false;
  }
}

/** Maximum distance between the old and the new number of an event. */
const nearby = 1_000n;

/** Returns the row of an intact event with its own number, or with the nearest free one if its own is damaged or taken. */
export function renumberEvent(
  target: DatabaseSync,
  { columns }: TableShape,
  read: readonly unknown[],
  after: bigint,
): readonly unknown[] {
  const at = columns.findIndex(({ name }) => name === "seq");
  const claimed = read[at] as bigint;
  const find = target.prepare("SELECT 1 FROM event WHERE seq = ?");
  for (let far = 0n; far < nearby; far += 1n)
    for (const place of [claimed + far, claimed - far])
      if (place > after && find.get(place) === undefined) return read.with(at, place);
  return read;
}

/** True if the database refused the row: it violates a constraint, or has invalid JSON. */
const isRefusal = (error: unknown) => [1, 19, 20].includes(((error as { errcode?: number }).errcode ?? 0) & 0xff);

/** The primary key of a row as text. */
const rowKey = (key: readonly unknown[]) => JSON.stringify(key.map(String));

type RowMerge = {
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
