// Tests of the saved choice: it survives a restart, and an invalid file is ignored.
import assert from "node:assert/strict";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { cannot } from "../../../../../tools/engines/cannot.ts";
import { type Display, openDisplay } from "../../../../../tools/engines/display.ts";
import { pathOf, skipWithout } from "../../../../../tools/engines/locate.ts";
import { until } from "../thread/test/fixture.ts";
import { type CaptureChoice, createSavedChoice, type ProbeRefusal } from "./choice.ts";
import { createCaptureProbe, type ProbeRequest } from "./probe.ts";
import type { CaptureSource } from "./source.ts";

const folder = mkdtempSync(join(tmpdir(), "kit-remembered-"));
afterAll(() => rmSync(folder, { recursive: true }));

const source: CaptureSource = {
  input: { kind: "x11-screen", display: ":7", x: 0, y: 0 },
  size: { width: 1920, height: 1080 },
  name: "screen :7",
};
const wanted = {
  ...({ key: "k", sources: [source], platform: "linux" } as const),
  captureSpec: ({ input, size }: CaptureSource) => ({
    ...({
      input,
      inputSize: size,
      heightMax: 720,
      frameRate: 30,
      quality: "standard",
      sound: null,
      hasFpsMode: true,
    } as const),
  }),
};
const note = {
  key: "k",
  source: 0,
  encoder: "libx264",
  preset: "superfast",
  sound: null,
  width: 1280,
  height: 720,
  warnings: [],
  tried: [{ what: "x", ok: true, why: "y" }],
};
let files = 0;
const written = (value: unknown) => {
  const file = join(folder, `${++files}.json`);
  writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
  return createSavedChoice(file);
};

test("the command is rebuilt from the saved parts and the current source", () => {
  const choice = written(note).load(wanted);
  assert.ok(choice);
  assert.deepEqual(
    [choice.source, choice.encoder, choice.width, choice.height],
    ["screen :7", "libx264 superfast", 1280, 720],
  );
  assert.match(choice.args.join(" "), / -i :7\+0,0 .* -preset superfast /);
  const moved = { ...source, input: { ...source.input, x: 1920 } } as CaptureSource;
  assert.match(
    written(note)
      .load({ ...wanted, sources: [moved] })
      ?.args.join(" ") ?? "",
    / -i :7\+1920,0 /,
  );
});

test("an invalid file, or one for another request, is ignored", () => {
  const wrong: unknown[] = [
    ...["", "{", "null", "[]"],
    ...[
      { ...note, key: "another" },
      { ...note, source: 1 },
      { ...note, encoder: "rm -rf" },
      { ...note, preset: "slow" },
    ],
    ...[
      { ...note, sound: { kind: "mic", device: "x" } },
      { ...note, width: "1280" },
      { ...note, tried: "x" },
    ],
  ];
  for (const value of wrong) assert.equal(written(value).load(wanted), undefined, JSON.stringify(value));
  assert.equal(createSavedChoice(join(folder, "none.json")).load(wanted), undefined);
});

test("the file is readable by its owner only, even if it was not before, and a full disk is no failure", () => {
  const file = join(folder, "open.json");
  writeFileSync(file, "{}");
  chmodSync(file, 0o644);
  const choice = written(note).load(wanted);
  assert.ok(choice);
  createSavedChoice(file).save(wanted, choice);
  if (!cannot.setFileModes) assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(createSavedChoice(file).load(wanted), choice);
  createSavedChoice(join(folder, "no", "such", "folder.json")).save(wanted, choice);
  createSavedChoice(file).remove();
  assert.equal(existsSync(file), false);
});

const skip = skipWithout("Xvfb", "ffmpeg");
let display: Display | undefined;
beforeAll(async () => {
  if (!skip) display = await openDisplay("640x480");
});
afterAll(async () => display?.close());

