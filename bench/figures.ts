// Statistics of measured values, tables of them, and the targets that they reach or miss.

export type Spread = { readonly median: number; readonly min: number; readonly max: number; readonly runs: number };

/** A figure of a run: the name of the member that holds it, or a function. */
export type Value<R> = (keyof R & string) | ((run: R) => number);

const readOf = <R>(run: R, value: Value<R>): number => (typeof value === "function" ? value(run) : Number(run[value]));

/** Median, minimum and maximum of several runs, or undefined without runs. */
export function spreadOf<R>(runs: readonly R[], value: Value<R>): Spread | undefined {
  const sorted = runs.map((run) => readOf(run, value)).sort((a, b) => a - b);
  const min = sorted[0];
  const max = sorted.at(-1);
  if (min === undefined || max === undefined) return undefined;
  const middle = (sorted.length - 1) / 2;
  const median = ((sorted[Math.floor(middle)] ?? min) + (sorted[Math.ceil(middle)] ?? max)) / 2;
  return { median, min, max, runs: sorted.length };
}

/** Ratio of two subjects in each round, which cancels disturbances of that round. */
export function ratioOf<R extends { readonly round: number }>(
  ours: readonly R[],
  theirs: readonly R[],
  value: Value<R>,
): Spread | undefined {
  const ratios = ours.flatMap((run) => {
    const other = theirs.find(({ round }) => round === run.round);
    return other === undefined ? [] : [readOf(run, value) / readOf(other, value)];
  });
  return spreadOf(ratios, Number);
}

/** The runs with these members. */
export const where = <R extends object>(runs: readonly R[], members: Partial<R>): R[] =>
  runs.filter((run) => Object.entries(members).every(([name, wanted]) => run[name as keyof R] === wanted));

/** The `q` quantile of the values, or NaN without values. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);
export const greatest = (values: readonly number[]): number => quantile(values, 1);
export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
export const waitsOf = (tookMs: readonly number[]) => ({ p50Ms: median(tookMs), p99Ms: quantile(tookMs, 0.99) });

type Cell = string | number;

/** A column of a table: its head, its figure, and the digits behind the point. */
export type Column<R> = readonly [head: string, value: Value<R>, digits?: number];

/** Formats the median, and for several runs also minimum and maximum. */
export function shown(spread: Spread | undefined, digits = 0): string {
  if (spread === undefined) return "–";
  const { median, min, max, runs } = spread;
  const text = median.toFixed(digits);
  return runs === 1 ? text : `${text} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
}

export const cellsOf = <R>(runs: readonly R[], columns: readonly Column<R>[]): string[] =>
  columns.map(([, value, digits]) => shown(spreadOf(runs, value), digits));

export const headsOf = <R>(columns: readonly Column<R>[]): string[] => columns.map(([head]) => head);

/** A table with one row for each named group of runs, then the other rows. Groups without runs are left out. */
export function runTable<R>(
  title: string,
  columns: readonly Column<R>[],
  groups: readonly (readonly [name: string, runs: readonly R[]])[],
  others: readonly (readonly Cell[])[] = [],
): string {
  const rows = groups.flatMap(([name, runs]) => (runs.length === 0 ? [] : [[name, ...cellsOf(runs, columns)]]));
  return table(title, ["", ...headsOf(columns)], [...rows, ...others]);
}

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

export type Target = {
  readonly says: string;
  readonly wanted: string;
  readonly measured: string;
  readonly reached: boolean;
  /** A broken promise fails the benchmark. A missed figure does not, because the computer may be slow. */
  readonly isPromise?: boolean;
  /** Comparison with other figures of the same run. */
  readonly beside?: string;
};

type Measured = Spread | number | undefined;

const compared = (says: string, sign: "≤" | "≥", limit: number, unit: string, measured: Measured): Target[] => {
  if (measured === undefined) return [];
  const value = typeof measured === "number" ? measured : measured.median;
  const digits = Number.isInteger(value) ? 0 : 2;
  const text = typeof measured === "number" ? measured.toFixed(digits) : shown(measured, 2);
  const reached = sign === "≤" ? value <= limit : value >= limit;
  return [{ says, wanted: `${sign} ${limit} ${unit}`.trim(), measured: `${text} ${unit}`.trim(), reached }];
};

/** Creates a target if the figure was measured. The median of several runs counts. */
export const atMost = (says: string, limit: number, unit: string, measured: Measured): Target[] =>
  compared(says, "≤", limit, unit, measured);
export const atLeast = (says: string, limit: number, unit: string, measured: Measured): Target[] =>
  compared(says, "≥", limit, unit, measured);

export function targetTable(targets: readonly Target[]): string {
  const rows = targets.map(({ says, wanted, measured, reached, beside = "" }) => [
    reached ? "reached" : "MISSED",
    says,
    wanted,
    measured,
    beside,
  ]);
  return table("Targets", ["", "", "wanted", "measured", ""], rows);
}
