// Where on the track each time is, and what is drawn together.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Item } from "../../ui/sessions/session-items.ts";
import { foldedPx, marksOf, scaleOf, ticksOf } from "./scale.ts";

const minuteMs = 60_000;
const gaps = [{ fromMs: 10 * minuteMs, toMs: 70 * minuteMs }];
const asked = { fromMs: 0, toMs: 80 * minuteMs, gaps, windowPx: 1_000, zoom: 1 };

const pointAt = (atMs: number): Item => ({ key: `${atMs}`, lane: "moments", atMs, toMs: atMs, says: "" }) as Item;

test("all of it fits into the window, and what is empty is folded however long it was", () => {
  const { width, xOf, parts } = scaleOf(asked);
  assert.equal(Math.round(width), 1_000);
  assert.equal(Math.round(xOf(70 * minuteMs) - xOf(10 * minuteMs)), foldedPx);
  assert.equal(Math.round(xOf(5 * minuteMs) - xOf(0)), Math.round(xOf(75 * minuteMs) - xOf(70 * minuteMs)));
  assert.deepEqual(
    parts.map(({ isFolded }) => isFolded),
    [false, true, false],
  );
});

test("a place on the track and its time lead to each other", () => {
  const { xOf, msAt } = scaleOf({ ...asked, zoom: 7 });
  for (const ms of [0, 1_000, 9 * minuteMs, 40 * minuteMs, 79 * minuteMs]) assert.ok(Math.abs(msAt(xOf(ms)) - ms) < 1);
});

test("zoom ends where there is nothing more to tell apart, and a window without width still has a track", () => {
  const { zoomMax } = scaleOf(asked);
  assert.equal(scaleOf({ ...asked, zoom: 1e9 }).width, scaleOf({ ...asked, zoom: zoomMax }).width);
  assert.ok(scaleOf({ ...asked, windowPx: 0 }).width > 0);
  assert.ok(Number.isFinite(scaleOf({ ...asked, toMs: 0, gaps: [] }).width));
});

test("what would lie on one another is one mark, which comes apart when it is looked at closely", () => {
  const items = [pointAt(1_000), pointAt(3_000), pointAt(5 * minuteMs)];
  const counts = (zoom: number) => marksOf(items, scaleOf({ ...asked, zoom })).map((mark) => mark.items.length);
  assert.deepEqual(counts(1), [2, 1]);
  assert.deepEqual(counts(20), [1, 1, 1]);
});

test("the ruler counts from the session's beginning, outside of what is folded, and keeps its marks apart", () => {
  const scale = scaleOf(asked);
  const ticks = ticksOf(scale, 0, 0, scale.width);
  assert.ok(ticks.length > 4);
  for (const { seconds } of ticks) assert.ok(seconds <= 600 || seconds >= 4_200, `${seconds} is folded`);
  for (const [n, tick] of ticks.slice(1).entries()) assert.ok(tick.x - (ticks[n]?.x ?? 0) > 40);
  // Only what is seen is drawn.
  assert.ok(ticksOf(scaleOf({ ...asked, zoom: 1e9 }), 0, 0, 1_000).length < 20);
});
