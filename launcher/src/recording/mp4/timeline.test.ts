// Tests of the timeline: the pictures of a range and their positions in the file, for any footage.
import assert from "node:assert/strict";
import fc from "fast-check";
import { test } from "vitest";
import { cutVideo, type MediaSample, type VideoCut } from "./timeline.ts";

const timescale = 90_000;
const media = new Uint8Array(1);

/** Pictures with these durations, every `keyEvery`th a keyframe, in the order shown. */
function run(distances: readonly number[], keyEvery: number, startTicks: number): MediaSample[] {
  let presentTicks = startTicks;
  return distances.map((durationTicks, i) => {
    const sample = {
      decodeTicks: presentTicks,
      presentTicks,
      durationTicks,
      sync: i % keyEvery === 0,
      at: i,
      bytes: 1,
      media,
    };
    presentTicks += durationTicks;
    return sample;
  });
}

/** Reorders pictures like an encoder with two between references: each third is decoded first, all two durations early. */
function reordered(samples: readonly MediaSample[]): MediaSample[] {
  const order = samples.map((_, i) => i);
  for (let i = 1; i + 2 < order.length; i += 3) {
    if (samples.slice(i, i + 3).some(({ sync }) => sync)) continue;
    order.splice(i, 3, i + 2, i, i + 1);
  }
  return order.map((from, i) => ({
    ...(samples[from] as MediaSample),
    decodeTicks: (samples[i] as MediaSample).decodeTicks - 6000,
  }));
}

/** The pictures that a player shows if it follows the edit list, by position in the source, with their times. */
function shown({ timeline, fromTicks, toTicks }: VideoCut): { at: number; ticks: number }[] {
  return timeline.samples
    .map(({ at, presentTicks }) => ({ at, ticks: presentTicks - timeline.zeroTicks + fromTicks }))
    .filter(({ ticks }) => ticks >= fromTicks && ticks < toTicks)
    .sort((a, b) => a.ticks - b.ticks);
}

const footage = fc.record({
  distances: fc.array(fc.integer({ min: 700, max: 7000 }), { minLength: 20, maxLength: 120 }),
  keyEvery: fc.integer({ min: 1, max: 40 }),
  mixed: fc.boolean(),
});

test("adjacent ranges share no picture and lose none, for any durations", () => {
  fc.assert(
    fc.property(
      footage,
      fc.array(fc.integer({ min: 10_000, max: 60_000 }), { minLength: 1, maxLength: 6 }),
      ({ distances, keyEvery, mixed }, lengths) => {
        const samples = run(distances, keyEvery, 1000);
        const source = mixed ? reordered(samples) : samples;
        let from = 1000;
        const end = 1000 + distances.reduce((sum, distance) => sum + distance, 0);
        const all = lengths.flatMap((length) => {
          if (from + length > end) return [];
          const cut = cutVideo([source], timescale, from, from + length);
          from += length;
          return cut === null ? [] : shown(cut).map(({ at }) => at);
        });
        assert.deepEqual(
          all,
          samples.filter(({ presentTicks }) => presentTicks < from).map(({ at }) => at),
        );
      },
    ),
  );
});

test("every picture is shown at its time, the first at the start of the range, and all can be decoded in order", () => {
  fc.assert(
    fc.property(
      footage,
      fc.nat(100_000),
      fc.integer({ min: 10_000, max: 200_000 }),
      ({ distances, keyEvery, mixed }, begin, length) => {
        const samples = run(distances, keyEvery, 1000);
        const cut = cutVideo([mixed ? reordered(samples) : samples], timescale, 1000 + begin, 1000 + begin + length);
        if (cut === null) return;
        const [first, ...others] = shown(cut);
        assert.equal(cut.shown, others.length + 1);
        assert.equal(first?.ticks, cut.fromTicks);
        assert.ok(cut.fromTicks >= 1000 + begin && cut.toTicks <= 1000 + begin + length);
        for (const { at, ticks } of others) assert.equal(ticks, samples[at]?.presentTicks);
        assert.equal(cut.timeline.samples[0]?.sync, true);
        const decoded = cut.timeline.samples.map(({ decodeTicks }) => decodeTicks);
        assert.ok(decoded.every((ticks, i) => i === 0 || ticks > (decoded[i - 1] as number)));
        assert.equal(new Set(cut.timeline.samples.map(({ presentTicks }) => presentTicks)).size, decoded.length);
      },
    ),
  );
});

test("pictures that are only decoded to reach the range take no time in a player that ignores the edit list", () => {
  const cut = cutVideo([run(Array(90).fill(3000), 60, 0)], timescale, 50 * 3000, 80 * 3000) as VideoCut;
  assert.equal(cut.timeline.zeroTicks, 50);
  const late = cutVideo([reordered(run(Array(90).fill(3000), 90, 0))], timescale, 50 * 3000, 80 * 3000) as VideoCut;
  assert.ok(late.timeline.zeroTicks < 100 + 6000, `hidden for ${late.timeline.zeroTicks} ticks`);
});

test("a picture with a long duration is the first of a range inside it, and of the next range", () => {
  const samples = run([3000, 90_000, 3000, 3000], 1, 0);
  const cut = cutVideo([samples], timescale, 30_000, 60_000) as VideoCut;
  assert.deepEqual(shown(cut), [{ at: 1, ticks: 30_000 }]);
  assert.deepEqual([cut.fromTicks, cut.toTicks, cut.gaps], [30_000, 60_000, []]);
});

test("a range that begins in a gap between two runs starts with the next picture", () => {
  const cut = cutVideo([run([3000, 3000], 2, 0), run([3000, 3000], 2, 90_000)], timescale, 50_000, 95_000) as VideoCut;
  assert.deepEqual([cut.fromTicks, cut.toTicks, cut.shown, cut.gaps], [90_000, 95_000, 2, []]);
  const before = cutVideo([run([3000, 3000], 2, 0), run([3000, 3000], 2, 90_000)], timescale, 3000, 50_000) as VideoCut;
  assert.deepEqual([before.fromTicks, before.toTicks, before.shown, before.gaps], [3000, 6000, 1, []]);
});

test("a picture of more than two seconds inside a run is a gap", () => {
  const cut = cutVideo([run([3000, 3000, 450_000, 3000], 1, 0)], timescale, 0, 300_000) as VideoCut;
  assert.deepEqual(cut.gaps, [{ fromTicks: 6000, toTicks: 300_000 }]);
});
