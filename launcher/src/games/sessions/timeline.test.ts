// Tests of a session's timeline: what each event became, thinned floods, gaps, and long sessions in parts.
import assert from "node:assert/strict";
import { eventInWords, sessionsComparedMax, type TimelineClip, timelineEntriesMax } from "@kit/contract";
import { test } from "vitest";
import type { SessionEvent } from "./session-store.ts";
import { newSessionDefaults, type StoredGameSession } from "./stored-session.ts";
import { createTimeline, findGaps, type TimelineDeps } from "./timeline.ts";

const beganMs = Date.UTC(2026, 4, 1, 18);
const sitting: StoredGameSession = { ...newSessionDefaults, id: "the session", game: "saga", startedMs: beganMs };
const iso = (ms: number) => new Date(beganMs + ms).toISOString();
const trigger = (seq: number, eventId: string, atMs: number): SessionEvent => ({
  seq,
  id: `event-${seq}`,
  kind: "recording",
  eventId,
  message: null,
  atMs: beganMs + atMs,
  state: "saved",
});
const report = (seq: number, message: string, atMs: number): SessionEvent => ({
  seq,
  id: `event-${seq}`,
  kind: "monitor",
  eventId: null,
  message,
  atMs: beganMs + atMs,
  state: "grouped",
});

function timelineOf(events: readonly SessionEvent[], more: Partial<TimelineDeps> = {}) {
  const store: TimelineDeps["store"] = {
    events: async (_, after, limit) => events.filter(({ seq }) => seq > after).slice(0, limit),
    countStored: async () => events.length,
    stretchesUpTo: async () => [],
  };
  const nothing = async () => new Map();
  const rest = {
    clipsBetween: async () => [],
    clipsOf: nothing,
    issuesOf: nothing,
    issuesWithin: async () => [],
    now: () => beganMs + 600_000,
  };
  const timeline = createTimeline({ store, wordsOf: eventInWords, ...rest, ...more });
  return (after = 0, one: Partial<StoredGameSession> = {}) =>
    timeline({ ...sitting, events: events.length, ...one }, after);
}

test("an entry has the event in words, its state, its clip with the second, its issue and its post", async () => {
  const social: SessionEvent = { ...trigger(3, "saga_all_found", 3_000), kind: "social", state: "drafted" };
  const calls: unknown[] = [];
  const clip: TimelineClip = {
    id: "clip",
    kind: "clip",
    state: "saved",
    subject: "highlight",
    title: "",
    priority: 500,
    pinned: false,
    from: iso(0),
    to: iso(9_000),
    poster: true,
  };
  const timeline = timelineOf([trigger(1, "saga_boss_defeated", 1_000), report(2, "No key\nat door", 2_000), social], {
    async clipsBetween(...between) {
      calls.push(between);
      return [clip];
    },
    clipsOf: async () => new Map([["event-1", { clip: "clip", second: 12.5 }]]),
    issuesOf: async (ids) => new Map(ids.map((id) => [id, `issue of ${id}`])),
    postsOf: async (ids) => new Map(ids.map((id) => [id, `post of ${id}`])),
  });
  const { entries, clips } = await timeline();
  assert.deepEqual(
    entries.map(({ label, state, clip: of, second, issue, post }) => [label, state, of, second, issue, post]),
    [
      ["Boss defeated", "saved", "clip", 12.5, null, null],
      ["No key", "grouped", null, null, "issue of event-2", null],
      ["All found", "drafted", null, null, null, "post of event-3"],
    ],
  );
  assert.deepEqual(clips, [clip]);
  assert.deepEqual(calls, [["saga", beganMs, beganMs + 600_000, ["event-1", "event-2", "event-3"]]]);
});

test("a flood of equal reports has three entries a minute, the third counts the rest, and triggers are never thinned", async () => {
  const flood = Array.from({ length: 120 }, (_, index) => report(index + 1, "No key", index * 1_000));
  const triggers = Array.from({ length: 9 }, (_, index) => trigger(200 + index, "saga_a", 1_000));
  const { entries, until } = await timelineOf([...flood, ...triggers])();
  const ofReports = entries.filter(({ kind }) => kind === "monitor").map(({ count }) => count);
  assert.deepEqual([ofReports, entries.length - ofReports.length, until], [[1, 1, 58, 1, 1, 58], 9, null]);
});

test("a long session is returned in parts that together are complete", async () => {
  const all = Array.from({ length: timelineEntriesMax + 700 }, (_, index) => trigger(index + 1, "saga_a", index));
  const timeline = timelineOf(all);
  const first = await timeline();
  const second = await timeline(Number(first.until));
  assert.deepEqual([first.entries.length, second.entries.length, second.until], [timelineEntriesMax, 700, null]);
  assert.equal(new Set([...first.entries, ...second.entries].map(({ id }) => id)).size, all.length);
});

test("entries are sorted by time, and events that the journal deleted are counted", async () => {
  const { entries, forgotten } = await timelineOf([trigger(1, "saga_b", 5_000), trigger(2, "saga_a", 1_000)])(0, {
    events: 9,
  });
  assert.deepEqual([entries.map(({ label }) => label), forgotten], [["A", "B"], 7]);
});

test("two minutes without an event and without footage are a gap, also at both ends", () => {
  const at = (ms: number) => ({ fromMs: beganMs + ms, toMs: beganMs + ms });
  const clip = { fromMs: beganMs + 200_000, toMs: beganMs + 500_000 };
  const gaps = findGaps(beganMs, beganMs + 900_000, [at(130_000), clip, at(300_000), at(620_000), at(700_000)]);
  assert.deepEqual(gaps, [
    { from: iso(0), to: iso(130_000) },
    { from: iso(500_000), to: iso(620_000) },
    { from: iso(700_000), to: iso(900_000) },
  ]);
  assert.deepEqual(findGaps(beganMs, beganMs + 900_000, []), [{ from: iso(0), to: iso(900_000) }]);
});

test("each issue of a session has the number of earlier sessions in which it occurred", async () => {
  const calls: unknown[] = [];
  const base = { countStored: async () => 0, events: async () => [] };
  const sessions = [
    [[9, 9]],
    [
      [5, 6],
      [8, 8],
    ],
    [],
    [[1, 2]],
  ] as const;
  const found = [["door", "sound"], ["door"], ["light"], ["door", "light"]].map((issues) => new Set(issues));
  const timeline = timelineOf([], {
    store: {
      ...base,
      async stretchesUpTo(...given) {
        calls.push(given);
        return sessions.map((parts) => [...parts]);
      },
    },
    async issuesWithin(stretches) {
      calls.push(stretches);
      return found;
    },
  });
  const { compared, issues } = await timeline(0, { errors: 2 });
  assert.deepEqual(calls, [["the session", sessionsComparedMax], sessions.flat()]);
  const wanted = [
    { issue: "door", sessions: 3 },
    { issue: "sound", sessions: 1 },
  ];
  assert.deepEqual([compared, issues], [4, wanted]);
  for (const other of [
    await timeline(0, { errors: 0 }),
    await timeline(0, { errors: 2, game: null }),
    await timeline(7, { errors: 2 }),
  ])
    assert.deepEqual([other.compared, other.issues], [0, []]);
});
