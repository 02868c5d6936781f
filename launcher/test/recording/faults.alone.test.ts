// Tests of everything that can end a capture: each planned clip is saved or fails with a reason, and nothing is left behind.
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Clip, textOf } from "@kit/contract";
import { afterAll, beforeAll, describe, test } from "vitest";
import { type ReadFrame, readClock } from "../../../tools/engines/clock-reader.ts";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { randomFrom } from "../kill-9/cycles.ts";
import type { ProcessStart } from "../support/own-launcher.ts";
import { type Process, processAt, treeOf } from "../support/process-table.ts";
import { fill, notMounted, smallDisk } from "../support/small-disk.ts";
import { until } from "../support/until.ts";
import { openScene, record, recording, type Scene, setRule, type Trigger, trigger } from "./scene.ts";
import { watchStarvation } from "./starvation.ts";

const skip = skipWithout("Xvfb", "ffmpeg");
/** More rounds find rarer errors. KIT_KILL_ROUNDS=100 takes a quarter of an hour. */
const killRounds = Number(process.env.KIT_KILL_ROUNDS ?? 2);
const faultRounds = Number(process.env.KIT_FAULT_ROUNDS ?? 1);
/** KIT_KILL_SEED selects other moments of the kills. */
const seed = Number(process.env.KIT_KILL_SEED ?? 9);

const eventId = "kit_demo_fault";
const seconds = { preSeconds: 1, postSeconds: 1, mergeGapSeconds: 0, longestSeconds: 10, cooldownSeconds: 0 };
/** The current fragment and the frames on the way to it are lost with the capture. */
const lostMsMax = 250 + 350;

const isStill = ({ pid, beganTicks }: Process) => {
  const now = processAt(pid);
  return now !== undefined && now.beganTicks === beganTicks && now.state !== "Z";
};

async function openRecording(start: ProcessStart = {}): Promise<Scene> {
  await using opened = new AsyncDisposableStack();
  const scene = opened.use(await openScene(start, { width: 640, height: 360, framesPerSecond: 30 }));
  await setRule(scene, eventId, seconds);
  await record(scene, {}, 1.5);
  opened.move();
  return scene;
}

/** Waits until every clip and receipt is final, then compares each receipt with its clip. */
async function settled(scene: Scene, triggers: readonly Trigger[]): Promise<{ trigger: Trigger; clip: Clip }[]> {
  let open = "";
  const look = async () => {
    const clips = await scene.clips();
    const receipts = await Promise.all(triggers.map(({ id }) => scene.launcher.receipt(id)));
    const waits = receipts.filter(({ event }) => ["accepted", "recording", "handed-over"].includes(event.state));
    open = JSON.stringify([waits[0]?.states, clips.find(({ state }) => state === "pending")]);
    return waits.length === 0 && clips.every(({ state }) => state !== "pending") ? { clips, receipts } : undefined;
  };
  const { clips, receipts } = await until(() => `a final state of ${open}`, look);
  return triggers.map((each, index) => {
    const holding = clips.filter(({ events }) => events.some(({ id }) => id === each.id));
    const last = receipts[index]?.states.at(-1);
    assert.equal(
      holding.length,
      1,
      `event ${each.id} is in ${holding.length} clips; its receipt says ${JSON.stringify(last)}`,
    );
    const clip = holding[0] as Clip;
    assert.equal(last?.state, clip.state, `receipt ${JSON.stringify(last)}, clip ${JSON.stringify(clip)}`);
    if (clip.state !== "saved") assert.ok(last?.reason, `${last?.state} without a reason`);
    return { trigger: each, clip };
  });
}

/** Reads a saved clip. Every frame must be readable. */
async function framesOf(clip: Clip): Promise<ReadFrame[]> {
  const frames = await readClock(clip.path ?? "");
  assert.ok(frames.length > 0 && frames.every(({ ok }) => ok), `${clip.path}: frames that cannot be read`);
  return frames;
}

/** Asserts that the moment is in the clip, or that the clip has a note about what is missing. */
async function assertHolds({ trigger: { atMs }, clip }: { trigger: Trigger; clip: Clip }): Promise<void> {
  const clocks = (await framesOf(clip)).map(({ clockMs }) => clockMs);
  const nearestMs = Math.min(...clocks.map((clockMs) => Math.abs(clockMs - atMs)));
  if (clip.notes.length === 0)
    assert.ok(nearestMs <= 250, `the nearest frame is ${nearestMs} ms off; nothing is noted`);
}

function assertSaved(clip: Clip | undefined): asserts clip is Clip {
  assert.equal(clip?.state, "saved", JSON.stringify(clip));
}

/** Asserts that one capture runs. During a handover there are two. */
async function assertTidy(scene: Scene): Promise<void> {
  const launcher = scene.launcher.process().pid;
  // Return the one that was seen alone, because the next look may see its replacement.
  const alone = () => {
    const [capture, ...others] = scene.captures();
    return others.length === 0 ? capture : undefined;
  };
  const capture = await until(() => `one capture instead of ${JSON.stringify(scene.captures())}`, alone);
  const zombies = treeOf(launcher).filter(({ state }) => state === "Z");
  assert.deepEqual(zombies, [], "zombies");
  assert.equal(capture.parent, launcher);
}

const leftOvers = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".part"))
    : [];

