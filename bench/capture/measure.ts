// Measures the cost of capturing (with the launcher, with the same ffmpeg command alone, and without capturing), and how soon a
// clip is saved.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setPriority } from "node:os";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { recordingRuleDefaults, textOf } from "@kit/contract";
import { playOn, record, type Scene, type Stage, trigger } from "../../launcher/test/recording/scene.ts";
import { capturesOf, processAt, treeOf } from "../../launcher/test/support/process-table.ts";
import { until } from "../../launcher/test/support/until.ts";
import { quantile, sum } from "../figures.ts";
import { watchProcessor } from "../machine.ts";

export const costSubjects = ["kit", "window", "ffmpeg", "nothing"] as const;
export type CostSubject = (typeof costSubjects)[number];

export type CostRun = {
  readonly subject: CostSubject;
  readonly round: number;
  /** Percent of one core, for all processes of the subject. */
  readonly cpuPercent: number;
  /** The same for the X server, which hands out the pictures and paints the game. */
  readonly serverPercent: number;
  readonly residentBytes: number;
  /** Captured frames per second. */
  readonly frameRate: number;
  readonly game: GameFigures;
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

/** Measures processor time and the game's frame rate for `seconds`. */
async function watch(stage: Stage, seconds: number, pids: readonly number[]) {
  await stage.window.takeFrames();
  // Includes ended children, because the launcher may restart its capture.
  const cpuPercentOf = watchProcessor(pids, true);
  const serverPercentOf = watchProcessor([stage.serverPid], true);
  const beganMs = performance.now();
  await pause(seconds * 1_000);
  const lastedMs = performance.now() - beganMs;
  const cpuPercent = cpuPercentOf();
  const serverPercent = serverPercentOf();
  const work = (await stage.window.takeFrames()).map(({ workMs }) => workMs);
  const frameRate = (work.length / lastedMs) * 1_000;
  const game: GameFigures = { frameRate, medianMs: quantile(work, 0.5), p99Ms: quantile(work, 0.99) };
  return { cpuPercent, serverPercent, game };
}

/** What the launcher captures: the screen, or only the window, which fills it. */
const pictures = { kit: {}, window: { picture: "window", window: "Clock window" } } as const;

/** Also returns the arguments of the capture's command line. */
async function costOfKit(
  subject: keyof typeof pictures,
  stage: Stage,
  round: number,
  { seconds, heldSeconds, fillSeconds, isQuick }: CaptureOptions,
) {
  await using scene = await playOn(stage);
  const { pid } = scene.launcher.process();
  await pause(settleMs);
  await record(scene, { height: 720, frameRate: 30, bufferSeconds: heldSeconds, ...pictures[subject] }, fillSeconds);
  const [capture] = capturesOf(stage.display);
  if (capture === undefined) throw new Error("the launcher says that it records, but nothing captures the screen");
  const words = readFileSync(`/proc/${capture.pid}/cmdline`, "utf8").split("\0").slice(0, -1);
  const pids = treeOf(pid).map((process) => process.pid);
  const watched = await watch(stage, seconds, pids);
  const state = await scene.recorder();
  // In a quick run, a capture degraded by a busy computer is no fault.
  if (!isQuick && (state.restarts > 0 || state.degraded !== null))
    throw new Error(`the capture did not run through: ${JSON.stringify(state)}`);
  const residentBytes = sum(treeOf(pid).map((process) => process.residentBytes));
  const { frameRate } = state;
  return { words, run: { subject, round, ...watched, residentBytes, frameRate } satisfies CostRun };
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
    const watched = await watch(stage, seconds, [pid]);
    const frameRate = ((frames() - framesBefore) / (performance.now() - beganMs)) * 1_000;
    if (child.exitCode !== null) throw new Error(`ffmpeg alone ended with ${child.exitCode}`);
    const residentBytes = processAt(pid)?.residentBytes ?? Number.NaN;
    return { subject: "ffmpeg", round, ...watched, residentBytes, frameRate };
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
}

/** Measures every subject once. */
export async function costRound(stage: Stage, round: number, options: CaptureOptions): Promise<CostRun[]> {
  const { words, run } = await costOfKit("kit", stage, round, options);
  const { run: ofWindow } = await costOfKit("window", stage, round, options);
  const alone = await costOfFfmpeg(stage, round, options.seconds, words);
  const watched = await watch(stage, options.seconds, []);
  return [run, ofWindow, alone, { subject: "nothing", round, ...watched, residentBytes: 0, frameRate: 0 }];
}

export type ReadyRun = {
  readonly round: number;
  /** Delay after the end of the post-roll, according to the receipt. */
  readonly readyMs: number;
  readonly bytes: number;
  readonly duration: number;
};

const askEveryMs = 10;
const readyWithinMs = 20_000;
/** Pause in which posters and previews are made. */
const restMs = 4_000;
const { preSeconds, postSeconds } = recordingRuleDefaults;

/** Uses a new game for each trigger, so that clips do not merge. */
async function timeOne(scene: Scene, round: number): Promise<ReadyRun> {
  const { id, atMs } = await trigger(scene.launcher, `game${round}_moment`);
  const endMs = atMs + postSeconds * 1_000;
  await pause(endMs - Date.now());
  for (;;) {
    const { event, states } = await scene.launcher.receipt(id);
    const { state, at, reason } = states.at(-1) ?? { state: "", at: "" };
    if (event.state === "saved") {
      const clip = (await scene.clips()).find(({ events }) => events.some((each) => each.id === id));
      if (clip === undefined || clip.path === null) throw new Error(`saved, but no clip holds ${id}`);
      return { round, readyMs: Date.parse(at) - endMs, duration: clip.duration, bytes: clip.bytes };
    }
    if (Date.now() > endMs + readyWithinMs || state === "failed")
      throw new Error(`no clip: ${state} ${textOf(reason ?? "")}`);
    await pause(askEveryMs);
  }
}

export async function measureReady(stage: Stage, { clips, fillSeconds }: CaptureOptions): Promise<ReadyRun[]> {
  await using scene = await playOn(stage);
  await record(scene, { height: 720, frameRate: 30, bufferSeconds: 30 }, Math.min(fillSeconds, preSeconds + 1));
  const runs: ReadyRun[] = [];
  for (let round = 1; round <= clips; round += 1) {
    runs.push(await timeOne(scene, round));
    await pause(restMs);
    await until("one capture", async () => scene.captures().length === 1);
  }
  return runs;
}
