// Formats figures and tables.
import { type Spread, spreadOf } from "./figures.ts";

type Cell = string | number;

/** Formats the median, and for several runs also minimum and maximum. */
export function shown(spread: Spread | undefined, digits: number): string {
  if (spread === undefined) return "–";
  const { median, min, max, runs } = spread;
  const text = median.toFixed(digits);
  return runs === 1 ? text : `${text} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
}

/** Formats a value of several runs. */
export const shownOf = <R>(runs: readonly R[], value: (run: R) => number, digits = 0): string =>
  shown(spreadOf(runs.map(value)), digits);

/** Formats a table. Returns an empty text without rows. */
export function table(title: string, head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  if (rows.length === 0) return "";
  const all = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const isNumber = (column: number) => column > 0 && rows.every((row) => /^[\d–]/.test(String(row[column])));
  const line = (row: readonly string[]) =>
    row.map((cell, column) =>
      isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
    );
  return [title, ...all.map((row) => `  ${line(row).join("  ").trimEnd()}`)].join("\n");
}
