// What Kit means to reach, and whether a run reached it.
import type { Spread } from "./figures.ts";
import { shown, table } from "./tables.ts";

export type Target = {
  readonly says: string;
  readonly wanted: string;
  readonly measured: string;
  readonly reached: boolean;
  /** A promise that is broken is a fault of Kit and fails the bench; a figure that is missed may be the machine's. */
  readonly isPromise?: boolean;
  /** How the figure compares to others of the same run. */
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

/** A target, or none where nothing was measured. Of several runs the median counts. */
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
