// Performance targets, and whether a run reached them.
import type { Spread } from "./figures.ts";
import { shown, table } from "./tables.ts";

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
