// Tests of which session an event belongs to, without a database.
import assert from "node:assert/strict";
import { test } from "vitest";
import type { RunIdentity } from "../senders.ts";
import { assignSessions, type BatchContext, type SessionAssignments } from "./assign.ts";
import type { EventToAssign } from "./session-store.ts";
import { quietTimeMs, type StoredGameSession } from "./stored-session.ts";

const beganMs = Date.UTC(2026, 4, 1, 18);
const of = (pid: number): RunIdentity => ({ by: "process", process: { pid, startedAt: `boot ${pid}` }, run: null });

/** A world in which the processes `alive` run, and senders 1, 2, … have the identities in `facts`. */
function world(
  facts: Readonly<Record<number, RunIdentity>>,
  alive: readonly number[],
  games: Record<number, string> = {},
) {
  let known: BatchContext = { nearby: new Map(), sessionsBySender: new Map(), lastStretch: undefined };
  const all = new Map<string, StoredGameSession>();
  const owners = new Map<number, string>();
  let seq = 0;
  const event = (sender: number | null, eventId: string | null, atMs = beganMs, client = "Engine"): EventToAssign => {
    seq += 1;
    return { seq, kind: eventId === null ? "monitor" : "recording", eventId, sender, origin: null, client, atMs };
  };
  const batch = (...rows: readonly EventToAssign[]): SessionAssignments => {
    const found = assignSessions(rows, known, {
      senders: { runIdentity: (id) => facts[id], gameOf: (id) => games[id ?? 0] ?? null },
      life: { isAlive: ({ pid }) => alive.includes(pid), startedMs: () => beganMs - 5_000 },
      gameOf: (_, id) => id.split("_")[0] ?? null,
    });
    for (const [id, one] of found.changed) all.set(id, one);
    for (const id of found.mergedInto.keys()) all.delete(id);
    for (const [sender, id] of found.sessionIdBySender) owners.set(sender, found.mergedInto.get(id) ?? id);
    const sessionsBySender = [...owners].flatMap(([sender, id]) => {
      const one = all.get(id);
      return one === undefined ? [] : [[sender, one] as const];
    });
    known = { nearby: new Map(all), sessionsBySender: new Map(sessionsBySender), lastStretch: found.lastStretch };
    return found;
  };
  const end = (id: string, change: Partial<StoredGameSession>) => {
    const one = all.get(id);
    assert.ok(one);
    all.set(id, { ...one, ...change });
    known = { ...known, nearby: new Map(all) };
    const bySender = [...known.sessionsBySender].map(
      ([sender, session]) => [sender, all.get(session.id) ?? session] as const,
    );
    known = { ...known, sessionsBySender: new Map(bySender) };
  };
  return { event, batch, end, sessions: () => [...all.values()] };
}
const counts = (sessions: readonly StoredGameSession[]) =>
  sessions.map(({ game, events, errors }) => [game, events, errors]);

test("two games that send at once have a session each, with their own reports", () => {
  const { event, batch, sessions } = world({ 1: of(11), 2: of(22) }, [11, 22], { 1: "saga", 2: "quest" });
  const { stretches } = batch(
    event(1, "saga_a"),
    event(2, "quest_a"),
    event(2, null),
    event(1, null),
    event(1, "saga_b"),
  );
  assert.deepEqual(counts(sessions()), [
    ["saga", 3, 1],
    ["quest", 2, 1],
  ]);
  assert.deepEqual(
    stretches.map(({ first, last }) => [first, last]),
    [
      [1, 1],
      [2, 3],
      [4, 5],
    ],
  );
});

test("while one game plays, its part of the journal is one stretch across batches", () => {
  const { event, batch } = world({ 1: of(11) }, [11], { 1: "saga" });
  const [one] = batch(event(1, "saga_a"), event(1, "saga_b")).stretches;
  const { stretches } = batch(event(1, "saga_c"), event(1, null));
  assert.deepEqual(stretches, [{ first: 1, last: 4, session: one?.session }]);
});

test("a run whose program sends ids of several games is one session", () => {
  const { event, batch, sessions } = world({ 1: of(11) }, [11]);
  batch(event(1, "boss_defeated"), event(1, "level_up"));
  assert.deepEqual(counts(sessions()), [[null, 2, 0]]);
});

test("a session begins with its process, not with its first event", () => {
  const { event, batch, sessions } = world({ 1: of(11) }, [11], { 1: "saga" });
  batch(event(1, "saga_a"));
  assert.equal(sessions()[0]?.startedMs, beganMs - 5_000);
});

test("without a process, a session ends after ten minutes of silence and not after a minute", () => {
  const { event, batch, sessions } = world({}, []);
  batch(event(null, "saga_a"), event(null, "saga_b", beganMs + 60_000));
  batch(event(null, "saga_c", beganMs + 60_000 + quietTimeMs - 1));
  assert.deepEqual(counts(sessions()), [["saga", 3, 0]]);
  batch(event(null, "saga_d", beganMs + 60_000 + 2 * quietTimeMs));
  assert.deepEqual(counts(sessions()), [
    ["saga", 3, 0],
    ["saga", 1, 0],
  ]);
});

