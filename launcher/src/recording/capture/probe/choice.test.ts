// Tests of quality levels: how quality is reduced on a slow machine, and in which order.
import assert from "node:assert/strict";
import { test } from "vitest";
import { type CaptureChoice, createChoice, reduceQuality } from "./choice.ts";
import type { CaptureSpec } from "./commands.ts";

const order: CaptureSpec = {
  input: { kind: "x11-screen", display: ":0", x: 0, y: 0 },
  inputSize: { width: 2560, height: 1440 },
  heightMax: 1080,
  frameRate: 60,
  quality: "standard",
  sound: { kind: "pulse", device: "@DEFAULT_MONITOR@" },
  encoder: { name: "libx264", preset: "superfast", device: null },
  hasFpsMode: true,
};
const chosen = (changed: Partial<CaptureSpec> = {}, size = { width: 1920, height: 1080 }): CaptureChoice =>
  createChoice({ ...order, ...changed }, size, { source: "screen :0", warnings: [], tried: [], degraded: null });

function ladder(choice: CaptureChoice): CaptureChoice[] {
  const steps: CaptureChoice[] = [];
  for (let at = reduceQuality(choice, 0); at !== undefined; at = reduceQuality(choice, steps.length)) steps.push(at);
  return steps;
}

test("the preset, then the size, then the frame rate is reduced, cumulatively", () => {
  const seen = ladder(chosen()).map((at) => [at.encoder, at.height, at.frameRate, at.degraded]);
  assert.deepEqual(seen, [
    ["libx264 superfast", 1080, 60, null],
    ["libx264 ultrafast", 1080, 60, "the quickest encoding"],
    ["libx264 ultrafast", 720, 60, "the quickest encoding, 720 lines"],
    ["libx264 ultrafast", 720, 30, "the quickest encoding, 720 lines, 30 frames a second"],
    ["libx264 ultrafast", 720, 20, "the quickest encoding, 720 lines, 20 frames a second"],
    ["libx264 ultrafast", 720, 15, "the quickest encoding, 720 lines, 15 frames a second"],
  ]);
});

test("the command of each step differs and matches its description", () => {
  const steps = ladder(chosen());
  assert.equal(new Set(steps.map(({ args }) => args.join(" "))).size, steps.length);
  const last = steps.at(-1)?.args.join(" ") ?? "";
  assert.match(last, / -framerate 15 .* -vf scale=1280:720:.* -preset ultrafast /);
  assert.ok(steps.every(({ sound, source, constantRate: steady }) => sound && steady && source === "screen :0"));
});

test("settings that are already low are not reduced again", () => {
  const small = chosen(
    { heightMax: 480, frameRate: 15, encoder: { ...order.encoder, preset: "ultrafast" } },
    { width: 854, height: 480 },
  );
  assert.equal(reduceQuality(small, 1), undefined);
  const hardware = chosen({ encoder: { ...order.encoder, name: "h264_nvenc" } });
  assert.equal(reduceQuality(hardware, 1)?.degraded, "720 lines");
});

test("earlier reductions stay in the description", () => {
  const less = reduceQuality(chosen(), 1);
  assert.ok(less);
  assert.equal(reduceQuality(less, 1)?.degraded, "the quickest encoding, 720 lines");
});

test("if only the stream determines the size, the reduced size follows from it", () => {
  const source = { kind: "ddagrab" } as const;
  const less = reduceQuality(
    chosen({ input: source, inputSize: null, heightMax: 0, frameRate: 30 }, { width: 3440, height: 1440 }),
    2,
  );
  assert.deepEqual([less?.width, less?.height], [1720, 720]);
});
