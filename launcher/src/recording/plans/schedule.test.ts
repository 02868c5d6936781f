// Tests of the schedule: moments become plans by their rules, close moments share a clip, and a clip is cut at its end.

import assert from "node:assert/strict";
import { textOf } from "@kit/contract";
import { test } from "vitest";
import type { Moment } from "./plan.ts";
import { ClipSchedule, type MomentPlacement, type MomentRule } from "./schedule.ts";

const second = 1_000;
const rule: MomentRule = {
  action: "clip",
  preMs: 12 * second,
  postMs: 5 * second,
  mergeGapMs: 8 * second,
  longestMs: 120 * second,
  cooldownMs: 10 * second,
  priority: 500,
};
const noCooldown = { ...rule, cooldownMs: 0 };
const errorRule: MomentRule = { ...noCooldown, preMs: 20_000, postMs: 3_000, waitMs: 12_000 };

let number = 0;
function moment(atSeconds: number, eventId: string | null = `saga_${number}`): Moment {
  number += 1;
  const kind = eventId === null ? "monitor" : "recording";
  return {
    event: `event-${number}`,
    seq: number,
    kind,
    eventId,
    label: eventId ?? "the door has no key",
    priority: 500,
    atMs: atSeconds * second,
  };
}

/** Places moments at these seconds, each when it happens. */
function placed(schedule: ClipSchedule, seconds: readonly number[], by: MomentRule = rule): MomentPlacement[] {
  return seconds.map((at) => schedule.place(moment(at), "saga", by, at * second));
}
const windowOf = ({ plan }: MomentPlacement) => [plan.fromMs / second, plan.toMs / second];
const idsOf = (plans: readonly { id: string }[]) => plans.map(({ id }) => id);

test("a moment makes a clip from its pre-roll to its post-roll", () => {
  const schedule = new ClipSchedule();
  const [first] = placed(schedule, [100]);
  assert.ok(first?.outcome === "opened" && first.plan.kind === "clip");
  assert.deepEqual(
    [windowOf(first), first.plan.notes.map(textOf), schedule.nextDueMs(100 * second)],
    [[88, 105], [], 105 * second],
  );
});

test("a clip is cut after its last second, and closed when no moment can join it any more", () => {
  const schedule = new ClipSchedule();
  const [first] = placed(schedule, [100]);
  assert.deepEqual(schedule.takeDue(104_999), { cut: [], closed: [] });
  const over = schedule.takeDue(105_000);
  assert.deepEqual([idsOf(over.cut), over.closed], [[first?.plan.id], []]);
  assert.equal(schedule.nextDueMs(105_000), 113_500);
  const end = schedule.takeDue(113_500);
  assert.deepEqual([end.cut, idsOf(end.closed)], [[], [first?.plan.id]]);
  assert.deepEqual([schedule.nextDueMs(113_500), schedule.openPlans()], [undefined, []]);
});

test("close moments share a clip, which is cut again if it grows after its cut", () => {
  const schedule = new ClipSchedule();
  const [first] = placed(schedule, [100]);
  schedule.takeDue(105_000);
  const [second] = placed(schedule, [112.9]);
  assert.ok(second?.outcome === "joined" && second.plan.id === first?.plan.id);
  assert.deepEqual([windowOf(second), second.plan.moments.length], [[88, 117.9], 2]);
  assert.deepEqual(idsOf(schedule.takeDue(117_900).cut), [first?.plan.id]);
});

test("a moment beyond the merge gap begins another clip at the end of the first", () => {
  const [first, second] = placed(new ClipSchedule(), [100, 113.1]);
  assert.ok(first && second?.outcome === "opened");
  assert.deepEqual(
    [windowOf(first), windowOf(second)],
    [
      [88, 105],
      [105, 118.1],
    ],
  );
  assert.deepEqual(second.notes?.map(textOf), ["8.1 of 12 s before: the rest is in the previous clip"]);
  assert.deepEqual(second.plan.notes, [], "nothing is lost, so nobody who watches the clip reads of it");
});

