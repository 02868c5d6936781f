// Many single figures as a few.

/** The smallest value that at least the share `q` of all does not exceed; NaN when there is none. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);
export const greatest = (values: readonly number[]): number => quantile(values, 1);
export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
