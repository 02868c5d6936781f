// Counts how often the first event of a known game has footage, and how soon after the start of its process the recording begins.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { type Clip, hasCode, type listClips, type listLibrary, type ReplyOf, textOf } from "@kit/contract";
import { test } from "vitest";
import { openDisplay } from "../../../tools/engines/display.ts";
import { openJwm } from "../../../tools/engines/jwm.ts";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { isMachineTooBusy } from "../../../tools/run-tests/cost.ts";
import { startLauncherProcess } from "../support/own-launcher.ts";
import { until } from "../support/until.ts";
import { openPaintedWindow } from "./painted-window.ts";

const skip = skipWithout("Xvfb", "JWM", "ffmpeg");
const runs = Number(process.env.KIT_FIRST_EVENTS ?? 20);
/**
 * The game sends its first event that long after the start of its process, whether anything is recorded then or not. Only on a machine
 * that is too busy for the limit, it waits until something is.
 */
const sentAfterMs = Number(process.env.KIT_FIRST_EVENT_MS ?? 2_000);
const eventId = "first_win";
/** The median of the first kept frame, after the start of the process. */
const firstFrameMsMax = 1_000;
/** A run takes a second, or half a minute on a machine that is too busy for the limit. Then these are enough. */
const runsMin = Math.min(runs, 8);

test("the first event of each run of a known game has footage from before it, soon after its start and none of the run before", {
  skip,
}, async () => {
  await using opened = new AsyncDisposableStack();
  const display = await openDisplay("1024x768");
  opened.defer(display.close);
  const manager = await openJwm(display.name);
  opened.defer(manager.close);
  const launcher = opened.use(await startLauncherProcess({ env: { DISPLAY: display.name } }));
  await launcher.setRecorder({ height: 480, sound: "off", backend: "ffmpeg" });
  const rule = { eventId, preSeconds: 8, postSeconds: 0, mergeGapSeconds: 0, cooldownSeconds: 0 };
  assert.equal((await launcher.api("PUT", "/api/recorder/rules", rule)).status, 200);
  const recorder = async () => (await launcher.recorder()).state;
  const url = `http://127.0.0.1:${launcher.port}/api/recording/trigger`;
  const open = () =>
    openPaintedWindow({
      display: display.name,
      title: "First",
      colour: 0x00e000,
      width: 320,
      height: 240,
      x: 60,
      y: 60,
    });
  const clipOf = (event: string): Promise<Clip> =>
    until("the clip of the event", async () => {
      const { clips } = (await launcher.api("GET", `/api/clips?event=${event}`)).json<ReplyOf<typeof listClips>>();
      return clips.find(({ state }) => state !== "pending");
    });
  const isIdle = () => until("the recorder waits for a game", async () => (await recorder()).state !== "recording");
  const isRecorded = () =>
    until("the recorder to record the window", async () => {
      const { state, source, detail } = await recorder();
      // The recorder probes the encoders once, beside the first game that it ever records.
      return (
        state === "recording" &&
        source === 'window "First"' &&
        !(hasCode(detail, "recorder.still_probing") && !isMachineTooBusy())
      );
    });

  const first = await open();
  await first.order({ do: "send", url, eventId });
  await until("Kit to learn the program of the game", async () => {
    const { games } = (await launcher.api("GET", "/api/library")).json<ReplyOf<typeof listLibrary>>();
    return games.find(({ game }) => game === "first")?.commandFrom === "program";
  });
  await isRecorded();
  await first.end();
  const startsMs: number[] = [];
  const missed: string[] = [];
  for (let run = 1; run <= runs && (run <= runsMin || !isMachineTooBusy()); run += 1) {
    await isIdle();
    const beganMs = Date.now();
    const game = await open();
    const shownMs = Date.now() - beganMs;
    if (isMachineTooBusy()) await isRecorded();
    else await pause(Math.max(0, beganMs + sentAfterMs - Date.now()));
    const sentMs = Date.now() - beganMs;
    const clip = await clipOf(await game.order({ do: "send", url, eventId }));
    const startMs = Date.parse(clip.startedAt) - beganMs;
    const says = `run ${run}: window after ${shownMs} ms, event after ${sentMs} ms, first frame after ${startMs} ms`;
    console.log(`${says} ${clip.state} ${textOf(clip.reason ?? "")}`);
    if (clip.kind === "clip" && clip.state === "saved" && (clip.events[0]?.offset ?? 0) > 0) startsMs.push(startMs);
    else missed.push(`${says}: ${textOf(clip.reason ?? "")}`);
    await game.end();
  }
  const median = startsMs.toSorted((a, b) => a - b)[Math.floor(startsMs.length / 2)] ?? 0;
  const says = `the median of the first kept frame is ${median} ms`;
  console.log(`${startsMs.length} of ${startsMs.length + missed.length} with footage, ${says}`);
  assert.deepEqual(missed, []);
  assert.ok(
    startsMs.every((ms) => ms >= 0),
    "no clip shows the run before",
  );
  assert.ok(median <= firstFrameMsMax || isMachineTooBusy(), says);
});