test("no clip exceeds its maximum length, and the next moment begins another clip at its end", () => {
  const [first, joined, next] = placed(new ClipSchedule(), [100, 110, 118], { ...noCooldown, longestMs: 30_000 });
  assert.ok(first && joined && next);
  assert.deepEqual([windowOf(joined), joined.outcome], [[88, 115], "joined"]);
  assert.deepEqual([windowOf(next), next.outcome], [[115, 123], "opened"]);
});

test("a moment in a clip of maximum length stays in it, and its placement names the missing seconds", () => {
  const [, joined] = placed(new ClipSchedule(), [100, 104], { ...noCooldown, longestMs: 18_000 });
  assert.ok(joined?.outcome === "joined");
  assert.deepEqual(
    [windowOf(joined), joined.notes?.map(textOf)],
    [[88, 106], ["2 of 5 s after: the clip has reached its maximum length"]],
  );
});

test("a late moment gets a clip between the others, as long as there is room, or joins its neighbour", () => {
  const schedule = new ClipSchedule();
  const [first, second] = placed(schedule, [100, 140], noCooldown);
  const [between] = placed(schedule, [118], noCooldown);
  assert.ok(first && second && between?.outcome === "opened");
  assert.deepEqual(
    [windowOf(between), windowOf(second)],
    [
      [106, 123],
      [128, 145],
    ],
  );
  const [before] = placed(schedule, [95], noCooldown);
  assert.ok(before?.outcome === "joined" && before.plan.id === first.plan.id);
  assert.deepEqual(windowOf(before), [83, 105]);
});

test("a moment within the merge gap that arrives half a second late still joins", () => {
  const schedule = new ClipSchedule();
  const first = schedule.place(moment(100), "saga", rule, 100_000);
  schedule.takeDue(105_000);
  schedule.takeDue(113_400);
  const late = schedule.place(moment(112.9), "saga", { ...rule, cooldownMs: 0 }, 113_400);
  assert.deepEqual([late.outcome, late.plan.id], ["joined", first.plan.id]);
});

test("a closed clip takes a late moment within its range, and does not grow", () => {
  const schedule = new ClipSchedule();
  const [first] = placed(schedule, [100]);
  schedule.takeDue(113_500);
  const [late] = placed(schedule, [103]);
  assert.ok(late?.outcome === "late" && late.plan.id === first?.plan.id);
  assert.deepEqual(late.notes?.map(textOf), ["2 of 5 s after: the event arrived after the clip was finished"]);
  assert.deepEqual(schedule.takeDue(200_000), { cut: [], closed: [] });
});

test("the same id within its cooldown is a chapter of the clip around it, and does not extend the clip", () => {
  const schedule = new ClipSchedule();
  const first = schedule.place(moment(100, "saga_boss"), "saga", rule, 100_000);
  const again = schedule.place(moment(104, "saga_boss"), "saga", rule, 104_000);
  assert.ok(again.outcome === "joined" && again.plan.id === first.plan.id);
  assert.deepEqual([windowOf(again), again.plan.moments.length], [[88, 105], 2]);
});

test("the same id within its cooldown but outside a clip is a marker with the reason, and repeats share it", () => {
  const schedule = new ClipSchedule();
  schedule.place(moment(100, "saga_boss"), "saga", rule, 100_000);
  const again = schedule.place(moment(107, "saga_boss"), "saga", rule, 107_000);
  assert.ok(again.outcome === "marked" && again.plan.kind === "marker");
  assert.match(textOf(again.reason ?? ""), /7 s apart, within its cooldown of 10 s/);
  const third = schedule.place(moment(108, "saga_boss"), "saga", rule, 108_000);
  assert.deepEqual([third.plan.id, third.plan.moments.length], [again.plan.id, 2]);
  assert.equal(
    schedule.place(moment(110, "saga_boss"), "saga", rule, 110_000).outcome,
    "joined",
    "the cooldown is over",
  );
});

test("an event that is dispatched twice is in one plan, once", () => {
  const schedule = new ClipSchedule();
  const boss = moment(100, "saga_boss");
  const first = schedule.place(boss, "saga", rule, 100_000);
  assert.deepEqual(schedule.place(boss, "saga", rule, 100_000), first);
  assert.equal(schedule.openPlans()[0]?.moments.length, 1);
});

