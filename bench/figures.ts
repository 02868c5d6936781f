// Statistics of measured values.

export type Spread = { readonly median: number; readonly min: number; readonly max: number; readonly runs: number };

/** Median, minimum and maximum of several runs, or undefined without runs. */
export function spreadOf(runs: readonly number[]): Spread | undefined {
  const sorted = runs.toSorted((a, b) => a - b);
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
  value: (run: R) => number,
): Spread | undefined {
  const ratios = ours.flatMap((run) => {
    const other = theirs.find(({ round }) => round === run.round);
    return other === undefined ? [] : [value(run) / value(other)];
  });
  return spreadOf(ratios);
}

/** The `q` quantile of the values, or NaN without values. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);
export const greatest = (values: readonly number[]): number => quantile(values, 1);
export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
