// Tests of the problems that the dashboard finds: each is listed once, by severity, and disappears when it is solved.
import assert from "node:assert/strict";
import {
  allSwitchesOn,
  type EventIdRule,
  type Game,
  type KitEvent,
  type RecorderReport,
  recorderDefaults,
  recordingRuleDefaults,
  type WebOrigin,
} from "@kit/contract";
import { test } from "vitest";
import { createRefusal, nthEvent } from "../../../test/feed-samples.ts";
import type { DetectedProblem, ProblemFacts } from "./problem.ts";
import { findProblems } from "./problems.ts";

const atOf = (second: number) => nthEvent(second).receivedAt;
const nowMs = Date.parse(atOf(59));
const event = (second: number, changes: Partial<KitEvent> = {}): KitEvent => {
  const plain = nthEvent(second);
  return { ...plain, payload: { ...plain.payload, timestamp: plain.receivedAt }, ...changes };
};

const nothing: ProblemFacts = {
  nowMs,
  connection: "live",
  port: 9876,
  events: [],
  reasons: new Map(),
  refusals: [],
};
const find = (facts: Partial<ProblemFacts>) => findProblems({ ...nothing, ...facts });
const keys = (facts: Partial<ProblemFacts>) => find(facts).map(({ key }) => key);
const only = (facts: Partial<ProblemFacts>): DetectedProblem => {
  const [first, ...others] = find(facts);
  assert.ok(first);
  assert.deepEqual(others, []);
  return first;
};

const ruleOf = (eventId: string, changes: Partial<EventIdRule> = {}): EventIdRule => ({
  kind: "recording",
  eventId,
  game: "mygame",
  assigned: false,
  enabled: true,
  firstSeenAt: atOf(1),
  lastSeenAt: atOf(1),
  count: 1,
  label: null,
  icon: null,
  postText: null,
  similarTo: null,
  ...changes,
});
const gameOf = (changes: Partial<Game> = {}): Game => ({
  game: "mygame",
  name: "Mygame",
  registered: true,
  switches: allSwitchesOn,
  firstSeenAt: atOf(1),
  ...changes,
});
const recorderOf = (state: RecorderReport["state"]["state"]): RecorderReport => ({
  state: {
    state,
    detail: "No display.",
    backend: null,
    source: null,
    encoder: null,
    width: 0,
    height: 0,
    frameRate: 0,
    heldSeconds: 0,
    heldBytes: 0,
    degraded: null,
    restarts: 0,
    lostSeconds: 0,
  },
  settings: recorderDefaults,
  obsPasswordSet: false,
  canCopyFiles: true,
  ffmpeg: null,
  trouble: { clipNotice: null, saveHotkey: null, markHotkey: null, trayIcon: null },
});
const originOf = (state: WebOrigin["state"]): WebOrigin => ({
  origin: "https://game.example",
  state,
  shared: false,
  firstAskedAt: atOf(1),
  expiresAt: null,
  attempts: 3,
});

test("if nothing arrived, the problem names the launcher's addresses, and is severe on another port than the usual one", () => {
  const usual = only({});
  assert.match(usual.todo, /http:\/\/127\.0\.0\.1:9876 and http:\/\/\[::1\]:9876\.$/);
  assert.equal(usual.severity, "notes");
  const elsewhere = only({ port: 19_876 });
  assert.match(elsewhere.todo, /127\.0\.0\.1:19876.*port 9876 unless/);
  assert.equal(elsewhere.severity, "loses");
});

test("a recent event is no silence, and an event an hour ago is one, with its time", () => {
  assert.deepEqual(keys({ events: [event(50)] }), []);
  const silent = only({ events: [event(50)], nowMs: nowMs + 3_600_000 });
  assert.equal(silent.at, atOf(50));
});

test("if the launcher does not answer, that is the only problem, and silence is not mentioned", () => {
  assert.deepEqual(keys({ connection: "reconnecting" }), ["not-responding"]);
  assert.deepEqual(keys({ connection: "connecting" }), []);
});

test("refused requests are one problem for each reason, with their count, the newest field and a link to the row", () => {
  const errors = [{ path: "/timestamp", message: "expected a time" }];
  const refusals = [40, 30].map((second) => createRefusal({ number: second, at: atOf(second), errors }));
  const problem = only({ refusals });
  assert.equal(problem.says, "2 requests were refused: timestamp: expected a time");
  assert.match(JSON.stringify(problem.actions), /show=refusal\+40/);
  assert.equal(
    keys({ refusals: [...refusals, createRefusal({ number: 1, at: atOf(20), code: "misdirected" })] }).length,
    2,
  );
});

test("a reason disappears after the same sender got an event of the same kind accepted", () => {
  const refusals = [createRefusal({ number: 1, at: atOf(30), kind: "recording", client: "Game" })];
  assert.deepEqual(keys({ refusals, events: [event(40, { client: "Game" })] }), []);
  assert.equal(keys({ refusals, events: [event(40, { client: "Another" })] }).length, 1);
  assert.equal(keys({ refusals, events: [event(20, { client: "Game" })] }).length, 1);
});

