// Properties of the plans for any moments, any rules, and any order of arrival.
import assert from "node:assert/strict";
import fc from "fast-check";
import { test } from "vitest";
import { type ClipPlan, type Moment, subjectOf } from "./plan.ts";
import { ClipSchedule, type MomentPlacement, type MomentRule } from "./schedule.ts";

/** A thousand runs take a second. More than 10,000 find nothing else. */
const runs = Math.min(10_000, Number(process.env.KIT_PROPERTY_RUNS ?? 1_000));
const games = ["saga", "other", null] as const;
const subjects = ["highlight", "error"] as const;

const rule: fc.Arbitrary<MomentRule> = fc
  .record({
    action: fc.constantFrom("clip", "clip", "clip", "screenshot", "marker"),
    preMs: fc.nat(30_000),
    postMs: fc.nat(15_000),
    mergeGapMs: fc.nat(20_000),
    longestMs: fc.integer({ min: 5_000, max: 90_000 }),
    cooldownMs: fc.constantFrom(0, 0, 4_000, 20_000),
    priority: fc.nat(1_000),
    waitMs: fc.constantFrom(0, 12_000),
  })
  .map(
    (drawn) => ({ ...drawn, longestMs: Math.max(drawn.longestMs, drawn.preMs + drawn.postMs, 1_000) }) as MomentRule,
  );

type Arrival = {
  readonly moment: Moment;
  readonly game: string | null;
  readonly rule: MomentRule;
  /** The delay from its own time to its arrival. */
  readonly lateMs: number;
};

function momentOf(index: number, atMs: number, id: number, isError: boolean): Moment {
  const kind = isError ? "monitor" : "recording";
  return {
    event: `event-${index}`,
    seq: index,
    kind,
    eventId: isError ? null : `saga_${id}`,
    label: `${id}`,
    priority: id,
    atMs,
  };
}

const arrivals = (of: fc.Arbitrary<MomentRule>): fc.Arbitrary<Arrival[]> =>
  fc
    .array(
      fc.record({
        atMs: fc.nat(400_000),
        lateMs: fc.oneof(fc.nat(300), fc.nat(10_000)),
        game: fc.constantFrom(...games),
        id: fc.nat(3),
        isError: fc.boolean(),
        rule: of,
      }),
      { maxLength: 40 },
    )
    .map((drawn) =>
      drawn.map(({ atMs, id, isError, game, lateMs, rule }, index) => ({
        moment: momentOf(index, atMs, id, isError),
        game,
        rule,
        lateMs,
      })),
    );

type Made = {
  readonly plans: ReadonlyMap<string, ClipPlan>;
  readonly placed: readonly (MomentPlacement & { readonly of: Arrival })[];
  readonly longestOf: Map<string, number>;
};

/** Places all moments when they arrive, with the clock advancing as in a launcher. */
function made(all: readonly Arrival[]): Made {
  const schedule = new ClipSchedule();
  const plans = new Map<string, ClipPlan>();
  const longestOf = new Map<string, number>();
  const placed: (MomentPlacement & { of: Arrival })[] = [];
  for (const of of all.toSorted((a, b) => a.moment.atMs + a.lateMs - b.moment.atMs - b.lateMs)) {
    const { moment, game, rule, lateMs } = of;
    const nowMs = moment.atMs + lateMs;
    for (let due = schedule.nextDueMs(nowMs); due !== undefined && due <= nowMs; due = schedule.nextDueMs(nowMs))
      schedule.takeDue(due);
    const result = schedule.place(moment, game, rule, nowMs);
    assert.deepEqual(schedule.place(moment, game, rule, nowMs), result, "placing an event again changes nothing");
    if (result.outcome === "opened") longestOf.set(result.plan.id, rule.longestMs);
    plans.set(result.plan.id, result.plan);
    for (const left of result.tookFrom ?? []) {
      if (left.moments.length === 0) plans.delete(left.id);
      else plans.set(left.id, left);
    }
    placed.push({ ...result, of });
  }
  return { plans, placed, longestOf };
}

const check = (of: fc.Arbitrary<Arrival[]>, holds: (all: Arrival[]) => void) =>
  fc.assert(fc.property(of, holds), { numRuns: runs });
