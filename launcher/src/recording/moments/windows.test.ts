// Moments become plans by the rules a person set: joined when they are close, cut when their seconds are over.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Moment } from "../plan.ts";
import { createWindows, type MomentRule, type Placed, type Windows } from "./windows.ts";

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
    atMs: atSeconds * second,
  };
}

/** Places moments at these seconds; the clock stands at the last of them. */
function placed(windows: Windows, seconds: readonly number[], by: MomentRule = rule): Placed[] {
  return seconds.map((at) => windows.place(moment(at), "saga", by, at * second));
}
const windowOf = ({ plan }: Placed) => [plan.fromMs / second, plan.toMs / second];
const idsOf = (plans: readonly { id: string }[]) => plans.map(({ id }) => id);

test("a moment makes a clip from its seconds before to its seconds after", () => {
  const windows = createWindows();
  const [first] = placed(windows, [100]);
  assert.ok(first?.as === "opened" && first.plan.kind === "clip");
  assert.deepEqual([windowOf(first), first.plan.notes, windows.nextDueMs(100 * second)], [[88, 105], [], 105 * second]);
});

test("a clip is cut when its last second is over, and closed when nothing can join it any more", () => {
  const windows = createWindows();
  const [first] = placed(windows, [100]);
  assert.deepEqual(windows.due(104_999), { cut: [], closed: [] });
  const over = windows.due(105_000);
  assert.deepEqual([idsOf(over.cut), over.closed], [[first?.plan.id], []]);
  assert.equal(windows.nextDueMs(105_000), 113_500);
  const end = windows.due(113_500);
  assert.deepEqual([end.cut, idsOf(end.closed)], [[], [first?.plan.id]]);
  assert.deepEqual([windows.nextDueMs(113_500), windows.open()], [undefined, []]);
});

test("moments close together are one clip, which is cut anew when it grows after its cut", () => {
  const windows = createWindows();
  const [first] = placed(windows, [100]);
  windows.due(105_000);
  const [second] = placed(windows, [112.9]);
  assert.ok(second?.as === "joined" && second.plan.id === first?.plan.id);
  assert.deepEqual([windowOf(second), second.plan.moments.length], [[88, 117.9], 2]);
  assert.deepEqual(idsOf(windows.due(117_900).cut), [first?.plan.id]);
});

test("a moment beyond the gap begins another clip, where the one before ends", () => {
  const [first, second] = placed(createWindows(), [100, 113.1]);
  assert.ok(first && second?.as === "opened");
  assert.deepEqual(
    [windowOf(first), windowOf(second)],
    [
      [88, 105],
      [105, 118.1],
    ],
  );
  assert.deepEqual(second.plan.notes, ["8.1 of 12 s before: the rest is in the clip before"]);
});

test("no clip is longer than it may be: the next moment begins another at its end", () => {
  const [first, joined, next] = placed(createWindows(), [100, 110, 118], { ...noCooldown, longestMs: 30_000 });
  assert.ok(first && joined && next);
  assert.deepEqual([windowOf(joined), joined.as], [[88, 115], "joined"]);
  assert.deepEqual([windowOf(next), next.as], [[115, 123], "opened"]);
});

test("a moment in a clip that is as long as it may be stays in it, and the note says what is missing", () => {
  const [, joined] = placed(createWindows(), [100, 104], { ...noCooldown, longestMs: 18_000 });
  assert.ok(joined?.as === "joined");
  assert.deepEqual(
    [windowOf(joined), joined.plan.notes],
    [[88, 106], ["2 of 5 s after: the clip is as long as it may be"]],
  );
});

test("a moment that arrives late takes its place among the clips, whole or up to its neighbours", () => {
  const windows = createWindows();
  const [first, second] = placed(windows, [100, 140], noCooldown);
  const [between] = placed(windows, [118], noCooldown);
  assert.ok(first && second && between?.as === "opened");
  assert.deepEqual(
    [windowOf(between), windowOf(second)],
    [
      [106, 123],
      [128, 145],
    ],
  );
  const [before] = placed(windows, [95], noCooldown);
  assert.ok(before?.as === "joined" && before.plan.id === first.plan.id);
  assert.deepEqual(windowOf(before), [83, 105]);
});

test("a moment from within the gap that arrives half a second after it still joins", () => {
  const windows = createWindows();
  const first = windows.place(moment(100), "saga", rule, 100_000);
  windows.due(105_000);
  windows.due(113_400);
  const late = windows.place(moment(112.9), "saga", { ...rule, cooldownMs: 0 }, 113_400);
  assert.deepEqual([late.as, late.plan.id], ["joined", first.plan.id]);
});

test("a closed clip takes a late moment that lies in it, and does not grow", () => {
  const windows = createWindows();
  const [first] = placed(windows, [100]);
  windows.due(113_500);
  const [late] = placed(windows, [103]);
  assert.ok(late?.as === "late" && late.plan.id === first?.plan.id);
  assert.deepEqual(late.plan.notes, ["2 of 5 s after: the event came when the clip was finished"]);
  assert.deepEqual(windows.due(200_000), { cut: [], closed: [] });
});

test("the same id within its cooldown is a chapter of the clip it lies in and makes it no longer", () => {
  const windows = createWindows();
  const first = windows.place(moment(100, "saga_boss"), "saga", rule, 100_000);
  const again = windows.place(moment(104, "saga_boss"), "saga", rule, 104_000);
  assert.ok(again.as === "joined" && again.plan.id === first.plan.id);
  assert.deepEqual([windowOf(again), again.plan.moments.length], [[88, 105], 2]);
});

