// The computer, processor time, and temporary folders. Linux only where it reads /proc.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, release, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { processAt } from "../launcher/test/support/process-table.ts";

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
    pids.reduce((sum, pid) => sum + (withEndedChildren ? cpuSecondsOf(pid, true) || 0 : cpuSecondsOf(pid)), 0);
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
