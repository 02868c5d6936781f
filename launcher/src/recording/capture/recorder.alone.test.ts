// Tests of the recorder: when it captures, depending on the settings, and a capture of a real screen.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RecorderSettings, recorderDefaults, textOf } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { afterAll, describe, type TestContext, test } from "vitest";
import { openClockWindow } from "../../../../tools/engines/clock-window.ts";
import { openDisplay } from "../../../../tools/engines/display.ts";
import { pathOf, skipWithout } from "../../../../tools/engines/locate.ts";
import { planOf } from "../plans/test/plan-of.ts";
import { createCaptureProbe } from "./probe/probe.ts";
import { Recorder, type RecorderOptions } from "./recorder.ts";
import { FfmpegBackend, type FfmpegBackendDeps } from "./thread/ffmpeg-backend.ts";
import { isRecording, shortTimeouts, syntheticChoice, syntheticDeps, until } from "./thread/test/fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "kit-recorder-"));
afterAll(() => rmSync(folder, { recursive: true }));

type Changes = Partial<RecorderOptions> &
  Partial<Omit<FfmpegBackendDeps, "ffmpeg">> & {
    readonly find?: FfmpegBackendDeps["ffmpeg"];
    readonly set?: Partial<RecorderSettings>;
  };

function stage(t: TestContext, { set = {}, find, ...changes }: Changes = {}) {
  const settings: RecorderSettings = { ...recorderDefaults, bufferSeconds: 20, ...set };
  const base = syntheticDeps(pathOf("ffmpeg"), mkdtempSync(join(folder, "data-")));
  const common = { settings: () => settings, ...changes };
  const onChanged = () => recorder.handleBackendChange();
  const ffmpeg = new FfmpegBackend({ ...base, ...common, ffmpeg: find ?? base.ffmpeg, onChanged });
  const recorder = new Recorder({ onChanged() {}, graceMs: 20, ...common, ffmpeg });
  t.onTestFinished(() => recorder.stop());
  const set_ = (next: Partial<RecorderSettings>) => {
    Object.assign(settings, next);
    recorder.applySettings();
  };
  return { recorder, captureFile: base.captureFile, change: set_ };
}

const file = join(folder, "clip.mp4");
const cut = (recorder: Recorder, fromMs: number, toMs: number) => recorder.cut(planOf(fromMs, toMs), file);

