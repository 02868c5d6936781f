// Tests of what the self-test concludes, without a screen.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import { cannot } from "../../../tools/engines/cannot.ts";
import { failed, impossible, inSentence, passed, reportIt } from "./check.ts";
import { checkSession, judgeInSession } from "./checks/desktop.ts";
import { checkPermissions } from "./checks/launcher.ts";
import { checkClocks } from "./checks/system.ts";
import { type ClockComparison, compareClocks } from "./clock/compare.ts";
import { figuresInWords, reportPage, withoutPersonalWords } from "./report.ts";
import { analysedRate, secondsWithTone, toneHertz } from "./tone.ts";

/** Clocks painted 60 times a second, and frames recorded 30 times a second of them, each `lateMs` after its clock was painted. */
function record(lateMs: number, frames = 60) {
  const painted = Array.from({ length: frames * 3 }, (_, n) => ({ clockMs: 1_000 + n * 17, shownMs: 1_002 + n * 17 }));
  const recorded = Array.from({ length: frames }, (_, n) => {
    const { clockMs } = painted[n * 2] ?? { clockMs: 0 };
    return { ptsMs: clockMs + lateMs, clockMs, ok: true };
  });
  return { painted, recorded };
}

test("frames whose clock was on the screen at their time pass, also when the painter was slow", () => {
  const { painted, recorded } = record(10);
  const { fault, figures } = compareClocks(recorded, painted);
  assert.deepEqual([fault, figures.timeErrorMsMost, figures.frames], [undefined, 0, 60]);
  const slow = painted.filter((_, n) => n % 40 === 0);
  const shown = recorded.map((frame) => ({
    ...frame,
    clockMs: slow.findLast(({ shownMs }) => shownMs <= frame.ptsMs)?.clockMs ?? slow[0]?.clockMs ?? 0,
  }));
  assert.equal(compareClocks(shown, slow).figures.timeErrorMsMost, 0);
});

test("wrong times, a covered or still picture, foreign clocks and too few frames are faults", () => {
  const { painted, recorded } = record(10);
  const sentencesOf = (fault: ClockComparison["fault"]) => `${fault?.what}. ${fault?.toDo}`;
  const faultOf = (frames: typeof recorded) => sentencesOf(compareClocks(frames, painted).fault);
  assert.match(faultOf(record(400).recorded), /up to \d+.* ms wrong\. Close other programs/);
  assert.match(faultOf(record(-300).recorded), /ms wrong/);
  assert.match(
    faultOf(recorded.map((frame, n) => ({ ...frame, ok: n % 2 === 0 }))),
    /cannot be read.*\. Leave the upper edge of the screen free/,
  );
  assert.match(faultOf(recorded.map((frame) => ({ ...frame, clockMs: 1_000 }))), /stands still/);
  assert.match(faultOf(recorded.map((frame) => ({ ...frame, clockMs: 7 }))), /never painted\. Attach the page/);
  assert.match(faultOf(recorded.slice(0, 5)), /only 5 frames/);
  assert.match(faultOf([]), /only 0 frames/);
});

test("a recording with right times and few frames passes, and its result says how few", () => {
  const { painted, recorded } = record(10);
  assert.equal(compareClocks(recorded, painted).poor, "");
  const { fault, poor } = compareClocks(
    recorded.filter((_, n) => n % 3 === 0),
    painted,
  );
  assert.equal(fault, undefined);
  assert.equal(
    poor,
    "Only 9.8 of 30 frames a second were recorded. Close other programs, and run the self-test again.",
  );
  assert.equal(passed({}, undefined, poor).advice, poor);
});

test("frames that did not arrive are counted by the gaps between the others", () => {
  const { painted, recorded } = record(10);
  const missing = (frames: typeof recorded) => compareClocks(frames, painted).figures.missingFrames;
  assert.equal(missing(recorded), 0);
  assert.equal(missing(recorded.filter((_, n) => n !== 20 && n !== 30 && n !== 31)), 3);
});

const samples = (seconds: number, wave: (t: number) => number) =>
  Float32Array.from({ length: seconds * analysedRate }, (_, n) => wave(n / analysedRate));

test("the tone is found at any loudness, and neither silence, noise nor another tone is taken for it", () => {
  const tone =
    (loudness: number, hertz = toneHertz) =>
    (t: number) =>
      loudness * Math.sin(2 * Math.PI * hertz * t);
  for (const loudness of [0.5, 0.003]) assert.equal(secondsWithTone(samples(2, tone(loudness))), 2);
  const half = (t: number) => (t < 1 ? tone(0.1)(t) : 0);
  assert.ok(Math.abs(secondsWithTone(samples(2, half)) - 1) <= 0.1);
  let state = 1;
  const noise = () => {
    state = Math.imul(state, 1_664_525) + 1_013_904_223;
    return state / 2 ** 32;
  };
  for (const wave of [() => 0, noise, tone(0.5, 440), tone(0.5, 3_000)])
    assert.equal(secondsWithTone(samples(2, wave)), 0);
});

