// Tests of the timeline: its scale, and the grouping of its marks.
import assert from "node:assert/strict";
import { test } from "vitest";
import type { TimelineItem } from "./session-items.ts";
import { createTimelineScale, foldedGapPx, groupMarks, rulerTicks } from "./track-scale.ts";

const minuteMs = 60_000;
const gaps = [{ fromMs: 10 * minuteMs, toMs: 70 * minuteMs }];
const options = { fromMs: 0, toMs: 80 * minuteMs, gaps, windowPx: 1_000, zoom: 1 };

const pointAt = (atMs: number): TimelineItem =>
  ({ key: `${atMs}`, row: "moments", atMs, toMs: atMs, says: "" }) as TimelineItem;

test("the whole session fits the visible width, and a gap is folded regardless of its length", () => {
  const { width, xOf, parts } = createTimelineScale(options);
  assert.equal(Math.round(width), 1_000);
  assert.equal(Math.round(xOf(70 * minuteMs) - xOf(10 * minuteMs)), foldedGapPx);
  assert.equal(Math.round(xOf(5 * minuteMs) - xOf(0)), Math.round(xOf(75 * minuteMs) - xOf(70 * minuteMs)));
  assert.deepEqual(
    parts.map(({ isFolded }) => isFolded),
    [false, true, false],
  );
});

test("positions and times convert to each other", () => {
  const { xOf, msAt } = createTimelineScale({ ...options, zoom: 7 });
  for (const ms of [0, 1_000, 9 * minuteMs, 40 * minuteMs, 79 * minuteMs]) assert.ok(Math.abs(msAt(xOf(ms)) - ms) < 1);
});

test("the zoom is limited, and a view without width still has a timeline", () => {
  const { zoomMax } = createTimelineScale(options);
  assert.equal(
    createTimelineScale({ ...options, zoom: 1e9 }).width,
    createTimelineScale({ ...options, zoom: zoomMax }).width,
  );
  assert.ok(createTimelineScale({ ...options, windowPx: 0 }).width > 0);
  assert.ok(Number.isFinite(createTimelineScale({ ...options, toMs: 0, gaps: [] }).width));
});

test("overlapping items are one mark, which separates when zoomed in", () => {
  const items = [pointAt(1_000), pointAt(3_000), pointAt(5 * minuteMs)];
  const counts = (zoom: number) =>
    groupMarks(items, createTimelineScale({ ...options, zoom })).map((mark) => mark.items.length);
  assert.deepEqual(counts(1), [2, 1]);
  assert.deepEqual(counts(20), [1, 1, 1]);
});

test("the ruler counts from the session's beginning, skips folded gaps, and keeps its ticks apart", () => {
  const scale = createTimelineScale(options);
  const ticks = rulerTicks(scale, 0, 0, scale.width);
  assert.ok(ticks.length > 4);
  for (const { seconds } of ticks) assert.ok(seconds <= 600 || seconds >= 4_200, `${seconds} is folded`);
  for (const [n, tick] of ticks.slice(1).entries()) assert.ok(tick.x - (ticks[n]?.x ?? 0) > 40);
  // Only visible ticks are drawn.
  assert.ok(rulerTicks(createTimelineScale({ ...options, zoom: 1e9 }), 0, 0, 1_000).length < 20);
});