describe("the recorder", { skip: skipWithout("ffmpeg"), concurrent: true }, () => {
  test("the recorder is idle before a game's first event, then captures, and stops after the game when no footage is held", async (t) => {
    const { recorder, captureFile } = stage(t);
    await recorder.start();
    assert.equal(recorder.state().state, "idle");
    await assert.rejects(cut(recorder, Date.now() - 1_000, Date.now()), { name: "NoFootage" });
    recorder.markGameActive();
    await until("it captures", isRecording(recorder));
    const fromMs = Date.now();
    recorder.hold("clip", fromMs);
    recorder.markGameEnded();
    const footage = await cut(recorder, fromMs, fromMs + 600);
    assert.ok(footage.frames >= 7, `${footage.frames} frames`);
    assert.equal(recorder.state().state, "recording", "held footage may still become a longer clip");
    recorder.release("clip");
    await until("it is idle", () => recorder.state().state === "idle");
    await until("its process is gone", () => !existsSync(captureFile));
  });

  test("the recorder stops when the game sends no more events", async (t) => {
    const { recorder } = stage(t, { quietMs: 1_500 });
    await recorder.start();
    recorder.markGameActive();
    // A busy machine may not have captured a picture before the game becomes silent.
    assert.notEqual(recorder.state().state, "idle");
    await until("it is idle", () => recorder.state().state === "idle");
  });

  test("`always` captures from the start, `never` does not, and the setting can be changed at run time", async (t) => {
    const { recorder, change } = stage(t, { set: { when: "always" } });
    await recorder.start();
    await until("it captures", isRecording(recorder));
    recorder.markGameEnded();
    change({ when: "never" });
    assert.equal(recorder.state().state, "off");
    assert.equal(recorder.state().backend, null);
    recorder.markGameActive();
    assert.equal(recorder.state().state, "off");
    await assert.rejects(cut(recorder, Date.now() + 50_000, Date.now() + 60_000), { name: "NoFootage" });
    change({ when: "always" });
    await until("it captures again", isRecording(recorder));
  });

  test("the probe runs soon after the start, unless the setting is `never`", async (t) => {
    const calls: string[] = [];
    const choose =
      (name: string) =>
      async (_wish: unknown, { inAdvance = false } = {}) => {
        calls.push(`${name}${inAdvance ? " ahead" : ""}`);
        return syntheticChoice();
      };
    const of = (when: RecorderSettings["when"]) =>
      stage(t, { set: { when, backend: "ffmpeg" }, prepareMs: 20, probe: { choose: choose(when) } }).recorder;
    await of("never").start();
    const automatic = of("automatic");
    await automatic.start();
    await until("the probe has run", () => calls.length > 0);
    assert.deepEqual(calls, ["automatic ahead"]);
    assert.equal(automatic.state().state, "idle", "nothing is captured");
    await of("always").start();
    await until("the second probe has run", () => calls.length > 1);
    await new Promise((resolve) => setTimeout(resolve, 60));
    assert.deepEqual(calls, ["automatic ahead", "always"]);
  });

  test("a test recording works with `never`, and the capture stops afterwards", async (t) => {
    const { recorder } = stage(t, { set: { when: "never" } });
    await recorder.start();
    const result = await recorder.recordTest(planOf(0, 0), file);
    assert.equal(result.ok, true, textOf(result.says));
    assert.match(
      textOf(result.says),
      /^3\.0 s of a made-up picture by ffmpeg with libx264 ultrafast: 320 × 240, 1[3-6] frames/,
    );
    assert.ok((result.footage?.frames ?? 0) >= 40);
    assert.deepEqual(result.tried, [{ what: "made up", ok: true, why: "for a test" }]);
    assert.ok(existsSync(file));
    assert.equal(recorder.state().state, "off");
  });

  test("without ffmpeg, the state says what to do, before a game and after a test recording", async (t) => {
    const says = message("ffmpeg.not_found", { how: message("ffmpeg.install") });
    const { recorder } = stage(t, { find: async () => ({ ffmpeg: undefined, says }) });
    await recorder.start();
    assert.deepEqual([recorder.state().state, recorder.state().detail], ["broken", says]);
    const result = await recorder.recordTest(planOf(0, 0), join(folder, "none.mp4"));
    assert.deepEqual([result.ok, result.says, result.footage], [false, says, null]);
    recorder.markGameActive();
    await until("the state says so while a game runs", () => recorder.state().detail === says);
  });

  test("a program that cannot be started is reported as a failure", async (t) => {
    const { recorder } = stage(t, { find: syntheticDeps(join(folder, "no-such-program"), folder).ffmpeg });
    await recorder.start();
    recorder.markGameActive();
    await until("it is broken", () => recorder.state().state === "broken");
    assert.match(textOf(recorder.state().detail), /^The capture ended: ffmpeg cannot be started .*ENOENT.*kit doctor/);
  });
});

test("a real screen is captured, and a screen that closes is reported", {
  skip: skipWithout("ffmpeg", "Xvfb"),
}, async (t) => {
  const display = await openDisplay();
  const clock = await openClockWindow({ display: display.name });
  t.onTestFinished(display.close);
  t.onTestFinished(clock.close);
  const settings = { ...recorderDefaults, height: 480, frameRate: 15, sound: "off" } as const;
  const timeouts = { ...shortTimeouts, firstFragmentMs: 8_000, silenceMs: 3_000 };
  const system = { display: display.name, wayland: false };
  const { recorder } = stage(t, { probe: createCaptureProbe(), timeouts, settings: () => settings, system });
  await recorder.start();
  recorder.markGameActive();
  await until("it captures", isRecording(recorder));
  assert.match(recorder.state().source ?? "", new RegExp(display.name));
  const fromMs = Date.now();
  recorder.hold("clip", fromMs);
  const footage = await cut(recorder, fromMs, fromMs + 1_000);
  assert.ok(footage.frames > 2 && footage.height === 480, JSON.stringify(footage));
  recorder.release("clip");
  await clock.close();
  await display.close();
  await until("the state is broken", () => recorder.state().state === "broken");
  assert.doesNotMatch(textOf(recorder.state().detail), /^Captures/);
  await assert.rejects(cut(recorder, Date.now(), Date.now() + 100), { name: "NoFootage" });
});
