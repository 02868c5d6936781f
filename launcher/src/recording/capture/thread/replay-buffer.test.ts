// Tests of the replay buffer: it keeps the newest whole groups of pictures within its limits, even if the clock is set.
import assert from "node:assert/strict";
import fc from "fast-check";
import { test } from "vitest";
import type { Fragment, InitSegment, Sample } from "../../mp4/fragment.ts";
import { ReplayBuffer } from "./replay-buffer.ts";
import type { BufferLimits } from "./thread-client.ts";

const track = {
  id: 1,
  name: "",
  timescale: 1000,
  sampleDescription: new Uint8Array(),
  defaults: { durationTicks: 0, bytes: 0, flags: 0 },
};

function encoder(): InitSegment {
  return { video: track, sounds: [], width: 1, height: 1 };
}

function fragment(
  init: InitSegment,
  startMs: number,
  { key = true, bytes = 100, lengthMs = 1000, pictures = true } = {},
): Fragment {
  const sample: Sample = {
    decodeTicks: startMs,
    presentTicks: startMs,
    durationTicks: lengthMs,
    sync: key,
    at: 0,
    bytes,
  };
  const media = new Uint8Array(0);
  return {
    init,
    startMs,
    endMs: startMs + lengthMs,
    startsWithKeyframe: key,
    bytes,
    media,
    video: pictures ? [sample] : [],
    sounds: [],
  };
}

function buffer({ secondsMax = 10, bytesMax = 1_000_000 } = {}) {
  const clock = { ms: 0 };
  const made = new ReplayBuffer({ secondsMax, bytesMax }, () => clock.ms);
  const starts = () => made.select(-Infinity, Infinity).map(({ startMs }) => startMs);
  return {
    clock,
    starts,
    add: (fragment: Fragment) => made.add(fragment),
    endMs: () => made.endMs(),
    amount: () => made.amount(),
    select: (fromMs: number, toMs: number) => made.select(fromMs, toMs),
    hold: (id: string, fromMs: number) => made.hold(id, fromMs),
    release: (id: string) => made.release(id),
    resize: (limits: BufferLimits) => made.resize(limits),
    forget: () => made.forget(),
  };
}

test("the last seconds are kept, in whole groups of pictures", () => {
  const { add, starts, clock, endMs, amount } = buffer({ secondsMax: 3 });
  const run = encoder();
  assert.equal(endMs(), null);
  for (let second = 0; second < 8; second++) {
    clock.ms = 1000 * second;
    add(fragment(run, 1000 * second, { lengthMs: 500 }));
    clock.ms += 500;
    add(fragment(run, 1000 * second + 500, { lengthMs: 500, key: false }));
  }
  assert.deepEqual(starts(), [4000, 4500, 5000, 5500, 6000, 6500, 7000, 7500]);
  assert.equal(endMs(), 8000);
  assert.deepEqual(amount(), { seconds: 4, bytes: 800 });
});

test("a range is covered by whole groups from all runs of the encoder", () => {
  const { add, select } = buffer();
  const first = encoder();
  const second = encoder();
  for (const at of [0, 1000, 2000]) add(fragment(first, at));
  for (const at of [4000, 5000, 6000]) {
    add(fragment(second, at, { lengthMs: 600 }));
    add(fragment(second, at + 600, { lengthMs: 400, key: false }));
  }
  assert.deepEqual(
    select(2700, 4200).map(({ startMs }) => startMs),
    [2000, 4000, 4600],
  );
  assert.deepEqual(select(8000, 9000), []);
});

test("the limit in bytes comes before the limit in seconds, and is never exceeded", () => {
  const { add, starts, amount } = buffer({ bytesMax: 350 });
  const run = encoder();
  for (let second = 0; second < 6; second++) {
    add(fragment(run, 1000 * second));
    assert.ok(amount().bytes <= 350);
  }
  assert.deepEqual(starts(), [3000, 4000, 5000]);
});

test("a group that exceeds the limit alone is dropped, together with the rest of it", () => {
  const { add, starts, amount } = buffer({ bytesMax: 350 });
  const run = encoder();
  add(fragment(run, 0));
  for (let i = 1; i < 8; i++) add(fragment(run, 1000 * i, { key: false }));
  assert.deepEqual(amount(), { seconds: 0, bytes: 0 });
  add(fragment(run, 9000));
  assert.deepEqual(starts(), [9000]);
});

