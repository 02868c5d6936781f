// Tests of clips that share footage, screenshots, hotkeys and kills, with the built launcher, a real screen and the real ffmpeg.
// `clip.realtime.test.ts` tests one clip.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import {
  type Acknowledgement,
  type Clip,
  type ForwardTarget,
  hasCode,
  type listClips,
  type ReceiptState,
  type ReplyOf,
  type TestRecording,
  textOf,
} from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { readClock } from "../../../tools/engines/clock-reader.ts";
import { type ClockWindow, openClockWindow } from "../../../tools/engines/clock-window.ts";
import { type Display, openDisplay } from "../../../tools/engines/display.ts";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { startForwardServer } from "../monitor/forwarding-server.ts";
import { kitOn } from "../support/kit-command.ts";
import { type LauncherProcess, startLauncherProcess, timestamp } from "../support/own-launcher.ts";
import { until } from "../support/until.ts";

const skip = skipWithout("Xvfb", "ffmpeg");

/** Without a cooldown, because the tests reuse the ids. */
const short = { preSeconds: 3, postSeconds: 2, mergeGapSeconds: 3, cooldownSeconds: 0 };

let display: Display;
let window: ClockWindow;
let launcher: LauncherProcess;
beforeAll(async () => {
  if (skip) return;
  // A small picture costs a busy machine little.
  display = await openDisplay("640x360");
  window = await openClockWindow({ display: display.name, width: 640, height: 360, framesPerSecond: 30 });
  launcher = await startLauncherProcess({ env: { DISPLAY: display.name, KIT_SECRETS: "file" } });
  for (const eventId of ["saga_boss", "saga_end"]) await rule(eventId, { ...short });
  // A busy machine takes long to save the first clip, and the second moment must still join it.
  for (const eventId of ["epic_boss", "epic_end"]) await rule(eventId, { ...short, mergeGapSeconds: 30 });
  await rule("saga_look", { action: "screenshot", cooldownSeconds: 0 });
  await launcher.setRecorder({ when: "always", picture: "screen", height: 480 });
  await ownFootage(6);
});
afterAll(async () => {
  await launcher?.[Symbol.asyncDispose]();
  await window?.close();
  await display?.close();
});

async function rule(eventId: string, change: object): Promise<void> {
  const changed = await launcher.api("PUT", "/api/recorder/rules", { eventId, ...change });
  assert.equal(changed.status, 200, changed.text);
}
/** Waits for that much footage of the chosen capture, because footage of a first guess may not fit into the same file. */
async function ownFootage(seconds: number): Promise<void> {
  let beganMs: number | undefined;
  await until("footage of what was chosen", async () => {
    const { state } = await recorder();
    if (state.state !== "recording" || hasCode(state.detail, "recorder.still_probing")) beganMs = undefined;
    else beganMs ??= performance.now();
    return beganMs !== undefined && performance.now() - beganMs > seconds * 1_000 && state.heldSeconds > seconds;
  });
}
const recorder = () => launcher.recorder();

async function fire(eventId: string): Promise<{ id: string; atMs: number }> {
  const at = timestamp();
  const { id } = (await launcher.send("recording", { eventId, timestamp: at })).json<Acknowledgement>();
  return { id, atMs: Date.parse(at) };
}
const statesOf = async (id: string) => (await launcher.receipt(id)).states.map(({ state }) => state);
const reaches = (id: string, state: string) =>
  until(`${state} of ${id}`, async () => (await statesOf(id)).includes(state as ReceiptState));
async function clipsOf(query: string): Promise<Clip[]> {
  return (await launcher.api("GET", `/api/clips?${query}`)).json<ReplyOf<typeof listClips>>().clips;
}
async function clipOf(event: string): Promise<Clip> {
  const [clip, ...others] = await clipsOf(`event=${event}`);
  assert.ok(clip !== undefined && others.length === 0);
  return clip;
}

/** Reads when the first and the last frame were on the screen, and the number of frames. */
async function shownIn(path: string): Promise<{ fromMs: number; toMs: number; frames: number }> {
  const read = (await readClock(path)).filter(({ ok }) => ok);
  return { fromMs: read[0]?.clockMs ?? 0, toMs: read.at(-1)?.clockMs ?? 0, frames: read.length };
}

