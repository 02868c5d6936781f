// Tests of a session's track: the parts of a timeline are merged into it, and the keyboard navigates it.
import assert from "node:assert/strict";
import type { TimelineClip } from "@kit/contract";
import { test } from "vitest";
import { entryOf, fullTimeline, runningOf, sessionOf, spanOf, timelineOf } from "../../../../test/session-samples.ts";
import { errorsByIssue, postEntries } from "../use-sessions.ts";
import { buildTrack, clipOfMark, nextItem, type TimelineItem, toTimelineList } from "./session-items.ts";

const session = sessionOf(2);
const startMs = Date.parse(session.startedAt);
const full = buildTrack([fullTimeline(session)], Date.now());
const words = (items: readonly (TimelineItem | undefined)[]) => items.map((item) => `${item?.row} ${item?.says}`);

test("clips and events are sorted by time, a clip before its moment", () => {
  assert.deepEqual(words(full.items.slice(0, 3)), [
    "clips prologue done",
    "moments prologue done",
    "errors Door has no key",
  ]);
  assert.equal(full.toMs, startMs + 3_000_000);
});

test("items in two parts are shown once, and a gap that later items fill is removed", () => {
  const gap = { from: new Date(startMs + 10_000).toISOString(), to: new Date(startMs + 400_000).toISOString() };
  const clip = spanOf(session, 1, 0);
  const parts = [
    timelineOf(session, { entries: [entryOf(session, 1, 5)], clips: [clip], gaps: [gap], until: "1" }),
    timelineOf(session, { entries: [entryOf(session, 2, 200), entryOf(session, 1, 5)], clips: [clip] }),
  ];
  const { items, gaps } = buildTrack(parts, Date.now());
  assert.deepEqual([items.length, gaps.length], [3, 0]);
});

test("a marker is an item of its own only if its moment is missing", () => {
  const marker = spanOf(session, 1, 30, { kind: "marker", state: "marked", poster: false });
  const noted = entryOf(session, 1, 30, { clip: marker.id, state: "marked" });
  const lanesOf = (entries: (typeof noted)[]) =>
    buildTrack([timelineOf(session, { entries, clips: [marker] })], Date.now()).items.map(({ row: lane }) => lane);
  assert.deepEqual(lanesOf([noted]), ["moments"]);
  assert.deepEqual(lanesOf([]), ["clips"]);
});

test("while the game runs, the track and the gap at its end last until now", () => {
  const running = runningOf(1);
  const beganMs = Date.parse(running.startedAt);
  const at = (ms: number) => new Date(beganMs + ms).toISOString();
  const gaps = [{ from: at(5_000), to: at(600_000) }];
  const nowMs = beganMs + 900_000;
  const track = buildTrack([timelineOf(running, { entries: [entryOf(running, 1, 5)], gaps })], nowMs);
  assert.deepEqual([track.toMs, track.gaps], [nowMs, [{ fromMs: beganMs + 5_000, toMs: nowMs }]]);
});

test("the list contains the gaps between its items", () => {
  const listed = toTimelineList(full.items, full.gaps);
  assert.equal(listed.filter(({ gap }) => gap).length, 4);
  assert.ok(listed.at(-1)?.gap);
  assert.deepEqual(words([listed[3]?.item, listed[5]?.item]), ["errors Door has no key", "clips boss defeated"]);
});

test("left and right move along time, up and down to the nearest item of the next lane that has any", () => {
  const [clip, moment, error] = full.items;
  assert.equal(nextItem(full.items, undefined, "on"), clip);
  assert.equal(nextItem(full.items, clip, "on"), moment);
  assert.equal(nextItem(full.items, clip, "back"), undefined);
  assert.equal(nextItem(full.items, error, "up"), moment);
  assert.equal(nextItem(full.items, clip, "up"), undefined);
  const noErrors = full.items.filter(({ row: lane }) => lane !== "errors");
  assert.equal(nextItem(noErrors, moment, "down")?.row, "posts");
});

test("a mark of several clips is named after its first highlight, and after an error if it has none", () => {
  const marked = (...subjects: TimelineClip["subject"][]) => {
    const clips = subjects.map((subject, at) => spanOf(session, at + 1, at, { subject, title: `${subject} ${at}` }));
    return clipOfMark(buildTrack([timelineOf(session, { clips })], 0).items)?.title;
  };
  assert.equal(marked("error", "highlight", "highlight"), "highlight 1");
  assert.equal(marked("error", "error"), "error 0");
});

test("a session's summary has one error for each issue, and its posts", () => {
  assert.deepEqual(
    errorsByIssue(full.items).map(({ entry, count }) => [entry.label, count]),
    [
      ["Door has no key", 59],
      ["Sound is missing", 1],
    ],
  );
  assert.deepEqual(
    postEntries(full.items).map(({ label }) => label),
    ["all friends"],
  );
});
