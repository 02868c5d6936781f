// `npm run bench -- capture --hour`: records for an hour with a trigger every 20 s, then reads every frame of every clip.
import { setTimeout as pause } from "node:timers/promises";
import { recordingRuleDefaults, textOf } from "@kit/contract";
import { expectedWindows, groupingFaults } from "../launcher/test/recording/expected.ts";
import { judgeClip, repeatedFrames, screenOf } from "../launcher/test/recording/judge.ts";
import { openScene, record, type Scene, type Trigger, trigger } from "../launcher/test/recording/scene.ts";
import { watchStarvation } from "../launcher/test/recording/starvation.ts";
import { processAt } from "../launcher/test/support/process-table.ts";
import { until } from "../launcher/test/support/until.ts";
import { type ReadFrame, readClock } from "../tools/engines/clock-reader.ts";
import type { ClockFrame } from "../tools/engines/clock-window.ts";
import type { Run, Suite } from "./suite.ts";

const triggerEveryMs = 20_000;
const sampleEveryMs = 10_000;
const bufferSeconds = 90;
/** Footage for pending clips is held longer. */
const heldSecondsMax = bufferSeconds + 25;
const { preSeconds, postSeconds, mergeGapSeconds, longestSeconds } = recordingRuleDefaults;
const rule = {
  preMs: preSeconds * 1_000,
  postMs: postSeconds * 1_000,
  mergeGapMs: mergeGapSeconds * 1_000,
  longestMs: longestSeconds * 1_000,
};

/** Compares the same quarters of a run, because memory grows while the buffer fills. */
function addMemory(run: Run, measure: string, megabytes: readonly number[]): void {
  const quarter = (index: number) =>
    megabytes.slice(Math.floor((megabytes.length * index) / 4), Math.ceil((megabytes.length * (index + 1)) / 4));
  for (const [subject, values] of [["second quarter", quarter(1)] as const, ["last quarter", quarter(3)] as const]) {
    run.add(measure, subject, 1, values.reduce((sum, value) => sum + value, 0) / values.length);
  }
}

/** Takes the frames of the game and samples until the signal. Returns the frames. */
async function watch(run: Run, scene: Scene, over: AbortSignal): Promise<ClockFrame[]> {
  const painted: ClockFrame[] = [];
  const launcherMb: number[] = [];
  const captureMb: number[] = [];
  const { pid } = scene.launcher.process();
  const megabytesOf = (each: number) => (processAt(each)?.residentBytes ?? Number.NaN) / 1e6;
  while (!over.aborted) {
    await pause(sampleEveryMs, undefined, { signal: over }).catch(() => undefined);
    painted.push(...(await scene.window.takeFrames()));
    const { state, heldSeconds } = await scene.recorder();
    if (state !== "recording") run.fault(`the recorder is ${state}`);
    if (heldSeconds > heldSecondsMax) run.fault(`${heldSeconds.toFixed(0)} s of footage are held`);
    launcherMb.push(megabytesOf(pid));
    const [capture] = scene.captures();
    if (capture !== undefined) captureMb.push(megabytesOf(capture.pid));
    if (launcherMb.length % 30 === 0) run.say(`${launcherMb.at(-1)?.toFixed(0)} MB, ${heldSeconds.toFixed(0)} s held`);
  }
  const { restarts } = await scene.recorder();
  if (restarts > 0) run.fault(`the capture was restarted ${restarts} times`);
  addMemory(run, "MB of the launcher", launcherMb);
  addMemory(run, "MB of the capture", captureMb);
  return painted;
}

async function pullTriggers(scene: Scene, minutes: number): Promise<Trigger[]> {
  const triggers: Trigger[] = [];
  const beganMs = performance.now();
  for (let dueMs = 0; dueMs < minutes * 60_000; dueMs += triggerEveryMs) {
    await pause(Math.max(0, beganMs + dueMs - performance.now()));
    triggers.push(await trigger(scene.launcher, "hour_moment"));
  }
  return triggers;
}

const frameMs = 1_000 / 30;
const holds = (frames: readonly ReadFrame[], { atMs }: Trigger) =>
  frames.some(({ ok, clockMs }) => ok && Math.abs(clockMs - atMs) <= frameMs + 50);

async function readClips(
  run: Run,
  scene: Scene,
  triggers: readonly Trigger[],
  painted: readonly ClockFrame[],
  starvedMs: Parameters<typeof judgeClip>[2]["starvedMs"],
): Promise<void> {
  const clips = await scene.clips();
  const screen = screenOf(painted);
  const groups = clips.map(({ id, events }) => ({ clip: id, events: events.map((event) => event.id) }));
  const windows = expectedWindows(triggers, groups, rule);
  for (const fault of groupingFaults(triggers, windows, rule)) run.fault(fault);
  let before: { startedMs: number; frames: readonly ReadFrame[] } | undefined;
  let frames = 0;
  for (const window of windows) {
    const clip = clips.find(({ id }) => id === window.clip);
    if (clip?.state !== "saved" || clip.path === null) {
      run.fault(`clip ${window.clip} is ${clip?.state}: ${textOf(clip?.reason ?? "")}`);
      continue;
    }
    const shown = { startedMs: Date.parse(clip.startedAt), frames: await readClock(clip.path) };
    for (const fault of judgeClip(shown.frames, window, { screen, starvedMs }).faults)
      run.fault(`${clip.path}: ${fault}`);
    for (const { id } of window.triggers.filter((each) => !holds(shown.frames, each)))
      run.fault(`${clip.path}: the moment of ${id} is not in it`);
    const repeated = before === undefined ? [] : repeatedFrames([before, shown], screen);
    if (repeated.length > 0) run.fault(`${clip.path}: ${repeated.length} frames are in the clip before too`);
    before = shown;
    frames += shown.frames.length;
  }
  run.say(`${triggers.length} triggers in ${clips.length} clips, ${frames} frames read`);
}

export const hour: Suite = {
  says: "records for an hour with a trigger every 20 s, and reads every frame of every clip",
  needs: ["Xvfb", "ffmpeg"],
  rounds: 1,
  async measure(run) {
    await using scene = await openScene();
    await record(scene, { bufferSeconds: run.isQuick ? 30 : bufferSeconds }, 13);
    using starvation = watchStarvation(() => scene.captures().map(({ pid }) => pid));
    const over = new AbortController();
    const watching = watch(run, scene, over.signal);
    const triggers = await pullTriggers(scene, run.isQuick ? 1 : 60);
    // The last clip is closed when no moment can join it any more.
    await pause((postSeconds + mergeGapSeconds) * 1_000);
    const isPending = async () => (await scene.clips()).some(({ state }) => state === "pending");
    await until("the last clip", async () => !(await isPending()));
    over.abort();
    await readClips(run, scene, triggers, await watching, starvation.starvedMs);
  },
};
