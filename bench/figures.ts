// A handful of runs as one figure: the median, and how far the runs lie apart.

export type Spread = { readonly median: number; readonly min: number; readonly max: number; readonly runs: number };

/** Undefined when there was no run. */
export function spreadOf(runs: readonly number[]): Spread | undefined {
  const sorted = runs.toSorted((a, b) => a - b);
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (min === undefined || max === undefined) return undefined;
  const middle = (sorted.length - 1) / 2;
  const median = ((sorted[Math.floor(middle)] ?? min) + (sorted[Math.ceil(middle)] ?? max)) / 2;
  return { median, min, max, runs: sorted.length };
}

export type Run = { readonly round: number; readonly value: number };

/** How one subject's runs compare to another's, round by round: what disturbed a round disturbed both. */
export function ratioOf(ours: readonly Run[], theirs: readonly Run[]): Spread | undefined {
  const ratios = ours.flatMap(({ round, value }) => {
    const other = theirs.find((run) => run.round === round);
    return other === undefined ? [] : [value / other.value];
  });
  return spreadOf(ratios);
}