test("setting the wall clock does not empty the buffer", () => {
  const { add, starts, clock } = buffer({ secondsMax: 4 });
  const run = encoder();
  const hour = 3_600_000;
  for (const [arrivedMs, startMs] of [
    [0, 0],
    [1000, 1000],
    [2000, 2000 + hour],
    [3000, 3000 + hour],
    [3500, 3500],
  ] as const) {
    clock.ms = arrivedMs;
    add(fragment(run, startMs));
  }
  assert.deepEqual(starts(), [0, 1000, 2000 + hour, 3000 + hour, 3500]);
});

test("held footage is kept beyond the seconds until it is released", () => {
  const { add, starts, clock, hold, release } = buffer({ secondsMax: 2 });
  const run = encoder();
  const second = (i: number) => {
    clock.ms = 1000 * i;
    add(fragment(run, 1000 * i));
  };
  for (const i of [0, 1, 2]) second(i);
  hold("a", 1500);
  hold("b", 2500);
  for (const i of [3, 4, 5, 6]) second(i);
  assert.deepEqual(starts(), [1000, 2000, 3000, 4000, 5000, 6000]);
  release("a");
  assert.deepEqual(starts(), [2000, 3000, 4000, 5000, 6000]);
  release("b");
  release("never held");
  assert.deepEqual(starts(), [4000, 5000, 6000]);
});

test("footage that is forgotten while it is held is kept for its clip, apart from what comes", () => {
  const { add, hold, forget, select } = buffer();
  for (const at of [0, 1000, 2000]) add(fragment(encoder(), at));
  hold("a", 1500);
  forget();
  add(fragment(encoder(), 3000));
  assert.deepEqual(
    select(0, 4000).map(({ startMs, subject }) => [startMs, subject]),
    [
      [1000, 0],
      [2000, 0],
      [3000, 1],
    ],
  );
});

test("held footage is also limited in bytes: the oldest is dropped first", () => {
  const { add, starts, hold, amount } = buffer({ bytesMax: 350 });
  const run = encoder();
  add(fragment(run, 0));
  hold("a", 1000);
  for (const i of [1, 2, 3]) add(fragment(run, 1000 * i));
  assert.deepEqual(starts(), [1000, 2000, 3000]);
  for (const i of [4, 5]) add(fragment(run, 1000 * i));
  assert.deepEqual([starts(), amount().bytes], [[3000, 4000, 5000], 300]);
});

test("a smaller buffer drops the excess at once, but not what is held", () => {
  const { add, starts, hold, resize, clock } = buffer({ secondsMax: 10 });
  const run = encoder();
  for (let second = 0; second < 6; second++) {
    clock.ms = 1000 * second;
    add(fragment(run, 1000 * second));
  }
  hold("a", 4000);
  resize({ secondsMax: 0, bytesMax: 1_000_000 });
  assert.deepEqual(starts(), [4000, 5000]);
});

test("a fragment is dropped if the start of its group is missing", () => {
  const { add, starts, endMs } = buffer();
  const first = encoder();
  const second = encoder();
  add(fragment(first, 0, { key: false }));
  assert.deepEqual(starts(), []);
  add(fragment(first, 1000));
  add(fragment(first, 2000, { key: false, pictures: false }));
  add(fragment(second, 3000, { key: false }));
  assert.deepEqual(starts(), [1000, 2000]);
  assert.equal(endMs(), 4000);
});

test("with random input, bytes stay limited and correctly counted, and every group is whole", () => {
  const arrival = fc.record({
    key: fc.boolean(),
    bytes: fc.integer({ min: 1, max: 500 }),
    stepMs: fc.integer({ min: -5000, max: 5000 }),
    afterMs: fc.nat(3000),
    act: fc.constantFrom("none", "hold", "release", "restart"),
  });
  fc.assert(
    fc.property(fc.array(arrival, { maxLength: 80 }), (arrivals) => {
      const { add, hold, release, select, amount, clock } = buffer({ secondsMax: 5, bytesMax: 1500 });
      let run = encoder();
      let startMs = 0;
      for (const { key, bytes, stepMs, afterMs, act } of arrivals) {
        clock.ms += afterMs;
        startMs += stepMs;
        if (act === "hold") hold("x", startMs);
        if (act === "release") release("x");
        if (act === "restart") run = encoder();
        add(fragment(run, startMs, { key, bytes }));
        const all = select(-Infinity, Infinity);
        const sum = all.reduce((total, { bytes }) => total + bytes, 0);
        assert.ok(sum <= 1500);
        assert.equal(amount().bytes, sum);
        for (const [i, one] of all.entries())
          assert.ok(one.startsWithKeyframe || (i > 0 && all[i - 1]?.init === one.init));
      }
    }),
  );
});