test("triggers close together share a clip, and each of them is saved", { skip }, async () => {
  const both = async () => {
    const first = await fire("epic_boss");
    await reaches(first.id, "saved");
    const second = await fire("epic_end");
    await reaches(second.id, "saved");
    assert.deepEqual(await statesOf(second.id), ["accepted", "recording", "saved"], "the clip was cut again");
    // A busy machine continues the capture with less quality. That needs a file of its own, which begins where the first ends.
    const [one, other] = [await clipOf(first.id), await clipOf(second.id)];
    const apartMs = Date.parse(other.startedAt) - Date.parse(one.startedAt) - one.duration * 1_000;
    const hasChanged = one.id !== other.id && Math.abs(apartMs) < 500;
    return !hasChanged && { first, second };
  };
  const { first, second } = await until("two triggers during one capture", both);
  const clip = await clipOf(second.id);
  // An attempt before this one may have opened the clip.
  const lastTwo = clip.events.map((event) => event.id).slice(-2);
  assert.deepEqual([clip.id, lastTwo], [(await clipOf(first.id)).id, [first.id, second.id]]);
  const shown = await shownIn(clip.path ?? "");
  assert.ok(shown.fromMs < first.atMs && second.atMs < shown.toMs);
  const others = (await clipsOf("state=saved")).map(({ path }) => basename(path ?? ""));
  assert.equal(new Set(others).size, others.length, "no two clips share a file");
});

test("a rule can make a screenshot", { skip }, async () => {
  const { id, atMs } = await fire("saga_look");
  await reaches(id, "saved");
  const clip = await clipOf(id);
  assert.deepEqual([clip.kind, clip.state, clip.width > 0], ["screenshot", "saved", true]);
  const [frame] = await readClock(clip.path ?? "");
  assert.ok(frame?.ok && Math.abs(frame.clockMs - atMs) < 3_000, `of ${(frame?.clockMs ?? 0) - atMs} ms away`);
});

test("an error report gets a clip once for each issue, which a target gets as a video without the game's texts", {
  skip,
}, async () => {
  await using server = await startForwardServer();
  const address = `http://${"0".repeat(32)}@127.0.0.1:${server.port}/7`;
  const added = await launcher.api("POST", "/api/forwarding", { kind: "sentry", address, game: null });
  const target = `/api/forwarding/${added.json<ForwardTarget>().id}`;
  assert.equal((await launcher.api("PUT", target, { videos: true })).status, 200);
  const first = await launcher.report("No key 41");
  const again = await launcher.report("No key 42");
  await until("the clip is saved", async () => (await clipsOf(`event=${first}`))[0]?.state === "saved");
  const clip = await clipOf(first);
  const moment = clip.events.find((event) => event.id === first);
  assert.deepEqual([moment?.label, moment?.kind], ["No key 41", "monitor"]);
  assert.deepEqual([await statesOf(first), (await clipsOf(`event=${again}`)).length], [["accepted", "grouped"], 0]);
  const { video } = await until("the video", () => server.received.find((request) => request.video !== undefined));
  assert.equal(video?.event, first.replaceAll("-", ""));
  const path = join(launcher.dataDir, "video.mp4");
  writeFileSync(path, video?.file ?? "");
  const [sent, saved] = await Promise.all([shownIn(path), shownIn(clip.path ?? "")]);
  assert.deepEqual(sent, saved);
  assert.deepEqual(
    [clip.path ?? "", path].map((file) => readFileSync(file).includes("No key 41")),
    [true, false],
  );
  const { videoQueue } = await until("it is counted", async () =>
    (await launcher.api("GET", "/api/forwarding"))
      .json<{ targets: ForwardTarget[] }>()
      .targets.find((one) => one.videoQueue?.sent === 1),
  );
  assert.deepEqual([videoQueue?.waiting, videoQueue?.unsent, videoQueue?.lastError], [0, 0, null]);
  assert.equal((await launcher.api("DELETE", target)).status, 204);
});

