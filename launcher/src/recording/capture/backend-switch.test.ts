// Tests of switching backends while clips are recorded: no footage is dropped too early.
import assert from "node:assert/strict";
import { type RecorderSettings, type RecorderState, recorderDefaults } from "@kit/contract";
import { test, vi } from "vitest";
import { type Footage, NoFootage } from "../plans/plan.ts";
import { planOf } from "../plans/test/plan-of.ts";
import type { BackendName, CaptureBackend } from "./backend.ts";
import { Recorder } from "./recorder.ts";

function fakeBackend(name: BackendName) {
  const calls: string[] = [];
  const held = new Set<string>();
  let state: RecorderState["state"] = "idle";
  let footage: Footage | Error = new NoFootage(`${name} has none`);
  const backend: CaptureBackend = {
    name,
    state: () => ({ state }) as RecorderState,
    async start() {
      calls.push("start");
    },
    async stop() {
      calls.push("stop");
      state = "idle";
    },
    hold: (id) => void held.add(id),
    release: (id) => void held.delete(id),
    async cut() {
      calls.push("cut");
      if (footage instanceof Error) throw footage;
      return footage;
    },
    probeResults: () => [],
  };
  return {
    backend,
    calls,
    held,
    becomes: (to: RecorderState["state"]) => {
      state = to;
    },
    gives: (what: Footage | Error) => {
      footage = what;
    },
  };
}

const footage = (frames: number): Footage => ({
  fromMs: 0,
  toMs: 1,
  frames,
  width: 2,
  height: 2,
  bytes: 1,
  gaps: [],
  otherFormat: [],
});
const order = (fromMs: number, toMs: number) => planOf(fromMs, toMs);

/** A recorder that always captures, with a backend of each kind. `use` makes one of them the current backend. */
async function stage() {
  let nowMs = 100_000;
  let settings: RecorderSettings = { ...recorderDefaults, when: "never" };
  const ffmpeg = fakeBackend("ffmpeg");
  const obs = fakeBackend("obs");
  const recorder = new Recorder({
    settings: () => settings,
    ffmpeg: {
      ...ffmpeg.backend,
      killOrphans: async () => {},
      search: async () => {},
      missing: () => undefined,
      prepare: async () => {},
    },
    obs: { ...obs.backend, isAvailable: () => true, connect() {}, disconnect() {} },
    onChanged: () => {},
    now: () => nowMs,
  });
  await recorder.start();
  const use = (backend: BackendName, when: RecorderSettings["when"] = "always") => {
    settings = { ...settings, when, backend };
    recorder.handleBackendChange();
  };
  return { recorder, ffmpeg, obs, use, pass: (ms: number) => (nowMs += ms) };
}

test("the old backend captures until the new one does and its held footage is released", async () => {
  const { recorder, use, ffmpeg, obs } = await stage();
  use("ffmpeg");
  ffmpeg.becomes("recording");
  recorder.hold("clip", 99_000);
  use("obs");
  assert.deepEqual(obs.calls, ["start"]);
  assert.deepEqual([...obs.held], ["clip"], "the next backend also holds what it has of the range");
  recorder.handleBackendChange();
  assert.deepEqual(ffmpeg.calls, ["start"], "the next backend does not capture yet");
  obs.becomes("recording");
  recorder.handleBackendChange();
  assert.deepEqual(ffmpeg.calls, ["start"], "a clip of the old backend is not finished");
  recorder.release("clip");
  assert.deepEqual(ffmpeg.calls, ["start", "stop"]);
});

test("an old backend that no longer captures is stopped at once", async () => {
  const { recorder, use, obs } = await stage();
  use("obs");
  recorder.hold("clip", 99_000);
  obs.becomes("broken");
  use("ffmpeg");
  assert.deepEqual(obs.calls, ["start", "stop"]);
});

test("a clip is cut by the backend with most of its range, or by the other one if that has no footage", async () => {
  const { recorder, use, ffmpeg, obs, pass } = await stage();
  use("ffmpeg");
  ffmpeg.becomes("recording");
  pass(60_000);
  use("obs");
  obs.becomes("recording");
  recorder.handleBackendChange();
  pass(60_000);
  ffmpeg.gives(footage(1));
  obs.gives(footage(2));
  assert.equal((await recorder.cut(order(140_000, 157_000), "/clip.mp4")).frames, 1);
  assert.equal((await recorder.cut(order(158_000, 175_000), "/clip.mp4")).frames, 2);
  obs.gives(new NoFootage("none"));
  assert.equal((await recorder.cut(order(158_000, 175_000), "/clip.mp4")).frames, 1);
  ffmpeg.gives(new NoFootage("none either"));
  await assert.rejects(recorder.cut(order(158_000, 175_000), "/clip.mp4"), { name: "NoFootage" });
});

test("a file system error does not make another backend cut the clip", async () => {
  const { recorder, use, ffmpeg, obs } = await stage();
  use("ffmpeg");
  ffmpeg.becomes("recording");
  use("obs");
  ffmpeg.gives(footage(1));
  obs.gives(Object.assign(new Error("full"), { code: "ENOSPC" }));
  await assert.rejects(
    recorder.cut(order(100_000, 200_000), "/clip.mp4"),
    (error: NodeJS.ErrnoException) => error.code === "ENOSPC",
  );
});

test("a backend that becomes current again before it stopped keeps capturing", async () => {
  const { recorder, use, ffmpeg, obs } = await stage();
  use("ffmpeg");
  ffmpeg.becomes("recording");
  use("obs");
  recorder.hold("later", 100_500);
  use("ffmpeg");
  assert.deepEqual(ffmpeg.calls, ["start"]);
  assert.deepEqual([...ffmpeg.held], ["later"]);
  assert.deepEqual(obs.calls, ["start", "stop"]);
});

test("stop stops every backend", async () => {
  const { recorder, use, ffmpeg, obs } = await stage();
  use("ffmpeg");
  ffmpeg.becomes("recording");
  use("obs");
  await recorder.stop();
  assert.deepEqual([ffmpeg.calls.at(-1), obs.calls.at(-1)], ["stop", "stop"]);
});

test("while the first event of a game is expected, the recorder captures, so that its moment has footage", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { recorder, use, ffmpeg } = await stage();
  use("ffmpeg", "never");
  recorder.expectGame();
  assert.deepEqual(ffmpeg.calls, [], "a person wants no recording");
  use("ffmpeg", "automatic");
  assert.deepEqual(ffmpeg.calls, ["start"]);
  vi.advanceTimersByTime(44_000);
  recorder.expectGame();
  vi.advanceTimersByTime(44_000);
  assert.deepEqual(ffmpeg.calls, ["start"], "it is still expected");
  vi.advanceTimersByTime(2_000);
  assert.deepEqual(ffmpeg.calls, ["start", "stop"]);
  await recorder.stop();
});
