// Tests from a trigger to a playable clip, with the built launcher, a real screen and the real ffmpeg.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { type Acknowledgement, type Clip, hasCode, type listClips, type ReplyOf } from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { readClock } from "../../../tools/engines/clock-reader.ts";
import { type ClockWindow, openClockWindow } from "../../../tools/engines/clock-window.ts";
import { type Display, openDisplay } from "../../../tools/engines/display.ts";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { type LauncherProcess, startLauncherProcess } from "../support/own-launcher.ts";
import { until } from "../support/until.ts";

const skip = skipWithout("Xvfb", "ffmpeg");

let display: Display;
let window: ClockWindow;
let launcher: LauncherProcess;
beforeAll(async () => {
  if (skip) return;
  // A small picture costs a busy machine little.
  display = await openDisplay("640x360");
  window = await openClockWindow({ display: display.name, width: 640, height: 360, framesPerSecond: 30 });
  launcher = await startLauncherProcess({ env: { DISPLAY: display.name } });
  const rule = { eventId: "saga_boss", preSeconds: 3, postSeconds: 2, mergeGapSeconds: 3 };
  assert.equal((await launcher.api("PUT", "/api/recorder/rules", rule)).status, 200);
  await launcher.setRecorder({ when: "always", picture: "screen", height: 480 });
  await until("footage of what was chosen", async () => {
    const { state } = await launcher.recorder();
    return state.state === "recording" && !hasCode(state.detail, "recorder.still_probing") && state.heldSeconds > 6;
  });
});
afterAll(async () => {
  await launcher?.[Symbol.asyncDispose]();
  await window?.close();
  await display?.close();
});

const clips = async (query: string): Promise<Clip[]> =>
  (await launcher.api("GET", `/api/clips?${query}`)).json<ReplyOf<typeof listClips>>().clips;

test("a trigger becomes a playable clip around its time, with its pictures", { skip }, async () => {
  const timestamp = new Date().toISOString();
  const { id } = (await launcher.send("recording", { eventId: "saga_boss", timestamp })).json<Acknowledgement>();
  const atMs = Date.parse(timestamp);
  const states = async () => (await launcher.receipt(id)).states.map(({ state }) => state);
  await until("the clip is saved", async () => (await states()).includes("saved"));
  assert.deepEqual(await states(), ["accepted", "recording", "saved"]);
  const [clip] = await clips(`event=${id}`);
  assert.ok(clip !== undefined);
  assert.deepEqual(
    [clip.kind, clip.state, clip.game, clip.title, clip.missing],
    ["clip", "saved", "saga", "Boss", false],
  );
  assert.ok(clip.path !== null && existsSync(clip.path));
  const shown = (await readClock(clip.path)).filter(({ ok }) => ok);
  assert.ok(shown.length > 30, `${shown.length} frames`);
  // A busy machine paints late, and may begin the capture again with less quality, so that the clip has less before its moment.
  // `moment.alone.test.ts` tests the exact times.
  const [fromMs, toMs] = [shown[0]?.clockMs ?? 0, shown.at(-1)?.clockMs ?? 0];
  assert.ok(fromMs < atMs && atMs < toMs, `from ${fromMs - atMs} ms to ${toMs - atMs} ms`);
  const { offset = -1 } = clip.events[0] ?? {};
  assert.ok(0 <= offset && offset < 3.5 && offset < clip.duration, `${offset} s of ${clip.duration} s`);
});

test("a clip's video, poster and preview can be downloaded, the video also in ranges", { skip }, async () => {
  const clip = await until("the clip has its pictures", async () => {
    const [saved] = await clips("state=saved&kind=clip");
    return saved?.poster && saved.preview && saved;
  });
  const head = await launcher.api("GET", `/api/clips/${clip.id}/video`);
  assert.deepEqual([head.status, head.headers["content-type"]], [200, "video/mp4"]);
  assert.deepEqual([head.headers["content-length"], head.headers["accept-ranges"]], [String(clip.bytes), "bytes"]);
  assert.match(String((await launcher.api("GET", `/api/clips/${clip.id}/poster`)).headers["content-type"]), /jpeg/);
  assert.equal((await launcher.api("GET", `/api/clips/${clip.id}/preview`)).status, 200);
  const saved = await launcher.api("GET", `/api/clips/${clip.id}/video?download=true`);
  assert.match(String(saved.headers["content-disposition"]), /^attachment; filename="[ -~]+Saga Boss\.mp4"$/);
  assert.equal((await launcher.api("GET", "/api/clips/nothing/video")).status, 404);
});