test("outside of a clip the same id within its cooldown is a marker that says so, and repeats share it", () => {
  const windows = createWindows();
  windows.place(moment(100, "saga_boss"), "saga", rule, 100_000);
  const again = windows.place(moment(107, "saga_boss"), "saga", rule, 107_000);
  assert.ok(again.as === "marked" && again.plan.kind === "marker");
  assert.match(again.reason ?? "", /7 s apart, within its cooldown of 10 s/);
  const third = windows.place(moment(108, "saga_boss"), "saga", rule, 108_000);
  assert.deepEqual([third.plan.id, third.plan.moments.length], [again.plan.id, 2]);
  assert.equal(windows.place(moment(110, "saga_boss"), "saga", rule, 110_000).as, "joined", "the cooldown is over");
});

test("an event that is handed over twice is in one plan, once", () => {
  const windows = createWindows();
  const boss = moment(100, "saga_boss");
  const first = windows.place(boss, "saga", rule, 100_000);
  assert.deepEqual(windows.place(boss, "saga", rule, 100_000), first);
  assert.equal(windows.open()[0]?.moments.length, 1);
});

test("games have clips of their own, and an error without a game joins the clip that is being recorded", () => {
  const windows = createWindows();
  const saga = windows.place(moment(100), "saga", rule, 100_000);
  const other = windows.place(moment(101), "other", rule, 101_000);
  assert.notEqual(saga.plan.id, other.plan.id);
  const error = windows.place(moment(102, null), null, { ...noCooldown, preMs: 20_000, postMs: 3_000 }, 102_000);
  assert.deepEqual([error.as, error.plan.id, windowOf(error)], ["joined", saga.plan.id, [82, 105]]);
});

test("an error with nothing recorded makes a clip of its own, and later triggers of a game do not join it", () => {
  const windows = createWindows();
  const error = windows.place(moment(100, null), null, { ...noCooldown, preMs: 20_000, postMs: 3_000 }, 100_000);
  assert.deepEqual([error.as, windowOf(error), error.plan.game], ["opened", [80, 103], null]);
  assert.equal(windows.place(moment(101), "saga", rule, 101_000).as, "opened");
});

test("rules that ask for a picture or a marker get one, of no length", () => {
  const windows = createWindows();
  const picture = windows.place(moment(100), "saga", { ...rule, action: "screenshot" }, 100_000);
  const marker = windows.place(moment(100), "saga", { ...rule, action: "marker" }, 100_000);
  assert.deepEqual([picture.as, picture.plan.kind, windowOf(picture)], ["opened", "screenshot", [100, 100]]);
  assert.deepEqual([marker.as, marker.plan.kind, marker.reason], ["marked", "marker", undefined]);
});

test("games without end do not make clips without end: what is too much is marked, with the reason", () => {
  const windows = createWindows();
  const all = Array.from({ length: 60 }, (_, game) => windows.place(moment(100), `game${game}`, rule, 100_000));
  assert.ok(windows.open().length < 60);
  const marked = all.filter(({ as }) => as === "marked");
  assert.equal(marked.length + windows.open().length, 60);
  assert.ok(marked.every(({ reason }) => /already/.test(reason ?? "")));
});

test("a clock that is set back by an hour does not keep a clip open for an hour", () => {
  const windows = createWindows();
  const [first] = placed(windows, [10_000]);
  const nowMs = 10_003 * second - 3_600 * second;
  assert.equal(windows.nextDueMs(nowMs), nowMs);
  const over = windows.due(nowMs);
  assert.deepEqual([idsOf(over.cut), idsOf(over.closed)], [[first?.plan.id], [first?.plan.id]]);
});

test("a clip from before the clock was set back takes in nothing of the same time by the new clock", () => {
  const windows = createWindows();
  placed(windows, [10_000], noCooldown);
  windows.due(10_014 * second);
  const nowMs = 10_020 * second - 3_600 * second;
  windows.place(moment(nowMs / second), "saga", noCooldown, nowMs);
  assert.equal(placed(windows, [10_001], noCooldown)[0]?.as, "opened");
});

test("after a clip that will not be, the cooldown of its ids begins anew", () => {
  const windows = createWindows();
  const first = windows.place(moment(100, "saga_boss"), "saga", rule, 100 * second);
  windows.forget(first.plan);
  assert.equal(windows.place(moment(102, "saga_boss"), "saga", rule, 102 * second).as, "opened");
});

test("a clip that is split takes in nothing more, and its rest goes on as the clip did", () => {
  const windows = createWindows();
  const [joined] = placed(windows, [100, 110], noCooldown).slice(-1);
  assert.ok(joined);
  const [early, behind] = joined.plan.moments;
  assert.ok(early && behind);
  const first = { ...joined.plan, toMs: 104_000, moments: [early] };
  const rest = { ...joined.plan, id: "rest", fromMs: 104_000, moments: [behind] };
  windows.split(first, rest);
  const [late, next] = placed(windows, [103, 112], noCooldown);
  assert.deepEqual([late?.as, late?.plan.id, next?.as, next?.plan.id], ["late", first.id, "joined", "rest"]);
  assert.ok(next && windowOf(next)[0] === 104);
});