test("a clip can be moved to the trash and restored with its file", { skip }, async () => {
  const [clip] = await clipsOf("kind=screenshot");
  assert.ok(clip?.path);
  assert.equal((await launcher.api("DELETE", `/api/clips/${clip.id}`)).status, 204);
  assert.deepEqual([existsSync(clip.path), (await clipsOf("kind=screenshot")).length], [false, 0]);
  assert.equal((await clipsOf("bin=true"))[0]?.id, clip.id);
  const restored = await launcher.api("POST", `/api/clips/${clip.id}/restore`);
  assert.equal(restored.json<Clip>().deletedAt, null);
  assert.ok(existsSync(restored.json<Clip>().path ?? ""));
});

test("a test recording makes a clip and reports its choice with the reasons", { skip }, async () => {
  const result = (await launcher.api("POST", "/api/recorder/test")).json<TestRecording>();
  assert.ok(result.ok, textOf(result.says));
  assert.ok(result.tried.length > 0 && result.clip !== null);
  const clip = (await launcher.api("GET", `/api/clips/${result.clip}`)).json<Clip>();
  assert.deepEqual([clip.title, clip.game, clip.state, clip.events], ["Test recording", null, "saved", []]);
  const shown = await shownIn(clip.path ?? "");
  assert.ok(shown.frames > 10);
  const { seconds, width, height, bytes, expected } = result.file ?? assert.fail("no file was read");
  assert.deepEqual([seconds, width, height, bytes], [clip.duration, clip.width, clip.height, clip.bytes]);
  assert.deepEqual(expected, { seconds: 3, width, height });
});

test("kit doctor --record prints what its test recording contains, and the attempts before it", { skip }, async () => {
  const { stdout } = await kitOn(launcher).run("doctor", "--record");
  assert.match(stdout, /^tried +works +libx264 \w+: it encoded/mu);
  assert.match(stdout, /^result +works +3\.0 s of screen :\d+ by ffmpeg with libx264/mu);
  assert.match(stdout, /^file +3\.0 s, 640 × 360, \d+\.\d frames a second, \d+(?:\.\d)? [kM]B, sound tracks: \d$/mu);
});

test("kit save makes a playable clip of the last seconds, named after the time and the game", { skip }, async () => {
  // Earlier tests sent events of another game, whose sender may be looked up late.
  await until("saga to be the game that runs", async () => {
    await fire("saga_look");
    return (await kitOn(launcher).succeeds("mark", "--json")).json<Clip>().game === "saga";
  });
  const askedMs = Date.now();
  const saved = (await kitOn(launcher).succeeds("save", "5", "--json")).json<Clip>();
  assert.deepEqual([saved.kind, saved.state, saved.game, saved.events], ["clip", "saved", "saga", []]);
  assert.match(saved.title, /^Saved by you, \d\d:\d\d$/u);
  const shown = await shownIn(saved.path ?? "");
  assert.ok(shown.frames > 30, `${shown.frames} frames`);
  assert.ok(shown.fromMs < askedMs && askedMs - 1_000 < shown.toMs, `to ${shown.toMs - askedMs} ms`);
  const { stderr } = await kitOn(launcher).run("save", "600");
  assert.match(stderr, /seconds expected .*replay buffer/u);
  const marker = (await kitOn(launcher).succeeds("mark", "--json")).json<Clip>();
  assert.deepEqual([marker.kind, marker.state, marker.game], ["marker", "marked", "saga"]);
});

test("a launcher that is stopped saves open clips, and one that is killed finishes or fails them at its next start", {
  skip,
}, async () => {
  const ended = await fire("saga_boss");
  await reaches(ended.id, "recording");
  await launcher.restart("SIGTERM");
  // The next start decides about clips that a busy machine could not cut in time.
  await until("the event is saved or failed", async () => /saved|failed/.test((await statesOf(ended.id)).at(-1) ?? ""));
  await until("footage", async () => (await recorder()).state.heldSeconds > 4);
  const killed = await fire("saga_end");
  await reaches(killed.id, "recording");
  await launcher.restart("SIGKILL");
  await until("the event is saved or failed", async () =>
    /saved|failed/.test((await statesOf(killed.id)).at(-1) ?? ""),
  );
  const parts = () => readdirSync(join(launcher.dataDir, "clips")).filter((name) => name.endsWith(".part"));
  await until(
    "no clip is half made",
    async () => (await clipsOf("state=pending")).length === 0 && parts().length === 0,
  );
});
