// Tests of encode plans: sizes and bit rates are calculated from numbers alone, and stay within the limits.
import assert from "node:assert/strict";
import { test } from "vitest";
import { CannotFit, planEncoding, type SourceFacts, selectRange, sizeWithinLimits } from "./encode.ts";

const source: SourceFacts = { width: 1920, height: 1080, seconds: 60, bytes: 60e6, frameRate: 30, hasSound: true };
const all = (seconds: number) => ({ fromSeconds: 0, seconds });

test("picture, sound and container together use most of the limit and never exceed it", () => {
  for (const [bytesMax, seconds] of [
    [10 * 2 ** 20, 60],
    [1e6, 6],
    [50e6, 90],
  ] as const) {
    const plan = planEncoding({ ...source, seconds, bytes: 200e6 }, { bytesMax }, all(seconds));
    const bytes = ((plan.videoBits + plan.soundBits) * seconds) / 8;
    assert.ok(bytes < bytesMax * 0.97 && bytes > bytesMax * 0.8, `${bytes} of ${bytesMax}`);
  }
});

test("with fewer bits the frame rate of a fast clip is reduced first, then the picture size", () => {
  const sizeFor = (bytesMax: number, frameRate = 30) => {
    const { height, frameRate: set } = planEncoding({ ...source, frameRate }, { bytesMax }, all(60));
    return [height, set];
  };
  assert.deepEqual(sizeFor(40e6), [1080, null]);
  assert.deepEqual(sizeFor(30e6, 60), [1080, 30]);
  assert.deepEqual(sizeFor(10e6), [720, null]);
  assert.deepEqual(sizeFor(6e6), [480, null]);
  assert.deepEqual(sizeFor(2e6), [360, null]);
});

test("a clip with a low bit rate gets no higher one, and a clip without sound gets no bits for sound", () => {
  const plan = planEncoding({ ...source, bytes: 6e6, hasSound: false }, { bytesMax: 1e9, widthMax: 1280 }, all(60));
  assert.deepEqual([plan.width, plan.height, plan.videoBits, plan.soundBits], [1280, 720, 800_000, 0]);
});

test("an upright picture keeps its proportions, and both sides are even", () => {
  assert.deepEqual(sizeWithinLimits({ width: 1080, height: 1920 }, { bytesMax: 1, heightMax: 1281 }), {
    width: 720,
    height: 1280,
  });
  const plan = planEncoding({ ...source, width: 607, height: 1081 }, { bytesMax: 3e6 }, all(60));
  assert.ok(plan.width % 2 === 0 && plan.height % 2 === 0 && plan.width < plan.height);
});

test("if even the smallest picture does not fit, the error says how many bytes it would need", () => {
  assert.throws(
    () => planEncoding(source, { bytesMax: 100_000 }, all(60)),
    (error) =>
      error instanceof CannotFit && /^60\.0 s of video do not fit into 100 kB: they need \d+ kB/.test(error.message),
  );
});

test("a clip that is too long is cut to the last part with most moments, or to its end if it has no moments", () => {
  assert.deepEqual(selectRange(20, undefined, []), { fromSeconds: 0, seconds: 20, isAroundMoment: false });
  assert.deepEqual(selectRange(20, 20, [3]), { fromSeconds: 0, seconds: 20, isAroundMoment: false });
  const near = (moments: number[]) => {
    const { fromSeconds, seconds, isAroundMoment } = selectRange(60, 10.1, moments);
    return [Math.round(fromSeconds), Math.round(seconds), isAroundMoment];
  };
  assert.deepEqual(near([]), [50, 10, false]);
  assert.deepEqual(near([12]), [5, 10, true]);
  assert.deepEqual(near([1]), [0, 10, true]);
  assert.deepEqual(near([59]), [50, 10, true]);
  assert.deepEqual(near([12, 40]), [33, 10, true]);
  assert.deepEqual(near([20, 22, 50]), [15, 10, true]);
});
