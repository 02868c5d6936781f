// Tests that a clip contains its moment, by reading the clock that the game showed at the trigger from the file's frames.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import type { Clip, ClipMoment } from "@kit/contract";
import { describe, test } from "vitest";
import { type ReadFrame, readClock } from "../../../tools/engines/clock-reader.ts";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { randomFrom } from "../kill-9/cycles.ts";
import { until } from "../support/until.ts";
import { expectedWindows, groupingFaults, type WindowRule } from "./expected.ts";
import { judgeClip, repeatedFrames, screenOf, type Verdict } from "./judge.ts";
import { openScene, record, type Scene, setRule, type Trigger, trigger } from "./scene.ts";
import { watchStarvation } from "./starvation.ts";

const skip = skipWithout("Xvfb", "ffmpeg");
/** More triggers find rarer errors. KIT_MOMENTS=100 takes four minutes. */
const moments = Number(process.env.KIT_MOMENTS ?? 12);
/** A small picture costs a busy machine little. With KIT_MOMENTS the picture is as large as a game's. */
const size = process.env.KIT_MOMENTS === undefined ? { width: 640, height: 360 } : { width: 1280, height: 720 };
/** KIT_MOMENTS_SEED selects other spacings. */
const seed = Number(process.env.KIT_MOMENTS_SEED ?? 26);

const rule: WindowRule = { preMs: 2_000, postMs: 1_000, mergeGapMs: 1_000, longestMs: 8_000 };
const eventIds = ["kit_demo_victory", "kit_demo_defeat", "kit_demo_find"];
/** The maximum time from an event to its request. */
const ageMsMax = 150;
const ffprobe = promisify(execFile);

type Run = { readonly triggers: readonly Trigger[]; readonly clips: readonly Clip[] };
type Read = { readonly clip: Clip; readonly startedMs: number; readonly frames: readonly ReadFrame[] };

/** Distances for overlapping clips, joined clips, clips that meet and separate clips, and a series too long for one clip. */
function spacingsMs(random: () => number): number[] {
  const kinds = [
    () => 50 + random() * 500,
    () => 700 + random() * 1_200,
    () => 2_150 + random() * 800,
    () => 3_300 + random() * 1_500,
  ];
  return Array.from({ length: moments }, (_, index) => {
    if (index % 18 < 7) return 1_200 + random() * 500;
    return (kinds[Math.floor(random() * kinds.length)] ?? (() => 1_000))();
  });
}

async function pullTriggers(scene: Scene, random: () => number): Promise<Trigger[]> {
  const triggers: Trigger[] = [];
  let dueMs = performance.now();
  for (const [index, spacingMs] of spacingsMs(random).entries()) {
    dueMs += spacingMs;
    await pause(Math.max(0, dueMs - performance.now()));
    const atMs = Math.max(Date.now() - Math.floor(random() * ageMsMax), (triggers.at(-1)?.atMs ?? 0) + 1);
    triggers.push(await trigger(scene.launcher, eventIds[index % eventIds.length] ?? "", atMs));
  }
  return triggers;
}

/** Waits until every trigger's receipt says saved and no clip is pending. */
async function allSaved(scene: Scene, triggers: readonly Trigger[]): Promise<Clip[]> {
  let waiting = "";
  const look = async () => {
    const clips = await scene.clips();
    const receipts = await Promise.all(triggers.map(({ id }) => scene.launcher.receipt(id)));
    const open = receipts.filter(({ event }) => event.state !== "saved");
    const lost = receipts.find(({ event }) => event.state === "failed" || event.state === "marked");
    if (lost !== undefined) assert.fail(JSON.stringify([lost.states, await scene.recorder()]));
    waiting = JSON.stringify({ open: open[0]?.states, pending: clips.find(({ state }) => state === "pending") });
    return open.length === 0 && clips.every(({ state }) => state === "saved") ? clips : undefined;
  };
  // Until the last post-roll and merge gap are over, a clip may still grow.
  await pause(rule.postMs + rule.mergeGapMs + 500);
  return until(() => `all clips; ${waiting}`, look);
}

async function secondsOf(file: string): Promise<number> {
  const words = ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", file];
  return Number((await ffprobe("ffprobe", words)).stdout);
}

/** The clock in the frame that a player shows at that second. */
const clockAt = (frames: readonly ReadFrame[], offset: number) =>
  frames.findLast(({ ptsMs }) => ptsMs <= offset * 1_000)?.clockMs ?? Number.NaN;

