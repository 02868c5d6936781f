// Power cuts: records a launcher under load, cuts the power at many places of the record, and does the same with disks that lie.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { type Cut, chooseCuts, type Found, nothingFound } from "./cuts.ts";
import { models, type Syncs } from "./recorded-disk.ts";
import { type RecordingPlan, record } from "./recording.ts";

export type PowerPlan = Pick<RecordingPlan, "acknowledgements" | "untilIdle"> & {
  /** In each model. */
  readonly cuts: number;
  /** For each kind of disk that lies. */
  readonly controlCuts: number;
  readonly seed: number;
};

export type PowerOutcome = {
  readonly operations: number;
  readonly acknowledged: number;
  /** By model. */
  readonly kept: Readonly<Record<string, Found>>;
  /** By what the disk does with syncs. They have to lose something: a harness that cannot lose proves nothing. */
  readonly controls: Readonly<Record<string, Found>>;
};

export type CutsShare = {
  readonly folder: string;
  readonly cuts: readonly Cut[];
  readonly syncs: Syncs;
  readonly place: string;
};

/** States are written and thrown away again: memory is quickest. */
const memory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

export async function cutPower({ cuts, controlCuts, seed, ...plan }: PowerPlan): Promise<PowerOutcome> {
  const folder = mkdtempSync(join(tmpdir(), "kit-soak-"));
  const place = mkdtempSync(join(memory, "kit-soak-"));
  try {
    const { operations, payloads } = await record({ ...plan, folder });
    const tryAll = async (chosen: readonly Cut[], syncs: Syncs) =>
      sumOf(await Promise.all(sharesOf(chosen).map((share) => inThread({ folder, cuts: share, syncs, place }))));
    const kept: Record<string, Found> = {};
    for (const model of models) kept[model] = await tryAll(chooseCuts(operations.length, cuts, model, seed), "kept");
    const controls: Record<string, Found> = {};
    for (const syncs of ["late", "ignored"] as const)
      controls[syncs] = await tryAll(chooseCuts(operations.length, controlCuts, "any", seed), syncs);
    return { operations: operations.length, acknowledged: payloads.size, kept, controls };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(place, { recursive: true, force: true });
  }
}

/** Every share goes through the whole record, so each has cuts from all of it. */
function sharesOf(cuts: readonly Cut[]): Cut[][] {
  const shares = Array.from({ length: Math.min(availableParallelism(), cuts.length) }, (): Cut[] => []);
  for (const [index, cut] of cuts.entries()) shares[index % shares.length]?.push(cut);
  return shares;
}

/** Whoever waits for it can meanwhile do other things: a load whose connections stand still would lose them. */
export function inThread(share: CutsShare): Promise<Found> {
  const thread = new Worker(new URL("./cuts-thread.ts", import.meta.url), { workerData: share });
  return new Promise((resolve, reject) => {
    thread.once("error", reject);
    thread.once("exit", () => reject(new Error("The thread ended before its cuts were tried")));
    thread.once("message", resolve);
  });
}

function sumOf(parts: readonly Found[]): Found {
  const sum = nothingFound();
  for (const part of parts) {
    sum.cuts += part.cuts;
    sum.inCheckpoints += part.inCheckpoints;
    sum.checks += part.checks;
    sum.losses += part.losses;
    sum.damages += part.damages;
    sum.examples.push(...part.examples);
  }
  return sum;
}