const clipsOf = ({ plans }: Made) => [...plans.values()].filter(({ kind }) => kind === "clip");

test("no second of a game is in two highlights, nor in two clips of errors", () => {
  check(arrivals(rule), (all) => {
    const clips = clipsOf(made(all));
    for (const [game, subject] of games.flatMap((game) => subjects.map((subject) => [game, subject] as const))) {
      const isOf = (plan: ClipPlan) => plan.game === game && subjectOf(plan) === subject;
      const line = clips.filter(isOf).toSorted((a, b) => a.fromMs - b.fromMs);
      for (const [index, plan] of line.entries()) {
        const before = line[index - 1];
        assert.ok(before === undefined || before.toMs <= plan.fromMs, `${before?.toMs} > ${plan.fromMs}`);
      }
    }
  });
});

test("errors change no highlight", () => {
  const highlightsOf = (all: Arrival[]) =>
    clipsOf(made(all))
      .filter((plan) => subjectOf(plan) === "highlight")
      .map(({ fromMs, toMs, title, priority }) => ({ fromMs, toMs, title, priority }))
      .toSorted((a, b) => a.fromMs - b.fromMs);
  check(arrivals(rule), (all) => {
    const withoutErrors = all.filter(({ moment }) => moment.kind !== "monitor");
    assert.deepEqual(highlightsOf(all), highlightsOf(withoutErrors));
  });
});

test("every moment is in exactly one plan, whose range contains its time", () => {
  check(arrivals(rule), (all) => {
    const plans = [...made(all).plans.values()];
    const held = plans.flatMap(({ moments }) => moments.map(({ event }) => event));
    assert.deepEqual(held.toSorted(), all.map(({ moment }) => moment.event).toSorted());
    for (const { kind, fromMs, toMs, moments } of plans) {
      if (kind === "clip") assert.ok(moments.every(({ atMs }) => fromMs <= atMs && atMs <= toMs));
      assert.deepEqual(
        moments,
        moments.toSorted((a, b) => a.atMs - b.atMs),
      );
    }
  });
});

test("no clip is longer than its first rule allows, and none is empty", () => {
  check(arrivals(rule), (all) => {
    const result = made(all);
    for (const plan of clipsOf(result)) {
      const lengthMs = plan.toMs - plan.fromMs;
      assert.ok(lengthMs > 0 && lengthMs <= (result.longestOf.get(plan.id) ?? 0), `${lengthMs} ms`);
    }
  });
});

test("the placement of a clip shorter than its rule says so", () => {
  check(arrivals(rule), (all) => {
    for (const { outcome: as, plan, notes = [], of } of made(all).placed) {
      if (as !== "opened" || plan.kind !== "clip") continue;
      const { atMs } = of.moment;
      const isShort = atMs - plan.fromMs < of.rule.preMs || plan.toMs - atMs < of.rule.postMs;
      assert.equal(notes.length > 0, isShort, JSON.stringify(plan));
    }
  });
});

test("while no clip reaches its maximum length, every requested second is in a clip, in any order of arrival", () => {
  const same = {
    action: "clip",
    preMs: 12_000,
    postMs: 5_000,
    mergeGapMs: 8_000,
    longestMs: 10_000_000,
    cooldownMs: 0,
    priority: 1,
  } as const;
  check(arrivals(fc.constant(same)), (all) => {
    const shuffled = all
      .filter(({ game, moment }) => game === "saga" && moment.kind !== "monitor")
      .map((arrival) => ({ ...arrival, lateMs: 500_000 - arrival.moment.atMs + arrival.lateMs }));
    const schedule = new ClipSchedule();
    const inAnyOrder = shuffled.toSorted((a, b) => a.lateMs - b.lateMs);
    for (const { moment, game, rule } of inAnyOrder) schedule.place(moment, game, rule, 0);
    const clips = schedule.openPlans().toSorted((a, b) => a.fromMs - b.fromMs);
    for (const { moment } of inAnyOrder) {
      let coveredToMs = moment.atMs - same.preMs;
      for (const { fromMs, toMs } of clips) if (fromMs <= coveredToMs) coveredToMs = Math.max(coveredToMs, toMs);
      assert.ok(coveredToMs >= moment.atMs + same.postMs, `${moment.atMs} in ${JSON.stringify(clips)}`);
    }
  });
});