async function assertTrueFacts({ clip, frames }: Read, { frameMs }: Verdict): Promise<void> {
  const probed = await secondsOf(clip.path ?? "");
  assert.ok(Math.abs(probed - clip.duration) <= 0.05, `probed ${probed} s, reported ${clip.duration} s`);
  for (const { label, at, offset } of clip.events as ClipMoment[]) {
    const startedMs = Date.parse(clip.startedAt);
    assert.ok(Math.abs(startedMs + offset * 1_000 - Date.parse(at)) <= 2, `${label} at ${at} and at ${offset} s`);
    const errorMs = clockAt(frames, offset) - Date.parse(at);
    assert.ok(Math.abs(errorMs) <= 2 * (frameMs + 50), `at ${label} the clip shows what was ${errorMs} ms off`);
  }
}

function reportRun({ triggers, clips }: Run, verdicts: readonly Verdict[]): void {
  const spread = (values: readonly number[]) => {
    const sorted = values.toSorted((a, b) => a - b);
    return [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
      .map((value) => value?.toFixed(0))
      .join("/");
  };
  const frames = verdicts.reduce((sum, verdict) => sum + verdict.frames, 0);
  const excused = verdicts.reduce((sum, verdict) => sum + verdict.excused, 0);
  console.log(`seed ${seed}: ${triggers.length} triggers in ${clips.length} clips, ${frames} frames read`);
  console.log(`first frame off by ${spread(verdicts.map(({ firstErrorMs }) => firstErrorMs))} ms (least/median/most)`);
  console.log(`last frame off by ${spread(verdicts.map(({ lastErrorMs }) => lastErrorMs))} ms`);
  console.log(`a frame every ${spread(verdicts.map(({ frameMs }) => frameMs))} ms`);
  console.log(
    `longest step ${spread(verdicts.map(({ longestStepMs }) => longestStepMs))} ms, ${excused} by the machine`,
  );
}

describe("the moment is in the clip", { skip }, () => {
  test("clips of triggers at any distance have the right seconds, each second once, and none is missing", async () => {
    await using scene = await openScene({}, size);
    for (const eventId of eventIds) {
      const { preMs, postMs, mergeGapMs, longestMs } = rule;
      const seconds = { preSeconds: preMs / 1e3, postSeconds: postMs / 1e3, mergeGapSeconds: mergeGapMs / 1e3 };
      await setRule(scene, eventId, { ...seconds, longestSeconds: longestMs / 1e3, cooldownSeconds: 0 });
    }
    await record(scene, {}, 3);
    using starvation = watchStarvation(() => scene.captures().map(({ pid }) => pid));
    const triggers = await pullTriggers(scene, randomFrom(seed));
    const clips = await allSaved(scene, triggers);
    const screen = screenOf(await scene.window.takeFrames());

    const groups = clips.map(({ id, events }) => ({ clip: id, events: events.map((event) => event.id) }));
    const windows = expectedWindows(triggers, groups, rule);
    assert.deepEqual(groupingFaults(triggers, windows, rule), []);
    const verdicts: Verdict[] = [];
    const reads: Read[] = [];
    const faults: string[] = [];
    for (const window of windows) {
      const clip = clips.find(({ id }) => id === window.clip) as Clip;
      const read = { clip, startedMs: Date.parse(clip.startedAt), frames: await readClock(clip.path ?? "") };
      const verdict = judgeClip(read.frames, window, { screen, starvedMs: starvation.starvedMs });
      reads.push(read);
      verdicts.push(verdict);
      faults.push(...verdict.faults.map((fault) => `${clip.path}: ${fault}`));
    }
    reportRun({ triggers, clips }, verdicts);
    const { degraded, restarts, encoder, height } = await scene.recorder();
    console.log(`${encoder}, ${height} lines, ${restarts} restarts, stepped down: ${degraded ?? "nothing"}`);
    assert.deepEqual(faults, []);
    for (const [index, read] of reads.entries()) await assertTrueFacts(read, verdicts[index] as Verdict);
    assert.deepEqual(repeatedFrames(reads, screen), []);
    assert.ok(
      windows.some((window) => window.triggers.length > 1),
      "some triggers were merged",
    );
    assert.ok(
      windows.some(({ fromMs }, index) => fromMs === windows[index - 1]?.toMs),
      "some clips meet",
    );
  });
});
