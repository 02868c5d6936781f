// Measures how soon a clip is saved: from the end of the post-roll until the receipt says saved.
import { copyFile, open, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { recordingRuleDefaults, textOf } from "@kit/contract";
import { playOn, record, type Scene, type Stage, trigger } from "../../launcher/test/recording/scene.ts";
import { until } from "../../launcher/test/support/until.ts";
import type { CaptureOptions } from "./cost.ts";

export type ReadyRun = {
  readonly round: number;
  /** Delay after the end of the post-roll, according to the receipt. */
  readonly readyMs: number;
  /** The same delay, seen by polling every 10 ms. */
  readonly seenMs: number;
  /** Time to copy the same file and sync it, for comparison. */
  readonly copyMs: number;
  readonly bytes: number;
  readonly duration: number;
};

const askEveryMs = 10;
const readyWithinMs = 20_000;
/** Pause in which posters and previews are made. */
const restMs = 4_000;
const { preSeconds, postSeconds } = recordingRuleDefaults;

/** Uses a new game for each trigger, so that clips do not merge. */
async function timeOne(scene: Scene, round: number): Promise<Omit<ReadyRun, "copyMs" | "bytes"> & { path: string }> {
  const { id, atMs } = await trigger(scene.launcher, `game${round}_moment`);
  const endMs = atMs + postSeconds * 1_000;
  await pause(endMs - Date.now());
  for (;;) {
    const { event, states } = await scene.launcher.receipt(id);
    const nowMs = Date.now();
    const { state, at, reason } = states.at(-1) ?? { state: "", at: "" };
    if (event.state === "saved") {
      const clip = (await scene.clips()).find(({ events }) => events.some((each) => each.id === id));
      if (clip === undefined || clip.path === null) throw new Error(`saved, but no clip holds ${id}`);
      const { path, duration } = clip;
      return { round, readyMs: Date.parse(at) - endMs, seenMs: nowMs - endMs, duration, path };
    }
    if (nowMs > endMs + readyWithinMs || state === "failed")
      throw new Error(`no clip: ${state} ${textOf(reason ?? "")}`);
    await pause(askEveryMs);
  }
}

async function timeCopy(path: string): Promise<number> {
  const target = join(dirname(path), `copy-of-clip-${process.pid}`);
  const beganMs = performance.now();
  await copyFile(path, target);
  const handle = await open(target, "r+");
  await handle.sync();
  await handle.close();
  return performance.now() - beganMs;
}

export async function measureReady(stage: Stage, { clips, fillSeconds }: CaptureOptions): Promise<ReadyRun[]> {
  await using scene = await playOn(stage);
  await record(scene, { height: 720, frameRate: 30, bufferSeconds: 30 }, Math.min(fillSeconds, preSeconds + 1));
  const runs: ReadyRun[] = [];
  for (let round = 1; round <= clips; round += 1) {
    const { path, ...timed } = await timeOne(scene, round);
    await pause(restMs);
    const isQuiet = async () => scene.captures().length === 1;
    await until("one capture", isQuiet);
    runs.push({ ...timed, copyMs: await timeCopy(path), bytes: (await stat(path)).size });
  }
  return runs;
}