test("a data folder that other users can read fails, and one that Kit made among shared folders passes", {
  skip: cannot.setFileModes,
}, (t) => {
  const folder = mkdtempSync(join(tmpdir(), "kit-test-"));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  const check = (name: string, mode: number) => {
    const bench = join(folder, name);
    mkdirSync(join(bench, "data"), { recursive: true });
    chmodSync(join(bench, "data"), mode);
    return checkPermissions(join(bench, "data"), bench);
  };
  assert.deepEqual(check("private", 0o700), passed({ folders: 2, readableByOthers: 0 }));
  const open = check("open", 0o755);
  assert.deepEqual([open.status, open.figures.readableByOthers], ["failed", 1]);
  assert.match(open.advice, /can be read by other users/);
});

test("what fails in a locked or remote session says so, and nothing else of the report changes", () => {
  const locked = { locked: true, remote: false };
  const fault = failed("No source records the screen.", reportIt, { frames: 0 });
  assert.deepEqual(
    judgeInSession("source screen", fault, locked),
    impossible(checkSession(locked).advice, { frames: 0 }),
  );
  assert.match(judgeInSession("own sound", fault, { locked: false, remote: true }).advice, /^This is a remote session/);
  for (const id of ["ports", "rename", "session"]) assert.equal(judgeInSession(id, fault, locked), fault);
  assert.equal(judgeInSession("clip", fault, { locked: false, remote: false }), fault);
  assert.equal(judgeInSession("clip", fault, undefined), fault);
  const works = passed({ frames: 30 });
  assert.equal(judgeInSession("clip", works, locked), works);
});

test("a set clock or a sleeping computer is noticed, and a few milliseconds are not", () => {
  const start = { wallMs: 1_000_000, steadyMs: 500 };
  const after = (wallMs: number) => checkClocks(start, { wallMs: start.wallMs + wallMs, steadyMs: 60_500 });
  assert.equal(after(60_020).status, "passed");
  assert.match(after(3_660_000).advice, /slept/);
  assert.match(after(60_400).advice, /does not go as fast.*Let the system set the time/);
});

test("names, home folders and paths of the test are taken out, whatever their case and slashes", () => {
  const words = [
    ["C:\\Users\\Jörg Müller\\AppData\\Local\\Temp\\kit-selftest-1", "SELFTEST"],
    ["C:\\Users\\Jörg Müller", "~"],
    ["Jörg Müller", "NAME"],
    ["SPIELE-PC", "COMPUTER"],
  ] as const;
  const clean = (text: string) => withoutPersonalWords(text, words);
  assert.equal(
    clean("c:\\users\\jörg müller\\appdata\\local\\temp\\kit-selftest-1\\data failed"),
    "SELFTEST\\data failed",
  );
  assert.equal(clean("file:///C:/Users/J%C3%B6rg%20M%C3%BCller/x"), "file:///~/x");
  assert.equal(clean("Jörg Müller on spiele-pc"), "NAME on COMPUTER");
  const inJson = JSON.stringify({ dataDir: "C:\\Users\\Jörg Müller\\AppData\\Local\\Temp\\kit-selftest-1\\data" });
  assert.equal(clean(inJson), JSON.stringify({ dataDir: "SELFTEST\\data" }));
});

test("what other programs say becomes a sentence", () => {
  assert.equal(inSentence("no picture arrived"), "No picture arrived.");
  assert.equal(inSentence("Update Windows."), "Update Windows.");
});

test("the page shows every check with its figures, and escapes what programs say", () => {
  const page = reportPage(
    [
      { id: "ports", ...passed({ usualPort: "free", startMs: 812 }) },
      { id: "clip", ...failed("<script>alert(1)</script>", "") },
      { id: "sound", ...impossible("No sound server.") },
      { id: "source gdigrab-screen", ...passed({}, Buffer.from("picture")) },
    ],
    "Kit 0.1.0, linux",
  );
  for (const part of [
    "usual port: free, start ms: 812",
    "Kit 0.1.0, linux: 2 passed, 1 failed, 1 not possible here",
    "An event becomes a video of the right seconds.",
    "This source of pictures records the screen",
    "unless they have fewer than 3 letters",
    "&lt;script&gt;",
    "not possible here",
    "data:image/png;base64,",
  ])
    assert.ok(page.includes(part), part);
  assert.ok(!page.includes("<script"));
  assert.equal(figuresInWords({ timeErrorMsMost: 3 }), "time error ms most: 3");
});
