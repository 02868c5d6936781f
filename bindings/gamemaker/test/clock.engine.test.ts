// Tests of milliseconds from a clock of whole seconds: how exact they are, that they never run backwards, and a set clock.
import assert from "node:assert/strict";
import fc from "fast-check";
import { test } from "vitest";
import { skipWithout } from "../../../tools/engines/locate.ts";
import type { StartGame } from "./game.ts";
import { record, sdkGame } from "./recorded.ts";
import type { Cut } from "./runtime/clocks.ts";

const skip = skipWithout("GML parser");
const startUs = Date.UTC(2026, 11, 31, 23, 59, 50) * 1000;

/** A wall clock that can be set and corrected, and a timer that is independent of it. Both count microseconds. */
function simulate(start: StartGame, cut: Cut = "truncate") {
  let wallUs = startUs;
  let timerUs = 1_000;
  const clock = { wallMs: () => wallUs / 1000, timerUs: () => Math.floor(timerUs), cut };
  const { game } = record(start, { clock });
  return {
    stamp: () => game.functions.__kit_timestamp?.() as string,
    wallMs: () => wallUs / 1000,
    pass(us: number, correction = 0) {
      timerUs += us;
      wallUs += us * (1 + correction);
    },
    set(us: number) {
      wallUs += us;
    },
  };
}

const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const secondOf = (ms: number) => Math.floor(ms / 1000);
const pause = fc.oneof(fc.integer({ min: 0, max: 50_000 }), fc.integer({ min: 0, max: 5_000_000 }));
const numRuns = Math.min(20_000, Number(process.env.KIT_PROPERTY_RUNS ?? 500));

test("a timestamp is late by at most the smallest observed millisecond of a second, plus the drift since then", {
  skip,
}, async () => {
  const start = await sdkGame();
  fc.assert(
    fc.property(fc.array(pause, { minLength: 1, maxLength: 60 }), (pauses) => {
      const time = simulate(start);
      const reads: { atMs: number; intoMs: number }[] = [];
      for (const us of pauses) {
        time.pass(us);
        const atMs = time.wallMs();
        reads.push({ atMs, intoMs: atMs % 1000 });
        const boundMs = Math.min(...reads.map((read) => read.intoMs + (atMs - read.atMs) * 0.0005));
        const lateMs = atMs - Date.parse(time.stamp());
        // 1 ms: the timestamp is cut to whole milliseconds. 0.01 ms: rounding errors.
        assert.ok(lateMs > -0.01 && lateMs < boundMs + 1.01, `late by ${lateMs} ms, at most ${boundMs} ms`);
      }
    }),
    { numRuns },
  );
});

for (const cut of ["truncate", "round"] as const) {
  test(`no timestamp is a second early or before the previous one, on an engine whose dates ${cut}`, {
    skip,
  }, async () => {
    const time = simulate(await sdkGame(), cut);
    let last = "";
    let early = 0;
    let backwards = 0;
    for (let call = 0; call < 3000; call += 1) {
      time.pass(700_001);
      const stamp = time.stamp();
      if (time.wallMs() - Date.parse(stamp) >= 1000) early += 1;
      if (stamp < last) backwards += 1;
      last = stamp;
    }
    assert.deepEqual({ early, backwards }, { early: 0, backwards: 0 });
  });

  test(`every second of any day is written correctly, on an engine whose dates ${cut}`, { skip }, async () => {
    const start = await sdkGame();
    const century = { min: Date.UTC(2000, 0, 1) / 1000, max: Date.UTC(2099, 11, 31) / 1000 };
    fc.assert(
      fc.property(fc.integer(century), (second) => {
        const clock = { wallMs: () => second * 1000, timerUs: () => 0, cut };
        const { game } = record(start, { clock });
        assert.equal(game.functions.__kit_timestamp?.(), new Date(second * 1000).toISOString());
      }),
      { numRuns },
    );
  });
}

test("timestamps never overtake a corrected clock, and never run backwards", { skip }, async () => {
  const start = await sdkGame();
  const look = fc.tuple(pause, fc.double({ min: -0.00049, max: 0.00049, noNaN: true }));
  fc.assert(
    fc.property(fc.array(look, { minLength: 1, maxLength: 60 }), (looks) => {
      const time = simulate(start);
      let last = "";
      for (const [us, correction] of looks) {
        time.pass(us, correction);
        const stamp = time.stamp();
        assert.match(stamp, form);
        assert.ok(stamp >= last, `${stamp} after ${last}`);
        assert.ok(Date.parse(stamp) <= time.wallMs() + 0.01);
        assert.equal(secondOf(Date.parse(stamp)), secondOf(time.wallMs()));
        last = stamp;
      }
    }),
    { numRuns },
  );
});

test("timestamps do not overtake a clock that is slowed down for ten minutes", { skip }, async () => {
  const time = simulate(await sdkGame());
  time.stamp();
  for (let second = 0; second < 600; second += 1) {
    time.pass(1_000_000, -0.00049);
    assert.ok(Date.parse(time.stamp()) <= time.wallMs() + 0.01);
  }
});

test("timestamps follow a set clock to the second at once, and run backwards only if the clock did", {
  skip,
}, async () => {
  const start = await sdkGame();
  const hour = 3_600_000_000;
  const change = fc.oneof(
    fc.constant(0),
    fc.integer({ min: -2_000_000, max: 2_000_000 }),
    fc.integer({ min: -hour, max: hour }),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(pause, change), { minLength: 1, maxLength: 60 }), (looks) => {
      const time = simulate(start);
      let last = { stamp: "", second: 0 };
      for (const [us, set] of looks) {
        time.pass(us);
        time.set(set);
        const stamp = time.stamp();
        const second = secondOf(time.wallMs());
        assert.equal(secondOf(Date.parse(stamp)), second);
        if (second >= last.second) assert.ok(stamp >= last.stamp, `${stamp} after ${last.stamp}`);
        last = { stamp, second };
      }
    }),
    { numRuns },
  );
});

test("timestamps become exact again after the clock was set", { skip }, async () => {
  const time = simulate(await sdkGame());
  const playFrames = (count: number) => {
    for (let frame = 0; frame < count; frame += 1) {
      time.pass(16_667);
      time.stamp();
    }
  };
  playFrames(120);
  time.set(-3_600_400_000);
  playFrames(120);
  const lateMs = time.wallMs() - Date.parse(time.stamp());
  assert.ok(lateMs >= 0 && lateMs < 19, `late by ${lateMs} ms`);
});

test("timestamps are in UTC, whatever the time zone of the machine and of the game", { skip }, async (t) => {
  const before = process.env.TZ;
  t.onTestFinished(() => {
    if (before === undefined) Reflect.deleteProperty(process.env, "TZ");
    else process.env.TZ = before;
  });
  process.env.TZ = "Asia/Kolkata";
  const clock = { wallMs: () => Date.UTC(2027, 0, 1, 0, 0, 5), timerUs: () => 0 };
  const { game } = record(await sdkGame(), { clock });
  for (const zone of [0, 1]) {
    game.zone.current = zone;
    assert.equal(game.functions.__kit_timestamp?.(), "2027-01-01T00:00:05.000Z");
  }
});
