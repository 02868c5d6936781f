// Support: runs the generator of a storm and reads its result.
import { spawn } from "node:child_process";
import { join } from "node:path";
import type { GeneratorPlan } from "./generator.ts";
import type { StormAccount } from "./sender.ts";

export type Generated = Omit<StormAccount, "waits"> & {
  readonly lastedMs: number;
  readonly p99Ms: number;
};

type GeneratorOutput = Omit<StormAccount, "waits"> & {
  readonly lastedMs: number;
  /** Tenths of a millisecond, with their frequency. */
  readonly waits: readonly (readonly [tenths: number, times: number])[];
};

const program = ["--disable-warning=ExperimentalWarning", join(import.meta.dirname, "generator.ts")];

/** The wait that the share `q` of all waits does not exceed. */
function waitAt(q: number, waits: GeneratorOutput["waits"]): number {
  const sorted = waits.toSorted(([a], [b]) => a - b);
  let left = q * sorted.reduce((sum, [, times]) => sum + times, 0);
  for (const [tenths, times] of sorted) {
    left -= times;
    if (left <= 0) return tenths / 10;
  }
  return Number.NaN;
}

/** Resolves when the last request is finished. */
export async function generate(plan: GeneratorPlan): Promise<Generated> {
  const child = spawn(process.execPath, [...program, JSON.stringify(plan)], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = Promise.withResolvers<number | null>();
  child.once("error", ended.reject).once("close", ended.resolve);
  const text = Buffer.concat(await child.stdout.toArray()).toString();
  const code = await ended.promise;
  if (code !== 0) throw new Error(`the generator ended with ${code}`);
  const { waits, ...account } = JSON.parse(text) as GeneratorOutput;
  return { ...account, p99Ms: waitAt(0.99, waits) };
}
