// What capturing costs while it goes on: the launcher, the same ffmpeg alone, and nothing, on the same stage in turn.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setPriority } from "node:os";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { capturesOf, type Process, processAt, treeOf } from "../../launcher/test/process-table.ts";
import { playOn, record, type Stage } from "../../launcher/test/recording-scene.ts";
import { quantile } from "../figures.ts";
import { cpuSecondsOf } from "../machine.ts";

export const costSubjects = ["kit", "ffmpeg", "nothing"] as const;
export type CostSubject = (typeof costSubjects)[number];

export type CostRun = {
  readonly subject: CostSubject;
  readonly round: number;
  /** Of one core, of all processes of the subject. */
  readonly cpuPercent: number;
  readonly residentBytes: number;
  readonly parts: Parts | null;
  /** Frames a second that were captured. */
  readonly frameRate: number;
  readonly game: GameFigures;
};

/** What the launcher's memory and processor time are made of. */
type Parts = {
  readonly launcherBytes: number;
  /** Before it recorded anything. */
  readonly launcherIdleBytes: number;
  readonly captureBytes: number;
  readonly heldBytes: number;
  readonly heldSeconds: number;
  readonly launcherCpuPercent: number;
};

type GameFigures = { readonly frameRate: number; readonly medianMs: number; readonly p99Ms: number };

/** As the launcher runs its capture. */
const belowNormal = 10;
const settleMs = 4_000;

export type CaptureOptions = {
  readonly seconds: number;
  /** What the replay buffer holds at most. */
  readonly heldSeconds: number;
  /** What it holds before anything is measured. */
  readonly fillSeconds: number;
  readonly clips: number;
  readonly isQuick: boolean;
};

type Load = { readonly cpuPercent: (pids: readonly number[]) => number; readonly game: GameFigures };

/** Lets the time go by, and tells what the processes used and how the game fared meanwhile. */
async function watch(stage: Stage, seconds: number, pids: readonly number[]): Promise<Load> {
  await stage.window.takeFrames();
  // A launcher may hand its capture over meanwhile: what ended counts with its parent.
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

/** Also tells the command line of its capture, word by word. */
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
  // A busy machine steps the capture down; where the figures mean nothing anyway, that is no fault.
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

/** Counts the frames ffmpeg has encoded, by its own progress. */
function framesOf(child: ChildProcess): () => number {
  let frames = 0;
  (child.stdio[3] as Readable).setEncoding("utf8").on("data", (text: string) => {
    frames = Number([...text.matchAll(/^frame=(\d+)$/gm)].at(-1)?.[1] ?? frames);
  });
  return () => frames;
}

/** The very command of the launcher's capture; what it writes goes nowhere. */
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

/** Every subject once, in turn. */
export async function costRound(stage: Stage, round: number, options: CaptureOptions): Promise<CostRun[]> {
  const { words, run } = await costOfKit(stage, round, options);
  const alone = await costOfFfmpeg(stage, round, options.seconds, words);
  const { game } = await watch(stage, options.seconds, []);
  const nothing = { cpuPercent: 0, residentBytes: 0, parts: null, frameRate: 0 };
  return [run, alone, { subject: "nothing", round, ...nothing, game }];
}
