// Tests of the recording slice without a screen: what it does at its start, what it postpones until then, and clips for error reports.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import {
  eventInWords,
  gameInWords,
  getRecorder,
  type RecorderReport,
  type RecorderSettings,
  textOf,
} from "@kit/contract";
import { type TestContext, test, vi } from "vitest";
import { openClipsFolder, planWith, saveRow } from "../../test/recording/clips-folder.ts";
import { insertReceiptState } from "../inbox/inbox-store.ts";
import { type Statement, sql } from "../storage/sql.ts";
import { GameCaptures } from "./capture/game-captures.ts";
import { Recorder } from "./capture/recorder.ts";
import { trashFileName } from "./clips/clip-row.ts";
import { neverCutMessage } from "./clips/recovery.ts";
import { ErrorClipLimiter, type ErrorReport } from "./plans/planner.ts";
import { createStartTimeReader, Recording } from "./recording.ts";
import { saveRecorderSetting } from "./settings/setting-store.ts";

/** Waits for `beforeRead` before each read of the database. */
async function slice(
  t: TestContext,
  settings: Partial<RecorderSettings>,
  {
    isOn = () => true,
    beforeRead = async () => {},
  }: { isOn?: (game: string | null) => boolean; beforeRead?: () => Promise<void> } = {},
) {
  const folder = await openClipsFolder();
  const { clipsDir, dir } = folder;
  const read = (statement: Statement) => beforeRead().then(() => folder.storage.read(statement));
  const storage = { ...folder.storage, read };
  for (const [name, value] of Object.entries({ backend: "ffmpeg", ...settings } as const)) {
    await storage.write(saveRecorderSetting(name as keyof RecorderSettings, value));
  }
  const recording = new Recording({
    desktop: { show: async () => null, trouble: async () => null },
    say: textOf,
    openDashboard: () => undefined,
    stopKit: () => undefined,
    icon: "",
    storage,
    clipsDir,
    stateReached: insertReceiptState,
    isOn,
    neededClips: async () => new Set(),
    now: Date.now,
    dir: {
      obsPassword: join(dir.path, "password"),
      capture: join(dir.path, "capture.json"),
      networkCopies: join(dir.path, "fitted"),
    },
    ffmpeg: undefined,
    searchPath: "",
    umask: 0o022,
    display: undefined,
    isWayland: false,
    processesOf: (pid) => new Set([pid]),
    isProcessRunning: () => true,
    knownIds: () => [],
    gameOf: () => "saga",
    labelOf: eventInWords,
    gameName: gameInWords,
    onChanged: () => undefined,
    onReceipts: () => undefined,
  });
  t.onTestFinished(async () => {
    await recording.stop();
    await folder[Symbol.asyncDispose]();
  });
  /** Resolves when the recovery of an earlier run is finished. */
  const ready = () => recording.receive([]);
  const recorderRoute = recording.routes.find(({ operation }) => operation === getRecorder);
  assert.ok(recorderRoute);
  const report = async () => ((await recorderRoute.answer({} as never, {} as never)) as RecorderReport).state;
  return { ...folder, recording, ready, report };
}

test("a clip whose file was left in the trash by an interrupted move is moved back at the start", async (t) => {
  const { storage, ...kit } = await slice(t, { when: "never" });
  const plan = await saveRow({ ...kit, storage }, planWith());
  const name = `${plan.id}.mp4`;
  await writeFile(join(kit.clipsDir, trashFileName(plan.id, name)), "video");
  await kit.recording.load();
  await kit.ready();
  while (!existsSync(join(kit.clipsDir, name))) await turn();
});

test("a service switched off for all games records nothing, whatever the recorder's setting", async (t) => {
  let isOn = true;
  const { recording, ready, report } = await slice(t, { when: "always" }, { isOn: () => isOn });
  await recording.load();
  await ready();
  assert.notEqual((await report()).state, "off");
  isOn = false;
  recording.applySwitches();
  assert.equal((await report()).state, "off");
  isOn = true;
  recording.applySwitches();
  assert.notEqual((await report()).state, "off");
});

test("a clip requested during the recovery is not treated as one of an earlier run", async (t) => {
  let isOpen = Promise.withResolvers<void>();
  isOpen.resolve();
  const { recording, ready, store, storage } = await slice(
    t,
    { when: "automatic" },
    { beforeRead: () => isOpen.promise },
  );
  await recording.load();
  // The recovery begins at the time of this request.
  isOpen = Promise.withResolvers();
  const event = "00000000-0000-4000-8000-000000000001";
  recording.gameSeen("saga", undefined);
  recording.requestClip({ event, seq: 1, game: "saga", message: "No key 41", atMs: Date.now() + 1 });
  await storage.write(sql`SELECT 1`);
  isOpen.resolve();
  await ready();
  while ((await store.findByEvent(event)) === undefined) await turn();
  assert.notEqual((await store.findByEvent(event))?.clip.reason, neverCutMessage);
});

test("an error report without a game starts no recording, because that game may be switched off", async (t) => {
  const { recording, ready, report, store } = await slice(t, { when: "automatic" });
  await recording.load();
  await ready();
  const event = "00000000-0000-4000-8000-000000000002";
  recording.requestClip({ event, seq: 1, game: null, message: "No key 41", atMs: Date.now() + 1 });
  await ready();
  assert.equal((await report()).state, "idle");
  assert.equal(await store.findByEvent(event), undefined);
});