test("each game has its own clips, and an error without a game joins the clip in progress", () => {
  const schedule = new ClipSchedule();
  const saga = schedule.place(moment(100), "saga", rule, 100_000);
  const other = schedule.place(moment(101), "other", rule, 101_000);
  assert.notEqual(saga.plan.id, other.plan.id);
  const error = schedule.place(moment(102, null), null, errorRule, 102_000);
  assert.deepEqual([error.outcome, error.plan.id, windowOf(error)], ["joined", saga.plan.id, [88, 105]]);
});

test("an error in the range of a highlight is a chapter that neither names nor lengthens it", () => {
  const schedule = new ClipSchedule();
  const boss = schedule.place(moment(100, "saga_boss"), "saga", rule, 100_000);
  const error = schedule.place(moment(104, null), "saga", { ...errorRule, priority: 900 }, 104_000);
  assert.deepEqual([error.outcome, error.plan.id, windowOf(error)], ["joined", boss.plan.id, [88, 105]]);
  assert.deepEqual([error.plan.title, error.plan.priority, error.plan.moments.length], ["saga_boss", 500, 2]);
});

test("an error right after a highlight gets a clip of its own, with all seconds of its rule", () => {
  const schedule = new ClipSchedule();
  const boss = schedule.place(moment(100, "saga_boss"), "saga", rule, 100_000);
  const error = schedule.place(moment(107, null), "saga", errorRule, 107_000);
  assert.deepEqual([error.outcome, windowOf(error)], ["opened", [87, 110]]);
  assert.deepEqual(
    schedule.openPlans().find(({ id }) => id === boss.plan.id),
    boss.plan,
  );
});

test("a highlight takes over the errors that it covers, and a clip without any error left is not made", () => {
  const schedule = new ClipSchedule();
  const error = schedule.place(moment(90, null), "saga", errorRule, 90_000);
  assert.deepEqual(schedule.takeDue(101_999), { cut: [], closed: [] }, "a highlight may still cover the error");
  const boss = schedule.place(moment(100, "saga_boss"), "saga", rule, 101_999);
  assert.deepEqual([boss.outcome, windowOf(boss), boss.plan.title], ["opened", [88, 105], "saga_boss"]);
  assert.deepEqual(
    boss.plan.moments.map(({ kind }) => kind),
    ["monitor", "recording"],
  );
  assert.deepEqual(
    boss.tookFrom?.map(({ id, moments }) => [id, moments]),
    [[error.plan.id, []]],
  );
  assert.deepEqual(idsOf(schedule.openPlans()), [boss.plan.id]);
});

test("a highlight is cut when its last second is over, whatever wait its rule and an error in it have", () => {
  const schedule = new ClipSchedule();
  schedule.place(moment(100), "saga", { ...noCooldown, waitMs: 12_000 }, 100_000);
  schedule.place(moment(104, null), "saga", errorRule, 104_000);
  assert.equal(schedule.nextDueMs(104_000), 105_000);
});

test("an error before the range of a highlight keeps its clip, which loses only the errors that the highlight covers", () => {
  const schedule = new ClipSchedule();
  schedule.place(moment(85, null), "saga", errorRule, 85_000);
  schedule.place(moment(91, null), "saga", errorRule, 91_000);
  const boss = schedule.place(moment(100, "saga_boss"), "saga", rule, 100_000);
  assert.deepEqual([windowOf(boss), boss.plan.moments.length], [[88, 105], 2]);
  assert.deepEqual(
    boss.tookFrom?.map(({ moments }) => moments.map(({ atMs }) => atMs)),
    [[85_000]],
  );
});

test("the clip of an error that was cut stays as it is when a highlight covers the error later", () => {
  const schedule = new ClipSchedule();
  const error = schedule.place(moment(90, null), "saga", errorRule, 90_000);
  assert.deepEqual(idsOf(schedule.takeDue(102_000).cut), [error.plan.id]);
  const boss = schedule.place(moment(101, "saga_boss"), "saga", rule, 102_500);
  assert.deepEqual([boss.tookFrom, boss.plan.moments.length], [undefined, 1]);
});

