// The computer, processor time, temporary folders, and launchers with much data. Linux only where it reads /proc.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { cpus, release, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { startLauncherProcess } from "../launcher/test/support/own-launcher.ts";
import { processAt } from "../launcher/test/support/process-table.ts";
import { sum } from "./figures.ts";

/** Describes the computer in one line. */
export function describeMachine(): string {
  const [processor] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const kernel = `${process.platform} ${release()}`;
  return `${cpus().length} × ${processor?.model.trim()}, ${memory}, ${kernel}, Node ${process.versions.node}`;
}

let ticksPerSecond: number | undefined;

/** Processor time of a process in seconds, or NaN if it has ended. */
export function cpuSecondsOf(pid: number, withEndedChildren = false): number {
  ticksPerSecond ??= Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
  const { ticks = Number.NaN, endedChildrenTicks = Number.NaN } = processAt(pid) ?? {};
  return (withEndedChildren ? ticks + endedChildrenTicks : ticks) / ticksPerSecond;
}

/** Starts to measure. The returned function gives the processor time of all processes since then, in percent of one core. */
export function watchProcessor(pids: readonly number[], withEndedChildren = false): () => number {
  // The time of an ended child is in its parent's.
  const secondsNow = () =>
    sum(pids.map((pid) => (withEndedChildren ? cpuSecondsOf(pid, true) || 0 : cpuSecondsOf(pid))));
  const before = secondsNow();
  const beganMs = performance.now();
  return () => ((secondsNow() - before) / ((performance.now() - beganMs) / 1_000)) * 100;
}

/** Runs `work` with a temporary folder. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "kit-bench-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const amounts = ["few", "many"] as const;
/** A launcher that holds little data, and one that holds much. */
export type Amount = (typeof amounts)[number];

export type FilledLauncher<T> = AsyncDisposable & {
  readonly port: number;
  readonly secret: string;
  /** The result of `fill`. */
  readonly filled: T;
};

/** Starts two launchers and runs `work` with them. `fill` writes their data directly, because sending it would take hours. */
export async function withFewAndMany<T, R>(
  fill: (amount: Amount, dataDir: string) => T,
  work: (launchers: Readonly<Record<Amount, FilledLauncher<T>>>) => Promise<R>,
): Promise<R> {
  return inFolder(async (folder) => {
    await using few = await startFilled(join(folder, "few"), (dataDir) => fill("few", dataDir));
    await using many = await startFilled(join(folder, "many"), (dataDir) => fill("many", dataDir));
    return await work({ few, many });
  });
}

/** Starts the launcher to create its tables, stops it, fills the data directory, and starts it again. */
async function startFilled<T>(dataDir: string, fill: (dataDir: string) => T): Promise<FilledLauncher<T>> {
  mkdirSync(dataDir);
  const empty = await startLauncherProcess({ dataDir });
  await empty.process().end("SIGTERM");
  const filled = fill(dataDir);
  const { port, secret, process } = await startLauncherProcess({ dataDir });
  return { port, secret: secret(), filled, [Symbol.asyncDispose]: () => process().end("SIGTERM") };
}