test("an error report of a game that is not seen to run starts no recording", async (t) => {
  const { recording, ready, report } = await slice(t, { when: "automatic" });
  await recording.load();
  await ready();
  const event = "00000000-0000-4000-8000-000000000003";
  recording.requestClip({ event, seq: 1, game: "saga", message: "No key 41", atMs: Date.now() + 1 });
  await ready();
  assert.equal((await report()).state, "idle");
});

test("a game that is switched off or ends while another runs stops only its own capture", async (t) => {
  const off = new Set<string | null>();
  const { recording, ready } = await slice(t, { when: "never" }, { isOn: (game) => !off.has(game) });
  await recording.load();
  await ready();
  const ofRecorder = vi.spyOn(Recorder.prototype, "markGameEnded");
  const ofCaptures = vi.spyOn(GameCaptures.prototype, "gameEnded");
  for (const game of ["saga", "quest", "epic"]) recording.gameSeen(game, undefined);
  off.add("saga");
  recording.applySwitches();
  recording.gameEnded("quest");
  assert.deepEqual(ofCaptures.mock.calls.flat(), ["saga", "quest"]);
  assert.equal(ofRecorder.mock.calls.length, 0, "epic is still recorded");
  off.add("epic");
  recording.applySwitches();
  assert.deepEqual(ofCaptures.mock.calls.flat(), ["saga", "quest", "epic"]);
  assert.equal(ofRecorder.mock.calls.length, 1);
});

test("a marker is of the game that was seen last, although others run, until that game ends", async (t) => {
  const { recording, ready } = await slice(t, { when: "never" });
  await recording.load();
  await ready();
  recording.gameSeen("saga", undefined);
  recording.gameSeen("quest", undefined);
  recording.gameRuns("saga", undefined);
  assert.equal((await recording.mark()).game, "quest");
  recording.gameEnded("quest");
  recording.gameRuns("saga", undefined);
  assert.equal((await recording.mark()).game, "saga");
});

test("footage requested during the recovery is pending, and planned afterwards", async (t) => {
  let isOpen = Promise.withResolvers<void>();
  isOpen.resolve();
  const { recording, store } = await slice(t, { when: "automatic" }, { beforeRead: () => isOpen.promise });
  await recording.load();
  isOpen = Promise.withResolvers();
  const wanted = { event: "00000000-0000-4000-8000-000000000003", seq: 1, eventId: "saga_boss", game: "saga" };
  const asking = recording.requestFootage({ ...wanted, kind: "clip", atMs: Date.now() + 1 });
  const answer = recording.footageOf(wanted.event);
  isOpen.resolve();
  assert.deepEqual(await answer, { state: "pending" });
  await asking;
  const clip = (await store.findByEvent(wanted.event))?.clip;
  assert.deepEqual([clip?.title, clip?.events[0]?.kind], ["Boss", "social"]);
  await recording.markShared(clip?.id ?? "");
  assert.equal((await store.findByEvent(wanted.event))?.clip.shared, true);
});

let number = 0;
function report(message: string, game: string | null = null): ErrorReport {
  number += 1;
  return { event: `event-${number}`, seq: number, game, message, atMs: 1_000_000 };
}

test("a report gets a clip of 20 s before and 3 s after, titled with its first line", () => {
  const request = new ErrorClipLimiter(
    () => 0,
    () => 12_000,
  ).requestFor(report("No key at door.gd:41\nstack", "saga"));
  assert.deepEqual([request?.rule.preMs, request?.rule.postMs, request?.game], [20_000, 3_000, "saga"]);
  assert.deepEqual([request?.moment.kind, request?.moment.label], ["monitor", "No key at door.gd:41"]);
});

test("a report that is dispatched twice gets the same request, and counts once", () => {
  const clips = new ErrorClipLimiter(
    () => 0,
    () => 12_000,
  );
  const one = report("No key");
  for (let time = 0; time < 40; time += 1) assert.ok(clips.requestFor(one));
  assert.ok(clips.requestFor(report("No door")));
});

test("at most 20 reports an hour get a clip, and after an hour the next ones do", () => {
  let nowMs = 0;
  const clips = new ErrorClipLimiter(
    () => nowMs,
    () => 12_000,
  );
  const got = Array.from({ length: 30 }, () => clips.requestFor(report("No key"))).filter(
    (request) => request !== undefined,
  );
  assert.equal(got.length, 20);
  nowMs = 3_600_000;
  assert.ok(clips.requestFor(report("No key")));
});

test("the start time stays the same while the clock runs, or is set forward", () => {
  let nowMs = 1_000_000;
  let passedMs = 50;
  const startedAtMs = createStartTimeReader(
    () => nowMs,
    () => passedMs,
  );
  assert.equal(startedAtMs(), 1_000_000);
  [nowMs, passedMs] = [1_060_000, 60_050];
  assert.equal(startedAtMs(), 1_000_000);
  nowMs += 3_600_000;
  assert.equal(startedAtMs(), 1_000_000);
});

test("after a clock is set back by an hour, no moment is older than the launcher", () => {
  let nowMs = 10_000_000;
  let passedMs = 50;
  const startedAtMs = createStartTimeReader(
    () => nowMs,
    () => passedMs,
  );
  [nowMs, passedMs] = [10_060_000 - 3_600_000, 60_050];
  assert.equal(startedAtMs(), 10_000_000 - 3_600_000);
});