test("the moment of the highest priority names a clip, then a trigger for recording, then the earliest", () => {
  const schedule = new ClipSchedule();
  const place = (at: number, eventId: string, priority: number, kind: "recording" | "social" = "recording") =>
    schedule.place({ ...moment(at, eventId), priority, kind }, "saga", { ...noCooldown, priority }, at * second).plan;
  assert.deepEqual(place(100, "told", 500, "social").title, "told");
  assert.deepEqual(place(101, "jewel", 500).title, "jewel");
  assert.deepEqual(place(102, "door", 500).title, "jewel");
  assert.deepEqual(
    [place(103, "boss", 900)].map(({ title, priority }) => [title, priority]),
    [["boss", 900]],
  );
  assert.deepEqual(
    [place(104, "step", 100)].map(({ title, priority }) => [title, priority]),
    [["boss", 900]],
  );
});

test("an error without a clip in progress makes its own clip, and later triggers do not join it", () => {
  const schedule = new ClipSchedule();
  const error = schedule.place(moment(100, null), null, errorRule, 100_000);
  assert.deepEqual([error.outcome, windowOf(error), error.plan.game], ["opened", [80, 103], null]);
  assert.equal(schedule.place(moment(101), "saga", rule, 101_000).outcome, "opened");
});

test("a rule for a screenshot or a marker makes one, without a length", () => {
  const schedule = new ClipSchedule();
  const picture = schedule.place(moment(100), "saga", { ...rule, action: "screenshot" }, 100_000);
  const marker = schedule.place(moment(100), "saga", { ...rule, action: "marker" }, 100_000);
  assert.deepEqual([picture.outcome, picture.plan.kind, windowOf(picture)], ["opened", "screenshot", [100, 100]]);
  assert.deepEqual([marker.outcome, marker.plan.kind, marker.reason], ["marked", "marker", undefined]);
});

test("the number of open clips is limited, and moments beyond it become markers with the reason", () => {
  const schedule = new ClipSchedule();
  const all = Array.from({ length: 60 }, (_, game) => schedule.place(moment(100), `game${game}`, rule, 100_000));
  assert.ok(schedule.openPlans().length < 60);
  const marked = all.filter(({ outcome: as }) => as === "marked");
  assert.equal(marked.length + schedule.openPlans().length, 60);
  assert.ok(marked.every(({ reason }) => /already/.test(textOf(reason ?? ""))));
});

test("a clock that is set back by an hour does not keep a clip open for an hour", () => {
  const schedule = new ClipSchedule();
  const [first] = placed(schedule, [10_000]);
  const nowMs = 10_003 * second - 3_600 * second;
  assert.equal(schedule.nextDueMs(nowMs), nowMs);
  const over = schedule.takeDue(nowMs);
  assert.deepEqual([idsOf(over.cut), idsOf(over.closed)], [[first?.plan.id], [first?.plan.id]]);
});

test("a clip from before the clock was set back takes no moment of the same time by the new clock", () => {
  const schedule = new ClipSchedule();
  placed(schedule, [10_000], noCooldown);
  schedule.takeDue(10_014 * second);
  const nowMs = 10_020 * second - 3_600 * second;
  schedule.place(moment(nowMs / second), "saga", noCooldown, nowMs);
  assert.equal(placed(schedule, [10_001], noCooldown)[0]?.outcome, "opened");
});

test("after a clip is given up, its ids have no cooldown", () => {
  const schedule = new ClipSchedule();
  const first = schedule.place(moment(100, "saga_boss"), "saga", rule, 100 * second);
  schedule.forget(first.plan);
  assert.equal(schedule.place(moment(102, "saga_boss"), "saga", rule, 102 * second).outcome, "opened");
});

test("a split clip takes no later moments, and its rest takes them", () => {
  const schedule = new ClipSchedule();
  const [joined] = placed(schedule, [100, 110], noCooldown).slice(-1);
  assert.ok(joined);
  const [early, behind] = joined.plan.moments;
  assert.ok(early && behind);
  const first = { ...joined.plan, toMs: 104_000, moments: [early] };
  const rest = { ...joined.plan, id: "rest", fromMs: 104_000, moments: [behind] };
  schedule.split(first, rest);
  const [late, next] = placed(schedule, [103, 112], noCooldown);
  assert.deepEqual([late?.outcome, late?.plan.id, next?.outcome, next?.plan.id], ["late", first.id, "joined", "rest"]);
  assert.ok(next && windowOf(next)[0] === 104);
});
