// Tests with the real OBS, which records a screen that shows a clock; the test reads every frame of each clip.

import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, test } from "vitest";
import { readClock } from "../../../tools/engines/clock-reader.ts";
import { type ClockWindow, openClockWindow } from "../../../tools/engines/clock-window.ts";
import { type Display, openDisplay } from "../../../tools/engines/display.ts";
import { pathOf, skipWithout } from "../../../tools/engines/locate.ts";
import { type ObsProgram, prepareObs } from "../../../tools/engines/obs-program.ts";
import { createObsBackend, type ObsBackend } from "../../src/recording/capture/obs/obs-backend.ts";
import { type ClipPlan, type Footage, NoFootage } from "../../src/recording/plans/plan.ts";
import { planOf } from "../../src/recording/plans/test/plan-of.ts";
import { until } from "../support/until.ts";

const picture = { width: 512, height: 288 };
const framesPerSecond = 20;
const preMs = 3_000;
const postMs = 1_500;
/** KIT_OBS_TRIGGERS=20 tests longer. */
const triggers = Number(process.env.KIT_OBS_TRIGGERS ?? 10);
const replaySeconds = 14;

/** One frame of OBS, one frame of the clock, and what a busy machine adds. */
const clockErrorMsMax = 1_000 / framesPerSecond + 1_000 / 30 + 100;

type PlanWithFile = ClipPlan & { readonly file: string };
type Clip = { readonly atMs: number; readonly order: PlanWithFile; readonly footage: Footage };

describe("the real OBS", { skip: skipWithout("OBS", "Xvfb", "ffmpeg") }, () => {
  const folder = mkdtempSync(join(tmpdir(), "kit-obs-clips-"));
  const availability: boolean[] = [];
  let game: Display;
  let clock: ClockWindow;
  let obs: ObsProgram;
  let backend: ObsBackend;

  beforeAll(async () => {
    game = await openDisplay();
    clock = await openClockWindow({ display: game.name, framesPerSecond: 30, ...picture });
    obs = await prepareObs({ captures: game.name, framesPerSecond, replaySeconds, ...picture });
    backend = createObsBackend({
      url: () => obs.url,
      password: async () => obs.password,
      ffmpeg: async () => ({ path: pathOf("ffmpeg") }),
      onChanged: () => undefined,
      onAvailable: (available) => availability.push(available),
      times: { searchIntervalMs: 1_000, answerTimeoutMs: 15_000 },
    });
    backend.connect();
    await obs.start();
    await until("OBS is available", backend.isAvailable);
    await backend.start();
    await held(preMs);
  });

  afterAll(async () => {
    backend?.disconnect();
    await obs?.close();
    await clock?.close();
    await game?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Waits until OBS has that much footage. */
  async function held(footageMs: number): Promise<void> {
    await until("OBS records", () => backend.state().state === "recording");
    await until("OBS has footage", () => backend.state().heldSeconds * 1_000 > footageMs + 1_000);
  }

  function orderOf(fromMs: number, toMs: number, name: string): PlanWithFile {
    return { ...planOf(fromMs, toMs), file: join(folder, `${name}.mp4`) };
  }

  async function trigger(name: string): Promise<Clip> {
    const atMs = Date.now();
    const order = orderOf(atMs - preMs, atMs + postMs, name);
    return { atMs, order, footage: await backend.cut(order, order.file) };
  }

  /** Triggers at random distances, like a game's. Their cuts overlap and share saves. */
  async function fire(count: number, prefix: string): Promise<Clip[]> {
    const clips: Promise<Clip>[] = [];
    for (let fired = 0; fired < count; fired += 1) {
      clips.push(trigger(`${prefix}-${fired}`));
      await pause(randomInt(50, 1_500));
    }
    return Promise.all(clips);
  }

  /** Asserts that the clip shows what was on the screen, from its start to its end. */
  async function prove({ atMs, order, footage }: Clip): Promise<void> {
    const frames = await readClock(order.file);
    assert.ok(
      frames.every(({ ok }) => ok),
      "every frame is readable",
    );
    const shown = frames.filter(({ ptsMs }) => ptsMs >= 0);
    assert.equal(shown.length, footage.frames);
    assert.ok(
      Math.abs(footage.fromMs - order.fromMs) < 1 && Math.abs(footage.toMs - order.toMs) < 1,
      "the footage covers the whole plan",
    );
    const errorsMs = shown.map(({ ptsMs, clockMs }) => footage.fromMs + ptsMs - clockMs).sort((a, b) => a - b);
    const medianMs = errorsMs[errorsMs.length >> 1] ?? Number.NaN;
    assert.ok(Math.abs(medianMs) <= clockErrorMsMax, `the clock in the clip is ${medianMs} ms off`);
    const first = shown[0]?.clockMs ?? 0;
    const last = shown.at(-1)?.clockMs ?? 0;
    assert.ok(first < atMs && atMs < last, `the moment ${atMs} is not in ${first} to ${last}`);
  }

  test(`${triggers} moments are each in their clip, also after a restart of OBS`, async () => {
    const clips = await fire(triggers / 2, "before");
    const lost = trigger("lost");
    await obs.kill();
    await assert.rejects(lost, NoFootage);
    assert.ok(!backend.isAvailable());
    await obs.start();
    await until("OBS is back", backend.isAvailable);
    await held(preMs);
    clips.push(...(await fire(triggers / 2, "after")));
    assert.equal(clips.length, triggers);
    for (const clip of clips) await prove(clip);
    assert.deepEqual(availability, [true, false, true]);
    assert.equal(backend.state().restarts, 1);
  });

  test("a plan longer than OBS's replay buffer becomes one clip without a gap", async () => {
    const fromMs = Date.now() - preMs;
    backend.hold("long", fromMs);
    await until("most of the buffer's length is over", () => Date.now() > fromMs + 9_000);
    const first = orderOf(fromMs, Date.now(), "long-first");
    await backend.cut(first, first.file);
    await until("more than the buffer's length is over", () => Date.now() > fromMs + 17_000);
    const order = orderOf(fromMs, Date.now(), "long");
    const footage = await backend.cut(order, order.file);
    backend.release("long");
    assert.deepEqual(footage.gaps, []);
    await prove({ atMs: fromMs + 500, order, footage });
    const times = (await readClock(order.file)).map(({ clockMs }) => clockMs);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
      "no picture is repeated or out of order",
    );
  });
});