test("a waiting web origin is listed for its consent and not for its refused requests, and a blocked one can ask again", () => {
  const refusals = [createRefusal({ number: 1, at: atOf(50), code: "consent_needed", origin: "https://game.example" })];
  assert.deepEqual(keys({ refusals, origins: [originOf("pending")] }), ["consent https://game.example"]);
  const blocked = [createRefusal({ number: 2, at: atOf(50), code: "origin_refused", origin: "https://game.example" })];
  const problem = only({ refusals: blocked, origins: [originOf("blocked")] });
  assert.deepEqual(problem.actions, [{ does: "ask again", origin: "https://game.example", label: "Ask again" }]);
  assert.deepEqual(keys({ origins: [originOf("blocked")], events: [event(50)] }), []);
});

test("a switch that made Kit ignore events is offered as the remedy, and disappears once it is on", () => {
  const off = (reason: NonNullable<KitEvent["reason"]>) => [event(50, { status: "ignored", reason, game: "mygame" })];
  const rules = [ruleOf(event(50).eventId ?? "", { enabled: false })];
  const facts = (services = allSwitchesOn, switches = allSwitchesOn) => ({
    services,
    games: [gameOf({ switches })],
    rules,
  });
  const none = { ...allSwitchesOn, recording: false };
  assert.equal(only({ events: off("service_off"), games: facts(none) }).actions[0]?.does, "service");
  assert.equal(only({ events: off("game_off"), games: facts(allSwitchesOn, none) }).actions[0]?.does, "game");
  assert.equal(only({ events: off("event_off"), games: facts() }).actions[0]?.does, "event");
  assert.deepEqual(keys({ events: off("service_off"), games: facts() }), []);
});

test("a recorder that cannot record is a note, and a loss once a game sent an event that needs a clip", () => {
  assert.equal(
    find({ recorder: recorderOf("broken") }).find(({ key }) => key === "recorder broken")?.severity,
    "notes",
  );
  assert.equal(only({ recorder: recorderOf("broken"), events: [event(50)] }).severity, "loses");
  assert.equal(only({ recorder: recorderOf("off"), events: [event(50)] }).actions[0]?.does, "record");
  assert.deepEqual(keys({ recorder: recorderOf("recording"), events: [event(50, { state: "saved" })] }), []);
});

test("the newest moment without a clip has the reason from its rule or from its receipt", () => {
  const eventId = event(50).eventId ?? "";
  const recordingRules = [{ ...recordingRuleDefaults, eventId, action: "nothing" as const, changed: true }];
  assert.match(only({ events: [event(50)], recordingRules }).says, /its rule says so/);
  const events = [event(50, { state: "failed" })];
  const reasons = new Map([[event(50).id, "the disk is full"]]);
  assert.match(only({ events, reasons }).says, /has no clip: the disk is full$/);
});

test("a wrong clock is shown with its drift, in both directions", () => {
  const withTime = (timestamp: string) => [event(50, { payload: { eventId: "mygame_win", timestamp } })];
  assert.match(
    only({ events: withTime(new Date(Date.parse(atOf(50)) - 42_000).toISOString()) }).says,
    /42 s in the past$/,
  );
  assert.match(
    only({ events: withTime(new Date(Date.parse(atOf(50)) + 42_000).toISOString()) }).says,
    /42 s in the future$/,
  );
});

test("an event id that looks mistyped is shown beside the similar one, while its events are recent", () => {
  const events = [event(50, { eventId: "mygame_bos" })];
  const rules = [ruleOf("mygame_bos", { similarTo: "mygame_boss" }), ruleOf("mygame_x", { similarTo: "mygame_y" })];
  const games = { services: allSwitchesOn, games: [gameOf()], rules };
  assert.equal(only({ events, games }).says, "mygame_bos looks like a typo of mygame_boss");
});

test("error reports without a game are counted", () => {
  const report = (second: number) => event(second, { kind: "monitor", eventId: null, game: null });
  assert.equal(only({ events: [report(50), report(49)] }).says, "2 error reports are not assigned to a game yet");
});

test("problems that stop everything are before problems that lose something, and notes are last", () => {
  const report = event(51, { kind: "monitor", eventId: null, game: null });
  const refusals = [createRefusal({ number: 1, at: atOf(55), client: "Another" })];
  const found = find({ events: [report, event(50)], refusals, recorder: recorderOf("broken") });
  assert.deepEqual(
    found.map(({ severity: weight }) => weight),
    ["stops", "loses", "notes"],
  );
});

test("refused requests of more than a day ago are no problem any more", () => {
  const refusals = [createRefusal({ number: 1, at: atOf(30) })];
  assert.deepEqual(keys({ refusals, nowMs: nowMs + 25 * 3_600_000 }), ["silent"]);
});