function reportOutcomes(what: string, found: readonly { clip: Clip }[]): void {
  const states = Object.groupBy(found, ({ clip }) => clip.state);
  const counts = Object.entries(states).map(([state, clips]) => `${clips?.length} ${state}`);
  console.log(`${what} (seed ${seed}): ${found.length} triggers, ${counts.join(", ")}`);
  const reasons = new Set(found.flatMap(({ clip }) => (clip.reason === undefined ? [] : textOf(clip.reason))));
  for (const reason of reasons) console.log(`reason given: ${reason}`);
}

describe("recording through faults", { skip }, () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openRecording();
  });
  afterAll(() => scene?.[Symbol.asyncDispose]());

  test("a launcher killed while recording leaves no capture behind, and every clip is saved or failed", async () => {
    const random = randomFrom(seed);
    const found: { trigger: Trigger; clip: Clip }[] = [];
    for (let round = 1; round <= killRounds; round += 1) {
      const triggers: Trigger[] = [];
      // At the kill some clips are cut or being cut, and others wait for their last second.
      for (const waitMs of [random() * 1_800, random() * 1_000]) {
        triggers.push(await trigger(scene.launcher, eventId));
        await pause(waitMs);
      }
      const captures = scene.captures();
      assert.ok(captures.length > 0, "nothing captured when the launcher was killed");
      if (round % 2 === 0) for (const { pid } of captures) process.kill(pid, "SIGSTOP");
      await scene.launcher.restart("SIGKILL");
      const orphans = () => !captures.some(isStill);
      await until(() => `the end of ${JSON.stringify(captures.filter(isStill))}`, orphans);
      await recording(scene, 1.5);
      const ended = await settled(scene, triggers);
      for (const each of ended.filter(({ clip }) => clip.state === "saved")) await assertHolds(each);
      found.push(...ended);
      await assertTidy(scene);
    }
    const [last] = await settled(scene, [await trigger(scene.launcher, eventId)]);
    assertSaved(last?.clip);
    assert.deepEqual(leftOvers(join(scene.launcher.dataDir, "clips")), []);
    reportOutcomes(`${killRounds} kills`, found);
  });

  for (const signal of ["SIGKILL", "SIGSTOP"] as const) {
    test(`a capture that gets ${signal} is replaced, and its footage is kept`, async () => {
      const { restarts: restartsBefore } = await recording(scene, 1.5);
      using starvation = watchStarvation(() => scene.captures().map(({ pid }) => pid));
      const found: { trigger: Trigger; clip: Clip }[] = [];
      for (let round = 1; round <= faultRounds; round += 1) {
        const before = await trigger(scene.launcher, eventId);
        const [capture] = scene.captures();
        assert.ok(capture !== undefined);
        process.kill(capture.pid, signal);
        const endMs = Date.now();
        await until("the end of the capture", () => !isStill(capture));
        await recording(scene, 0);
        const anew = () => scene.captures().some(({ pid }) => pid !== capture.pid);
        await until("another capture", anew);
        // The clip has the footage before the fault up to the last fragment.
        const ended = await settled(scene, [before]);
        for (const {
          clip,
          trigger: { atMs },
        } of ended) {
          assertSaved(clip);
          const clocks = (await framesOf(clip)).map(({ clockMs }) => clockMs);
          const lostMs = endMs - Math.max(...clocks.filter((clockMs) => clockMs <= endMs));
          const allowedMs = lostMsMax + starvation.starvedMs({ fromMs: endMs - 2_000, toMs: endMs });
          assert.ok(lostMs <= allowedMs, `${lostMs} ms before the fault are lost, at most ${allowedMs}`);
          assert.ok((clocks[0] ?? 0) <= atMs - 700, "the second before the trigger is there");
        }
        const [next] = await settled(scene, [await trigger(scene.launcher, eventId)]);
        assertSaved(next?.clip);
        found.push(...ended, ...(next === undefined ? [] : [next]));
        await assertTidy(scene);
      }
      const { restarts, lostSeconds } = await scene.recorder();
      assert.ok(restarts - restartsBefore >= faultRounds, `${restarts} restarts after ${faultRounds} faults`);
      console.log(`${restarts} restarts, ${lostSeconds.toFixed(1)} s lost`);
      reportOutcomes(`${faultRounds} faults`, found);
    });
  }

  test("a full disk fails the clip with the reason, and the next clip is saved when there is space", async (t) => {
    using disk = smallDisk(64);
    if (disk === undefined) return t.skip(notMounted);
    await using own = await openRecording({ env: { KIT_CLIPS_DIR: disk.path } });
    for (let round = 1; round <= faultRounds; round += 1) {
      const makeRoom = fill(disk.path);
      const [full] = await settled(own, [await trigger(own.launcher, eventId)]);
      makeRoom();
      assert.equal(full?.clip.state, "failed");
      assert.match(textOf(full?.clip.reason ?? ""), /disk|space|room/i);
      console.log(`reason given: ${textOf(full?.clip.reason ?? "")}`);
      const [next] = await settled(own, [await trigger(own.launcher, eventId)]);
      assertSaved(next?.clip);
      if (next !== undefined) await assertHolds(next);
      assert.deepEqual(leftOvers(disk.path), []);
      await assertTidy(own);
    }
  });
});
