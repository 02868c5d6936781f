// Switching backends while clips are recorded: no footage is dropped too early.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RecorderState } from "@kit/contract";
import { type BackendName, type CaptureBackend, type CutRequest, type Footage, NoFootage } from "./backend.ts";
import { createBackendSwitch } from "./backend-switch.ts";

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
const order = (fromMs: number, toMs: number): CutRequest => ({
  fromMs,
  toMs,
  file: "/clip.mp4",
  title: "",
  comment: "",
  chapters: [],
});

function stage() {
  let nowMs = 100_000;
  const relay = createBackendSwitch({ onChanged: () => {}, now: () => nowMs });
  return { relay, ffmpeg: fakeBackend("ffmpeg"), obs: fakeBackend("obs"), pass: (ms: number) => (nowMs += ms) };
}

test("the old backend captures until the new one does and its held footage is released", () => {
  const { relay, ffmpeg, obs } = stage();
  relay.switchTo(ffmpeg.backend);
  ffmpeg.becomes("recording");
  relay.hold("clip", 99_000);
  relay.switchTo(obs.backend);
  assert.deepEqual(obs.calls, ["start"]);
  assert.deepEqual([...obs.held], ["clip"], "the next one holds what it can of it too");
  relay.stopUnneeded();
  assert.deepEqual(ffmpeg.calls, ["start"], "the next one does not capture yet");
  obs.becomes("recording");
  relay.stopUnneeded();
  assert.deepEqual(ffmpeg.calls, ["start"], "a clip of it is still under way");
  relay.release("clip");
  assert.deepEqual(ffmpeg.calls, ["start", "stop"]);
});

test("an old backend that no longer captures is stopped at once", () => {
  const { relay, ffmpeg, obs } = stage();
  relay.switchTo(obs.backend);
  relay.hold("clip", 99_000);
  obs.becomes("broken");
  relay.switchTo(ffmpeg.backend);
  assert.deepEqual(obs.calls, ["start", "stop"]);
});

test("a clip is cut by the backend with most of its range, or by the other one if that has no footage", async () => {
  const { relay, ffmpeg, obs, pass } = stage();
  relay.switchTo(ffmpeg.backend);
  ffmpeg.becomes("recording");
  pass(60_000);
  relay.switchTo(obs.backend);
  obs.becomes("recording");
  relay.stopUnneeded();
  pass(60_000);
  ffmpeg.gives(footage(1));
  obs.gives(footage(2));
  assert.equal((await relay.cut(order(140_000, 157_000))).frames, 1);
  assert.equal((await relay.cut(order(158_000, 175_000))).frames, 2);
  obs.gives(new NoFootage("none"));
  assert.equal((await relay.cut(order(158_000, 175_000))).frames, 1);
  ffmpeg.gives(new NoFootage("none either"));
  await assert.rejects(relay.cut(order(158_000, 175_000)), { name: "NoFootage" });
});

test("a file system error does not make another backend cut the clip", async () => {
  const { relay, ffmpeg, obs } = stage();
  relay.switchTo(ffmpeg.backend);
  ffmpeg.becomes("recording");
  relay.switchTo(obs.backend);
  ffmpeg.gives(footage(1));
  obs.gives(Object.assign(new Error("full"), { code: "ENOSPC" }));
  await assert.rejects(relay.cut(order(100_000, 200_000)), (error: NodeJS.ErrnoException) => error.code === "ENOSPC");
});

test("a backend that becomes current again before it stopped keeps capturing", () => {
  const { relay, ffmpeg, obs } = stage();
  relay.switchTo(ffmpeg.backend);
  ffmpeg.becomes("recording");
  relay.switchTo(obs.backend);
  relay.hold("later", 100_500);
  relay.switchTo(ffmpeg.backend);
  assert.deepEqual(ffmpeg.calls, ["start"]);
  assert.deepEqual([...ffmpeg.held], ["later"]);
  assert.deepEqual(obs.calls, ["start", "stop"]);
});

test("stop stops every backend", async () => {
  const { relay, ffmpeg, obs } = stage();
  relay.switchTo(ffmpeg.backend);
  ffmpeg.becomes("recording");
  relay.switchTo(obs.backend);
  await relay.stop();
  assert.deepEqual([ffmpeg.calls.at(-1), obs.calls.at(-1)], ["stop", "stop"]);
  assert.equal(relay.current(), undefined);
});