test("a report without a known sender is in no session", () => {
  const { event, batch, sessions } = world({}, []);
  const { stretches } = batch(event(null, "saga_a"), event(null, null), event(null, "saga_b"));
  assert.deepEqual(
    stretches.map(({ first, last }) => [first, last]),
    [
      [1, 1],
      [3, 3],
    ],
  );
  assert.deepEqual(counts(sessions()), [["saga", 2, 0]]);
});

test("programs that send one event each and end share one session of their game", () => {
  const gone = Object.fromEntries([1, 2, 3].map((sender) => [sender, of(sender * 11)]));
  const { event, batch, sessions } = world(gone, [], { 1: "saga", 2: "saga", 3: "saga" });
  batch(event(1, "saga_a"), event(2, "saga_b"));
  batch(event(3, "saga_c"));
  assert.deepEqual(counts(sessions()), [["saga", 3, 0]]);
});

test("a report from a process that already ended makes a session", () => {
  const { event, batch, sessions } = world({ 1: of(11) }, [], { 1: "saga" });
  batch(event(1, null));
  assert.deepEqual(counts(sessions()), [["saga", 1, 1]]);
  assert.equal(sessions()[0]?.process?.pid, 11);
});

test("an event without a sender joins the only run of its game, and none of two", () => {
  const games = { 1: "saga", 2: "saga" };
  const { event, batch, sessions } = world({ 1: of(11), 2: of(22) }, [11, 22], games);
  batch(event(1, "saga_a"), event(null, "saga_b"));
  assert.deepEqual(counts(sessions()), [["saga", 2, 0]]);
  batch(event(2, "saga_c"), event(null, "saga_d"));
  assert.deepEqual(counts(sessions()), [
    ["saga", 2, 0],
    ["saga", 1, 0],
    ["saga", 1, 0],
  ]);
});

test("a run takes over earlier events of its game without a sender, in the same batch or later", () => {
  const one = world({ 1: of(11) }, [11], { 1: "saga" });
  const { stretches, created } = one.batch(one.event(null, "saga_a"), one.event(1, "saga_b"));
  assert.deepEqual(counts(one.sessions()), [["saga", 2, 0]]);
  assert.deepEqual([created.length, new Set(stretches.map(({ session }) => session)).size], [1, 1]);
  const other = world({ 1: of(11) }, [11], { 1: "saga" });
  other.batch(other.event(null, "saga_a"));
  const { mergedInto } = other.batch(other.event(1, "saga_b"));
  assert.deepEqual([counts(other.sessions()), mergedInto.size], [[["saga", 2, 0]], 1]);
});

test("an event without a sender joins a run whose end is known if it happened before the end, and not if after", () => {
  const { event, batch, end, sessions } = world({ 1: of(11) }, [11], { 1: "saga" });
  batch(event(1, "saga_a"));
  const [one] = sessions();
  end(one?.id ?? "", { endedMs: beganMs + 2_000, ending: "exited" });
  batch(event(null, "saga_b", beganMs + 1_000), event(null, "saga_c", beganMs + 3_000));
  assert.deepEqual(counts(sessions()), [
    ["saga", 2, 0],
    ["saga", 1, 0],
  ]);
});

test("events from before a game's process began are another session", () => {
  const { event, batch, sessions } = world({ 1: of(11) }, [11], { 1: "saga" });
  batch(event(null, "saga_a", beganMs - 6_000));
  batch(event(1, "saga_b"));
  assert.deepEqual(counts(sessions()), [
    ["saga", 1, 0],
    ["saga", 1, 0],
  ]);
});

test("late events join the session of an ended run; a running one resumes, a crash that `kit run` saw stays one", () => {
  const alive = [11];
  const { event, batch, end, sessions } = world({ 1: of(11), 2: of(22), 3: of(33) }, alive, { 1: "a", 2: "b", 3: "c" });
  alive.push(22, 33);
  batch(event(1, "a_1"), event(2, "b_1"), event(3, "c_1"));
  const [one, two, three] = sessions();
  assert.ok(one && two && three);
  end(one.id, { endedMs: beganMs + 1, ending: "ended" });
  end(two.id, { endedMs: beganMs + 1, ending: "ended" });
  end(three.id, { endedMs: beganMs + 1, ending: "crashed" });
  alive.splice(alive.indexOf(22), 1);
  const late = beganMs + 9_000;
  batch(event(1, "a_2", late), event(2, "b_2", late), event(3, "c_2", late));
  assert.deepEqual(
    sessions().map(({ ending, endedMs, events }) => [ending, endedMs, events]),
    [
      ["running", null, 2],
      ["ended", late, 2],
      ["crashed", beganMs + 1, 2],
    ],
  );
});

test("a page that is a new sender after a restart continues its session, and a page of another browser does not", () => {
  const page: RunIdentity = { by: "page", process: null, run: null };
  const games = { 1: "web", 2: "web", 3: "web" };
  const { event, batch, sessions } = world({ 1: page, 2: page, 3: page }, [], games);
  batch(event(1, "web_a"));
  batch(event(2, "web_b", beganMs + 60_000), event(3, "web_c", beganMs + 60_000, "Another browser"));
  assert.deepEqual(counts(sessions()), [
    ["web", 2, 0],
    ["web", 1, 0],
  ]);
});
