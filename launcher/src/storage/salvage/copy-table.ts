// Copies the readable rows of one table of a damaged database, following its salvage rule.
import type { DatabaseSync } from "node:sqlite";
import { isIntactEvent, renumberEvent } from "./journal.ts";
import { createMerge } from "./merge.ts";
import { type Scan, scan } from "./scan.ts";
import { parseRow, readShape, selectNumber } from "./shape.ts";
import { salvageRules } from "./tables.ts";

/** Thrown when the time for salvaging a table is over. */
export class TimeLimitReached extends Error {}

export type TableCopy = Scan & {
  /** Rows that the restored database did not have. */
  readonly added: number;
  /** Rows whose values are invalid for the table. */
  readonly refused: number;
  readonly isOver: boolean;
};

/** Copies one table. If all of it was readable, deletes the target's other rows, which must have been deleted since the backup. */
export function copyTable(
  source: DatabaseSync,
  target: DatabaseSync,
  table: string,
  checkTime: () => void,
): TableCopy | undefined {
  const shape = readShape(source, table);
  if (shape === undefined) return undefined;
  const merge = createMerge(target, shape);
  const isAdded = salvageRules[table] === "added";
  const after = isAdded ? selectNumber(target, `SELECT max(seq) AS n FROM "${table}"`) : undefined;
  let refused = 0;
  const renumberable: (readonly unknown[])[] = [];
  const isRow = (read: readonly unknown[]) =>
    parseRow(shape.columns, read) !== undefined && (table !== "event" || isIntactEvent(shape, read));
  const copyRow = (read: readonly unknown[], isGood: boolean) => {
    if (isGood && merge.mergeRow(read)) return;
    refused += 1;
    if (table === "event" && isIntactEvent(shape, read)) renumberable.push(read);
  };
  try {
    const done = scan({ source, shape, take: copyRow, isRow, checkTime, ...(after !== undefined && { after }) });
    const isWhole = done.isWhole && refused === 0;
    for (const read of renumberable) if (merge.mergeRow(renumberEvent(target, shape, read, after ?? 0n))) refused -= 1;
    if (isWhole && !isAdded) merge.removeOthers();
    return { gaps: done.gaps, isWhole, refused, isOver: false, added: merge.added() };
  } catch (error) {
    if (!(error instanceof TimeLimitReached)) throw error;
    return { gaps: [], isWhole: false, refused, isOver: true, added: merge.added() };
  }
}
