// Copies one table of a damaged database, as far as it can be read and as the table's entry says.
import type { DatabaseSync } from "node:sqlite";
import { isIntact, renumbered } from "./journal.ts";
import { createMerge } from "./merge.ts";
import { type Scan, scan } from "./scan.ts";
import { numberOf, shapeOf, valuesOf } from "./shape.ts";
import { takes } from "./tables.ts";

/** What was not read by then is not read. */
export class TimeOver extends Error {}

export type Copied = Scan & {
  /** Rows that the restored database did not have. */
  readonly added: number;
  /** Rows that are none of the table, by their values. */
  readonly refused: number;
  readonly isOver: boolean;
};

/** Copies one table. Where all of it was read, rows that are not in it were deleted, and go. */
export function copyTable(
  source: DatabaseSync,
  target: DatabaseSync,
  table: string,
  checkTime: () => void,
): Copied | undefined {
  const shape = shapeOf(source, table);
  if (shape === undefined) return undefined;
  const merge = createMerge(target, shape);
  const isAdded = takes[table] === "added";
  const after = isAdded ? numberOf(target, `SELECT max(seq) AS n FROM "${table}"`) : undefined;
  let refused = 0;
  const misnumbered: (readonly unknown[])[] = [];
  const isRow = (read: readonly unknown[]) =>
    valuesOf(shape.columns, read) !== undefined && (table !== "event" || isIntact(shape, read));
  const take = (read: readonly unknown[], isGood: boolean) => {
    if (isGood && merge.take(read)) return;
    refused += 1;
    if (table === "event" && isIntact(shape, read)) misnumbered.push(read);
  };
  try {
    const done = scan({ source, shape, take, isRow, checkTime, ...(after !== undefined && { after }) });
    const isWhole = done.isWhole && refused === 0;
    for (const read of misnumbered) if (merge.take(renumbered(target, shape, read, after ?? 0n))) refused -= 1;
    if (isWhole && !isAdded) merge.removeOthers();
    return { gaps: done.gaps, isWhole, refused, isOver: false, added: merge.added() };
  } catch (error) {
    if (!(error instanceof TimeOver)) throw error;
    return { gaps: [], isWhole: false, refused, isOver: true, added: merge.added() };
  }
}