const picture = { window: null, monitor: null, frameRate: 15, height: 480, quality: "low" } as const;
const settings = { ...picture, sound: "off", microphone: false } as const;
const wish = (path: string): ProbeRequest => ({
  ffmpeg: { path, version: { major: 5, minor: 1, text: "5.1" }, origin: "path", hasFpsMode: true },
  settings,
  display: display?.name,
  wayland: false,
});
const chosen = (answer: CaptureChoice | ProbeRefusal): CaptureChoice => {
  assert.ok(!("refused" in answer), JSON.stringify(answer));
  return answer;
};

/** The real ffmpeg, with a list of its starts. */
function counted(name: string): { path: string; starts: () => number } {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\necho started >> '${path}.starts'\nexec '${pathOf("ffmpeg")}' "$@"\n`, {
    mode: 0o755,
  });
  const starts = () =>
    existsSync(`${path}.starts`) ? readFileSync(`${path}.starts`, "utf8").split("\n").length - 1 : 0;
  return { path, starts };
}

/** A file as a good probe saves it, however busy this machine is. */
function remember(file: string, { spec: order }: CaptureChoice, path: string): void {
  const { mtimeMs, size } = statSync(path);
  const inputs = [[{ ...order.input, window: null }, order.inputSize]];
  const key = JSON.stringify([path, mtimeMs, size, null, 15, 480, "low", "off", false, inputs]);
  const there = [{ input: order.input, size: order.inputSize, name: "screen" }];
  createSavedChoice(file).save({ key, sources: there }, { ...note, spec: order } as unknown as CaptureChoice);
}

test("a saved choice is used without running a program, until it is discarded or ffmpeg changes", {
  skip,
}, async () => {
  const file = join(folder, "kept.json");
  const ffmpeg = counted("counted");
  /** Returns true if the probe runs programs, and then cancels it. */
  const runsFor = async (options: { ignoreSaved?: boolean }): Promise<boolean> => {
    const before = ffmpeg.starts();
    const calling = new AbortController();
    const choosing = createCaptureProbe(file).choose(wish(ffmpeg.path), { ...options, signal: calling.signal });
    let isDone = false;
    void choosing.then(() => {
      isDone = true;
    });
    await until("it runs something, or has chosen", () => isDone || ffmpeg.starts() > before);
    calling.abort();
    await choosing;
    return ffmpeg.starts() > before;
  };
  const good = chosen(await createCaptureProbe().choose(wish(ffmpeg.path)));
  remember(file, good, ffmpeg.path);
  assert.equal(await runsFor({}), false);
  assert.equal(chosen(await createCaptureProbe(file).choose(wish(ffmpeg.path))).source, `screen ${display?.name}`);
  assert.equal(await runsFor({ ignoreSaved: true }), true);
  assert.equal(existsSync(file), false, "a choice that failed in use is not used again");
  remember(file, good, ffmpeg.path);
  assert.equal(await runsFor({}), false);
  appendFileSync(ffmpeg.path, "\n");
  assert.equal(await runsFor({}), true, "the probe runs for another ffmpeg");
});

test("a second request waits for the probe in progress, and gets the guess at once", {
  skip,
}, async () => {
  const ffmpeg = counted("shared");
  const probe = createCaptureProbe();
  const ahead = probe.choose(wish(ffmpeg.path), { inAdvance: true });
  const guesses: CaptureChoice[] = [];
  const second = probe.choose(wish(ffmpeg.path), { onGuess: (guess) => guesses.push(guess) });
  const made = chosen(await second);
  assert.equal(made, await ahead);
  assert.deepEqual(
    guesses.map(({ encoder, sound }) => [encoder, sound]),
    [["libx264 ultrafast", false]],
  );
  // A choice with reduced quality, as on a busy machine, is not saved.
  if (made.degraded !== null) return;
  const starts = ffmpeg.starts();
  await probe.choose(wish(ffmpeg.path), { onGuess: (guess) => guesses.push(guess) });
  assert.deepEqual([guesses.length, ffmpeg.starts()], [1, starts]);
});
