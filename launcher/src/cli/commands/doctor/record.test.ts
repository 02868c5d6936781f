// Tests of the report of `kit doctor --record`: what it says of a recording, and what it leaves out.
import assert from "node:assert/strict";
import { type RecordedFile, recorderDefaults, type TestRecording } from "@kit/contract";
import { joinSentences, message } from "@kit/contract/messages";
import { test } from "vitest";
import { type Facts, makeReport } from "./record.ts";

const file: RecordedFile = {
  ...{ seconds: 3.01, width: 1280, height: 720, frameRate: 29.97, bytes: 612_000, isBlack: false, soundTracks: 1 },
  expected: { seconds: 3, width: 1280, height: 720 },
};
const result: TestRecording = { ok: true, says: "It works.", tried: [], clip: "id", file };

const facts = (given: Partial<Facts>): Facts => ({
  version: "0.1.0",
  ffmpeg: { path: "/usr/bin/ffmpeg", version: "9.0", from: "path" },
  settings: recorderDefaults,
  folders: ["/srv/kit/data", "D:\\Clips of Anna"],
  person: { user: "annemarie", host: "spiele-pc", home: "/home/annemarie" },
  checks: [],
  result,
  ...given,
});

test("a recording with picture, sound, length and size has no faults", () => {
  const { ok, faults, file: read } = makeReport(facts({}));
  assert.deepEqual([ok, faults], [true, []]);
  assert.equal(read, "3.0 s, 1280 × 720, 30.0 frames a second, 612 kB, sound tracks: 1");
});

test("each way in which a file differs from what was to be recorded is a fault", () => {
  const faultsOf = (changed: Partial<RecordedFile>, sound: "game" | "off" = "game") => {
    const settings = { ...recorderDefaults, sound };
    const { ok, faults } = makeReport(facts({ settings, result: { ...result, file: { ...file, ...changed } } }));
    assert.equal(ok, faults.length === 0);
    return faults;
  };
  assert.deepEqual(faultsOf({ isBlack: true }), ["Every picture is black."]);
  assert.deepEqual(faultsOf({ seconds: 1.2 }), ["It has 1.2 s instead of 3.0 s."]);
  assert.deepEqual(faultsOf({ height: 360 }), ["Its picture has 1280 × 360 pixels instead of 1280 × 720."]);
  assert.deepEqual(faultsOf({ soundTracks: 0 }), ["It has no sound, although the settings ask for it."]);
  assert.deepEqual(faultsOf({ soundTracks: 0 }, "off"), []);
});

test("a recording that failed says why, also for each attempt, and has no file", () => {
  const tried = [{ what: "h264_nvenc", ok: false, why: "Cannot load libcuda.so.1" }];
  const failed = { ok: false, says: message("capture.no_picture"), tried, clip: null, file: null };
  const report = makeReport(facts({ result: failed }));
  assert.deepEqual([report.ok, report.says, report.tried, report.file], [false, "no picture arrived", tried, null]);
});

test("checks that found a problem are named without their details, which have paths and games", () => {
  const checks = [
    { name: "place", ok: false, detail: "/srv/kit/data is on another computer", fix: "Stop Kit" },
    { name: "port", ok: true, detail: "Kit runs", fix: "" },
  ];
  const report = makeReport(facts({ checks }));
  assert.deepEqual([report.ok, report.failedChecks], [false, ["place"]]);
});

test("names of the user and the computer, titles of windows, games and paths are in no part of the report", () => {
  const title = "Diary of Anna - Editor";
  const source = `window "${title}"`;
  const tried = [
    {
      what: message("capture.attempt", { source, encoder: "libx264", rate: 30 }),
      ok: false,
      why: `Can't find window '${title}', aborting; /home/annemarie/x; d:/clips of anna/a.part; annemarie on SPIELE-PC`,
    },
    { what: "OBS", ok: false, why: message("obs.replay_not_readable", { path: "E:\\Anna\\a.mkv", why: "ENOENT" }) },
  ];
  const says = joinSentences(
    message("recorder.captures", { source }),
    message("source.no_window", { title: "Anna's other game" }),
    message("capture.not_chosen", { why: "ENOENT: open '/srv/kit/data/capture.json'" }),
  );
  const printed = JSON.stringify(
    makeReport(
      facts({
        result: { ok: false, says, tried, clip: null, file: null },
        settings: { ...recorderDefaults, window: "Photos of Anna" },
        ffmpeg: { path: "/opt/anna/bin/ffmpeg", version: "9.0", from: "setting" },
      }),
    ),
  );
  for (const hidden of [/anna/iu, /annemarie/iu, /spiele/iu, /srv/u, /opt\//u]) assert.doesNotMatch(printed, hidden);
  assert.match(printed, /libx264/u);
  assert.match(printed, /aborting/u);
});
