// Suite `capture`: what recording costs beside the same ffmpeg alone, what a game notices of it, and how soon a clip is saved.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { setPriority } from "node:os";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { recordingRuleDefaults, textOf } from "@kit/contract";
import {
  openStage,
  playOn,
  record,
  type Scene,
  type Stage,
  setRule,
  trigger,
} from "../launcher/test/recording/scene.ts";
import { capturesOf, processAt, treeOf } from "../launcher/test/support/process-table.ts";
import { until } from "../launcher/test/support/until.ts";
import { pathOf } from "../tools/engines/locate.ts";
import { median, quantile } from "./figures.ts";
import { watchProcessor } from "./machine.ts";
import type { Run, Suite } from "./suite.ts";

/** The priority of the launcher's capture. */
const belowNormal = 10;
const settleMs = 4_000;
/** A capture that drops frames does less work, so it must not be compared. */
const frameRateMin = 28.5;

type Subject = "Kit" | "ffmpeg" | "no capture";

/** Measures the processes and the game beside them. */
async function watch(run: Run, subject: Subject, round: number, stage: Stage, pids: readonly number[]): Promise<void> {
  await stage.window.takeFrames();
  // Includes ended children, because the launcher may restart its capture.
  const percent = watchProcessor(pids, true);
  const serverPercent = watchProcessor([stage.serverPid], true);
  await pause(run.isQuick ? 3_000 : 20_000);
  if (pids.length > 0) {
    run.add("% of a core while recording", subject, round, percent());
    const bytes = pids.reduce((sum, pid) => sum + (processAt(pid)?.residentBytes ?? Number.NaN), 0);
    run.add("MB while recording", subject, round, bytes / 1e6);
  }
  run.add("% of a core of the X server", subject, round, serverPercent());
  const work = (await stage.window.takeFrames()).map(({ workMs }) => workMs);
  run.add("ms for a frame of the game, median", subject, round, median(work));
  run.add("ms for a frame of the game, 99th percentile", subject, round, quantile(work, 0.99));
}

function judgeRate(run: Run, subject: Subject, round: number, frameRate: number): void {
  run.add("captured frames a second", subject, round, frameRate);
  if (!run.isQuick && !(frameRate >= frameRateMin))
    run.fault(`round ${round}: ${subject} captured ${frameRate.toFixed(1)} frames a second`);
}

/** Returns the command line of the launcher's capture. */
async function watchKit(run: Run, round: number, stage: Stage): Promise<readonly string[]> {
  await using scene = await playOn(stage);
  await pause(settleMs);
  await record(scene, { height: 720, frameRate: 30, bufferSeconds: 30 }, run.isQuick ? 2 : 28);
  const [capture] = capturesOf(stage.display);
  if (capture === undefined) throw new Error("The launcher says that it records, but nothing captures the screen");
  const words = readFileSync(`/proc/${capture.pid}/cmdline`, "utf8").split("\0").slice(0, -1);
  const pids = treeOf(scene.launcher.process().pid).map(({ pid }) => pid);
  await watch(run, "Kit", round, stage, pids);
  const { frameRate, restarts, degraded } = await scene.recorder();
  judgeRate(run, "Kit", round, frameRate);
  // A busy computer may degrade the capture in a quick run.
  if (!run.isQuick && (restarts > 0 || degraded !== null))
    run.fault(`round ${round}: the capture did not run through: ${restarts} restarts, degraded: ${degraded}`);
  return words;
}

/** Reads the number of encoded frames from ffmpeg's progress. */
function framesOf(child: ChildProcess): () => number {
  let frames = 0;
  (child.stdio[3] as Readable).setEncoding("utf8").on("data", (text: string) => {
    frames = Number([...text.matchAll(/^frame=(\d+)$/gm)].at(-1)?.[1] ?? frames);
  });
  return () => frames;
}

/** Runs the launcher's capture command and discards its output. */
async function watchFfmpeg(run: Run, round: number, stage: Stage, words: readonly string[]): Promise<void> {
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
    await watch(run, "ffmpeg", round, stage, [pid]);
    judgeRate(run, "ffmpeg", round, ((frames() - framesBefore) / (performance.now() - beganMs)) * 1_000);
    if (child.exitCode !== null) throw new Error(`ffmpeg alone ended with ${child.exitCode}`);
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
}

const saved = "ms from the end of a clip to saved";
const { preSeconds, postSeconds } = recordingRuleDefaults;
/** Pause in which pictures and previews are made. */
const restMs = 4_000;

/** The time in which ffmpeg writes the same clip once more and reads the whole file, which is the least that Kit has to do. */
function copyMs(path: string): number {
  const copy = `${path}.copy.mp4`;
  const ffmpeg = (...words: readonly string[]) => {
    const { status, stderr } = spawnSync(pathOf("ffmpeg"), ["-v", "error", "-y", ...words], { encoding: "utf8" });
    if (status !== 0) throw new Error(`ffmpeg could not copy a clip: ${stderr}`);
  };
  const beganMs = performance.now();
  ffmpeg("-i", path, "-c", "copy", "-movflags", "+faststart", copy);
  ffmpeg("-i", copy, "-c", "copy", "-f", "null", "-");
  const tookMs = performance.now() - beganMs;
  rmSync(copy);
  return tookMs;
}

/** Each clip has an event id of its own, and no later moment can join it. */
async function timeClip(run: Run, scene: Scene, round: number): Promise<void> {
  const eventId = `game${round}_moment`;
  await setRule(scene, eventId, { mergeGapSeconds: 0 });
  const { id, atMs } = await trigger(scene.launcher, eventId);
  const endMs = atMs + postSeconds * 1_000;
  await pause(Math.max(0, endMs - Date.now()));
  const look = async () => {
    const { event, states } = await scene.launcher.receipt(id);
    const last = states.at(-1);
    if (event.state === "failed") throw new Error(`no clip: ${textOf(last?.reason ?? "")}`);
    return event.state === "saved" && last;
  };
  const { at } = await until(`the clip of ${eventId}`, look, 10);
  const clip = (await scene.clips()).find(({ events }) => events.some((each) => each.id === id));
  if (!clip?.path) throw new Error(`saved, but no clip holds ${id}`);
  run.add(saved, "Kit", round, Date.parse(at) - endMs);
  run.add(saved, "ffmpeg", round, copyMs(clip.path));
}

export const capture: Suite = {
  says: "what recording costs, beside the same ffmpeg alone, and how soon a clip is saved",
  needs: ["Xvfb", "ffmpeg"],
  rounds: 5,
  async measure(run) {
    await using stage = await openStage();
    for (let round = 1; round <= run.rounds; round += 1) {
      run.say(`round ${round} of ${run.rounds}`);
      const words = await watchKit(run, round, stage);
      await watchFfmpeg(run, round, stage, words);
      await watch(run, "no capture", round, stage, []);
    }
    run.say("clips");
    await using scene = await playOn(stage);
    await record(scene, { height: 720, frameRate: 30, bufferSeconds: 30 }, run.isQuick ? 2 : preSeconds + 1);
    for (let round = 1; round <= 2 * run.rounds; round += 1) {
      await timeClip(run, scene, round);
      await pause(restMs);
      await until("one capture", () => scene.captures().length === 1);
    }
  },
};
