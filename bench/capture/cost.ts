// Measures the cost of capturing: with the launcher, with the same ffmpeg command alone, and without capturing.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setPriority } from "node:os";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { playOn, record, type Stage } from "../../launcher/test/recording/scene.ts";
import { capturesOf, type Process, processAt, treeOf } from "../../launcher/test/support/process-table.ts";
import { quantile } from "../figures.ts";
import { cpuSecondsOf } from "../machine.ts";

export const costSubjects = ["kit", "ffmpeg", "nothing"] as const;
export type CostSubject = (typeof costSubjects)[number];

export type CostRun = {
  readonly subject: CostSubject;
  readonly round: number;
  /** Percent of one core, for all processes of the subject. */
  readonly cpuPercent: number;
  readonly residentBytes: number;
  readonly parts: Parts | null;
  /** Captured frames per second. */
  readonly frameRate: number;
  readonly game: GameFigures;
};

/** Parts of the launcher's memory and processor time. */
type Parts = {
  readonly launcherBytes: number;
  /** Memory before the first recording. */
  readonly launcherIdleBytes: number;
  readonly captureBytes: number;
  readonly heldBytes: number;
  readonly heldSeconds: number;
  readonly launcherCpuPercent: number;
};

type GameFigures = { readonly frameRate: number; readonly medianMs: number; readonly p99Ms: number };

/** The priority of the launcher's capture. */
const belowNormal = 10;
const settleMs = 4_000;

export type CaptureOptions = {
  readonly seconds: number;
  /** Maximum length of the replay buffer. */
  readonly heldSeconds: number;
  /** Length of the replay buffer before the measurement. */
  readonly fillSeconds: number;
  readonly clips: number;
  readonly isQuick: boolean;
};

type Load = { readonly cpuPercent: (pids: readonly number[]) => number; readonly game: GameFigures };

/** Measures processor time and the game's frame rate for `seconds`. */
async function watch(stage: Stage, seconds: number, pids: readonly number[]): Promise<Load> {
  await stage.window.takeFrames();
  // Includes ended children, because the launcher may restart its capture.
  const secondsOf = (pid: number) => cpuSecondsOf(pid, true) || 0;
  const before = new Map(pids.map((pid) => [pid, secondsOf(pid)]));
  const beganMs = performance.now();
  await pause(seconds * 1_000);
  const lastedMs = performance.now() - beganMs;
  const used = new Map(pids.map((pid) => [pid, secondsOf(pid) - (before.get(pid) ?? Number.NaN)]));
  const work = (await stage.window.takeFrames()).map(({ workMs }) => workMs);
  const percentOf = (cpuSeconds: number) => (cpuSeconds / (lastedMs / 1_000)) * 100;
  return {
    cpuPercent: (of) => percentOf(of.reduce((sum, pid) => sum + (used.get(pid) ?? Number.NaN), 0)),
    game: { frameRate: (work.length / lastedMs) * 1_000, medianMs: quantile(work, 0.5), p99Ms: quantile(work, 0.99) },
  };
}

const residentOf = (processes: readonly Process[]) =>
  processes.reduce((sum, { residentBytes }) => sum + residentBytes, 0);

/** Also returns the arguments of the capture's command line. */
async function costOfKit(stage: Stage, round: number, { seconds, heldSeconds, fillSeconds, isQuick }: CaptureOptions) {
  await using scene = await playOn(stage);
  const { pid } = scene.launcher.process();
  await pause(settleMs);
  const launcherIdleBytes = residentOf(treeOf(pid));
  await record(scene, { height: 720, frameRate: 30, bufferSeconds: heldSeconds }, fillSeconds);
  const [capture] = capturesOf(stage.display);
  if (capture === undefined) throw new Error("the launcher says that it records, but nothing captures the screen");
  const words = readFileSync(`/proc/${capture.pid}/cmdline`, "utf8").split("\0").slice(0, -1);
  const tree = treeOf(pid).map((process) => process.pid);
  const { cpuPercent, game } = await watch(stage, seconds, tree);
  const state = await scene.recorder();
  const after = treeOf(pid);
  // In a quick run, a capture degraded by a busy computer is no fault.
  if (!isQuick && (state.restarts > 0 || state.degraded !== null))
    throw new Error(`the capture did not run through: ${JSON.stringify(state)}`);
  const parts: Parts = {
    launcherIdleBytes,
    launcherBytes: residentOf(after.filter((each) => each.pid === pid)),
    captureBytes: residentOf(after.filter((each) => each.pid === capture.pid)),
    heldBytes: state.heldBytes,
    heldSeconds: state.heldSeconds,
    launcherCpuPercent: cpuPercent([pid]),
  };
  const figures = { cpuPercent: cpuPercent(tree), residentBytes: residentOf(after), frameRate: state.frameRate };
  return { words, run: { subject: "kit", round, ...figures, parts, game } satisfies CostRun };
}

/** Reads the number of encoded frames from ffmpeg's progress output. */
function framesOf(child: ChildProcess): () => number {
  let frames = 0;
  (child.stdio[3] as Readable).setEncoding("utf8").on("data", (text: string) => {
    frames = Number([...text.matchAll(/^frame=(\d+)$/gm)].at(-1)?.[1] ?? frames);
  });
  return () => frames;
}

/** Runs the launcher's capture command and discards its output. */
async function costOfFfmpeg(stage: Stage, round: number, seconds: number, words: readonly string[]): Promise<CostRun> {
  const [program = "", ...rest] = words;
  const child = spawn(program, ["-progress", "pipe:3", ...rest], { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  const ended = once(child, "exit");
  try {
    const pid = child.pid as number;
    setPriority(pid, belowNormal);
    const frames = framesOf(child);
    await pause(settleMs);
    const framesBefore = frames();
    const beganMs = performance.now();
    const { cpuPercent, game } = await watch(stage, seconds, [pid]);
    const frameRate = ((frames() - framesBefore) / (performance.now() - beganMs)) * 1_000;
    if (child.exitCode !== null) throw new Error(`ffmpeg alone ended with ${child.exitCode}`);
    const residentBytes = processAt(pid)?.residentBytes ?? Number.NaN;
    return { subject: "ffmpeg", round, cpuPercent: cpuPercent([pid]), residentBytes, parts: null, frameRate, game };
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
}

/** Measures every subject once. */
export async function costRound(stage: Stage, round: number, options: CaptureOptions): Promise<CostRun[]> {
  const { words, run } = await costOfKit(stage, round, options);
  const alone = await costOfFfmpeg(stage, round, options.seconds, words);
  const { game } = await watch(stage, options.seconds, []);
  const nothing = { cpuPercent: 0, residentBytes: 0, parts: null, frameRate: 0 };
  return [run, alone, { subject: "nothing", round, ...nothing, game }];
}
