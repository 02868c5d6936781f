// Records a launcher under load and tries power cuts at many places of the recording, also with disks that do not honour syncs.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { type Cut, type CutResults, chooseCuts, emptyResults } from "./cuts.ts";
import { type RecordingPlan, recordLauncher } from "./record-launcher.ts";
import { type SyncBehaviour, survivalModels } from "./recorded-disk.ts";

export type PowerPlan = Pick<RecordingPlan, "acknowledgements" | "untilIdle"> & {
  /** Cuts for each survival model. */
  readonly cuts: number;
  /** Cuts for each kind of disk that does not honour syncs. */
  readonly controlCuts: number;
  readonly seed: number;
};

export type PowerOutcome = {
  readonly operations: number;
  readonly acknowledged: number;
  /** Results by survival model. */
  readonly kept: Readonly<Record<string, CutResults>>;
  /** Results by sync behaviour of the disk. Each must show losses, which proves that the harness can detect them. */
  readonly controls: Readonly<Record<string, CutResults>>;
};

export type CutsShare = {
  readonly folder: string;
  readonly cuts: readonly Cut[];
  readonly syncs: SyncBehaviour;
  readonly place: string;
};

/** Disk states are temporary, so they are written to memory if possible. */
const memory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

export async function testPowerCuts({ cuts, controlCuts, seed, ...plan }: PowerPlan): Promise<PowerOutcome> {
  const folder = mkdtempSync(join(tmpdir(), "kit-soak-"));
  const place = mkdtempSync(join(memory, "kit-soak-"));
  try {
    const { operations, payloads } = await recordLauncher({ ...plan, folder });
    const tryAll = async (chosen: readonly Cut[], syncs: SyncBehaviour) =>
      sumOf(await Promise.all(sharesOf(chosen).map((share) => tryCutsInThread({ folder, cuts: share, syncs, place }))));
    const kept: Record<string, CutResults> = {};
    for (const model of survivalModels)
      kept[model] = await tryAll(chooseCuts(operations.length, cuts, model, seed), "kept");
    const controls: Record<string, CutResults> = {};
    for (const syncs of ["late", "ignored"] as const)
      controls[syncs] = await tryAll(chooseCuts(operations.length, controlCuts, "any", seed), syncs);
    return { operations: operations.length, acknowledged: payloads.size, kept, controls };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(place, { recursive: true, force: true });
  }
}

/** Distributes the cuts evenly: each share replays the whole recording. */
function sharesOf(cuts: readonly Cut[]): Cut[][] {
  const shares = Array.from({ length: Math.min(availableParallelism(), cuts.length) }, (): Cut[] => []);
  for (const [index, cut] of cuts.entries()) shares[index % shares.length]?.push(cut);
  return shares;
}

/** Tries the cuts in a worker thread, so that the connections of a running load do not time out. */
export function tryCutsInThread(share: CutsShare): Promise<CutResults> {
  const thread = new Worker(new URL("./cuts-thread.ts", import.meta.url), { workerData: share });
  return new Promise((resolve, reject) => {
    thread.once("error", reject);
    thread.once("exit", () => reject(new Error("The thread ended before its cuts were tried")));
    thread.once("message", resolve);
  });
}

function sumOf(parts: readonly CutResults[]): CutResults {
  const sum = emptyResults();
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
