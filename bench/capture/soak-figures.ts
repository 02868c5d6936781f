// Resource usage of a long recording over time, and whether it is stable.

import type { Scene } from "../../launcher/test/recording/scene.ts";
import { processAt, treeOf } from "../../launcher/test/support/process-table.ts";
import { median, quantile } from "../figures.ts";

export type Sample = {
  readonly minute: number;
  readonly launcherMb: number;
  readonly captureMb: number;
  /** Occasional jobs such as posters and previews. */
  readonly otherMb: number;
  readonly heldMb: number;
  readonly heldSeconds: number;
  readonly frameRate: number;
  readonly restarts: number;
  readonly lostSeconds: number;
  readonly processes: number;
};

const round = (value: number, digits = 1) => Number(value.toFixed(digits));
const megabytes = (bytes: number) => round(bytes / 1e6);

export async function sampleOf(scene: Scene, minute: number): Promise<Sample> {
  const { pid } = scene.launcher.process();
  const tree = treeOf(pid);
  const launcher = processAt(pid);
  const captures = scene.captures();
  const bytesOf = (pids: readonly number[]) =>
    tree.reduce((sum, each) => (pids.includes(each.pid) ? sum + each.residentBytes : sum), 0);
  const capturing = captures.map((each) => each.pid);
  const others = tree.map((each) => each.pid).filter((each) => each !== pid && !capturing.includes(each));
  const state = await scene.recorder();
  if (state.state !== "recording") throw new Error(`the recorder is ${state.state}: ${state.detail}`);
  return {
    minute: round(minute),
    launcherMb: megabytes(launcher?.residentBytes ?? Number.NaN),
    captureMb: megabytes(bytesOf(capturing)),
    otherMb: megabytes(bytesOf(others)),
    heldMb: megabytes(state.heldBytes),
    heldSeconds: round(state.heldSeconds),
    frameRate: round(state.frameRate),
    restarts: state.restarts,
    lostSeconds: state.lostSeconds,
    processes: tree.length,
  };
}

/** Allowance, because footage for pending clips is buffered longer. */
const heldSlackSeconds = 25;
/** Maximum growth from the second to the last quarter, to allow for garbage collection. */
const growthMbMax = 12;
/** In a shorter run, memory grows because the buffer fills. */
const growthMinutesMin = 20;
const frameRateMin = 28;

const quarter = (samples: readonly Sample[], index: number): readonly Sample[] =>
  samples.slice(Math.floor((samples.length * index) / 4), Math.floor((samples.length * (index + 1)) / 4));

export function soakFaults(samples: readonly Sample[], bufferSeconds: number): string[] {
  const of = (from: readonly Sample[], name: keyof Sample) => from.map((sample) => sample[name]);
  const growth = (name: "launcherMb" | "captureMb") =>
    median(of(quarter(samples, 3), name)) - median(of(quarter(samples, 1), name));
  const held = quantile(of(samples, "heldSeconds"), 1);
  const rate = median(of(samples, "frameRate"));
  const faults: string[] = [];
  for (const name of ["launcherMb", "captureMb"] as const) {
    const isJudged = (samples.at(-1)?.minute ?? 0) >= growthMinutesMin;
    if (isJudged && !(growth(name) <= growthMbMax)) faults.push(`${name} grew by ${round(growth(name))} MB`);
  }
  if (!(held <= bufferSeconds + heldSlackSeconds)) faults.push(`${held} s held, ${bufferSeconds} s are the bound`);
  if (!(rate >= frameRateMin)) faults.push(`${rate} frames a second`);
  const restarts = samples.at(-1)?.restarts ?? Number.NaN;
  if (restarts !== 0) faults.push(`${restarts} restarts of the capture`);
  return faults;
}

/** Minimum, median and maximum of each figure, and the medians of each quarter of the run. */
export function soakFigures(samples: readonly Sample[]): Record<string, unknown> {
  const names = Object.keys(samples[0] ?? {}).filter((name) => name !== "minute") as (keyof Sample)[];
  const figures = names.map((name) => {
    const all = samples.map((sample) => sample[name]);
    const quarters = [0, 1, 2, 3].map((index) => median(quarter(samples, index).map((sample) => sample[name])));
    return [name, { least: quantile(all, 0), median: median(all), most: quantile(all, 1), quarters }];
  });
  return { samples: samples.length, ...Object.fromEntries(figures) };
}
