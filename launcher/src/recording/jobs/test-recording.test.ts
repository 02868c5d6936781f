// Tests of what a test recording reports, with a scripted recorder and files.
import assert from "node:assert/strict";
import { message } from "@kit/contract/messages";
import { test } from "vitest";
import type { RecordedTest } from "../capture/recorder.ts";
import { createTestRecording } from "./manual-saves.ts";
import { recording } from "./test/scripted-launcher.ts";

const footage = { fromMs: 0, toMs: 3_000, frames: 90, width: 1280, height: 720, bytes: 1, gaps: [], otherFormat: [] };
const recorded: RecordedTest = {
  ok: true,
  says: "3.0 s",
  tried: [],
  footage,
  expected: { seconds: 3, width: 1280, height: 720 },
};

const saved = { file: "a.mp4", bytes: 70_000, durationMs: 2_000, width: 640, height: 360, frames: 50, outdated: null };

const testWith = (saveVideo: Parameters<typeof createTestRecording>[0]["files"]["saveVideo"]) =>
  createTestRecording({
    recorder: { recordTest: async () => recorded, state: () => recording },
    files: { partPath: (id) => id, saveVideo, discard: async () => undefined },
    library: { prepareCut: async () => [], enforceLimits: async () => [] },
    pictures: { requestPoster: () => undefined } as never,
    write: async () => undefined,
    now: () => 0,
    onChanged: () => undefined,
  })();

test("a test recording reports what was read in its file, beside what was to be recorded", async () => {
  const notes = [message("clip.is_black")];
  const { ok, file } = await testWith(async () => ({ ...saved, notes, soundTracks: 0 }));
  assert.equal(ok, true);
  assert.deepEqual(file, {
    ...{ seconds: 2, width: 640, height: 360, frameRate: 25, bytes: 70_000, isBlack: true, soundTracks: 0 },
    expected: { seconds: 3, width: 1280, height: 720 },
  });
});

test("a test recording that is not saved reports no file", async () => {
  const { ok, file } = await testWith(() => Promise.reject(new Error("the disk is full")));
  assert.deepEqual([ok, file], [false, null]);
});
