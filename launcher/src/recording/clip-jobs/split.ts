// One clip becomes two where not all of its moments can lie in one file.
import { randomUUIDv7 } from "node:crypto";
import type { Footage } from "../capture/backend.ts";
import type { Moment, Plan } from "../plan.ts";
import { outsideMs } from "./coverage.ts";

export type Split = {
  /** What the file shows. */
  readonly first: Plan;
  /** A clip of its own from the file's end on. */
  readonly rest: Plan;
};

/** Undefined where not some of the moments lie behind that time, and some do not. */
export function splitAt(plan: Plan, endMs: number, why: string): Split | undefined {
  const isBehind = ({ atMs }: Moment) => atMs > endMs + outsideMs;
  const behind = plan.moments.filter(isBehind);
  const shown = plan.moments.filter((moment) => !isBehind(moment));
  const [title] = behind.map(({ label }) => label);
  if (title === undefined || shown.length === 0) return undefined;
  // Whole milliseconds, none of them twice.
  const atMs = Math.ceil(endMs);
  const notes = [...plan.notes, `what came after is in a clip of its own: ${why}`];
  return {
    first: { ...plan, toMs: atMs, moments: shown, notes },
    rest: {
      ...plan,
      id: randomUUIDv7(),
      title,
      fromMs: atMs,
      moments: behind,
      notes: [`what came before is in a clip of its own: ${why}`],
    },
  };
}

/** The same at the end of footage, where what follows has another format and shows moments of the plan. */
export function splitByFormat(plan: Plan, { toMs, apart }: Pick<Footage, "toMs" | "apart">): Split | undefined {
  const isApart = ({ atMs }: Moment) =>
    apart.some((one) => one.fromMs - outsideMs <= atMs && atMs <= one.toMs + outsideMs && atMs > toMs + outsideMs);
  if (!plan.moments.some(isApart)) return undefined;
  return splitAt(plan, toMs, "the picture's format changed in between");
}
