// Which session an event belongs to: pure, with runs and games as they are told here.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunFacts } from "../senders.ts";
import { type Assigned, assign, type Known } from "./assign.ts";
import { type OpenSession, quietMs } from "./open-session.ts";
import type { Arrived } from "./session-store.ts";

const beganMs = Date.UTC(2026, 4, 1, 18);
const of = (pid: number): RunFacts => ({ by: "process", process: { pid, startedAt: `boot ${pid}` }, run: null });

/** A world in which these processes run, and senders 1, 2, … are who is said. */
function world(
  facts: Readonly<Record<number, RunFacts>>,
  alive: readonly number[],
  games: Record<number, string> = {},
) {
  let known: Known = { near: new Map(), ofSenders: new Map(), lastPart: undefined };
  const all = new Map<string, OpenSession>();
  const owners = new Map<number, string>();
  let seq = 0;
  const event = (sender: number | null, eventId: string | null, atMs = beganMs, client = "Engine"): Arrived => {
    seq += 1;
    return { seq, kind: eventId === null ? "monitor" : "recording", eventId, sender, origin: null, client, atMs };
  };
  const batch = (...rows: readonly Arrived[]): Assigned => {
    const found = assign(rows, known, {
      senders: { factsOf: (id) => facts[id], gameOf: (id) => games[id ?? 0] ?? null },
      life: { isAlive: ({ pid }) => alive.includes(pid), startedMs: () => beganMs - 5_000 },
      gameOf: (_, id) => id.split("_")[0] ?? null,
    });
    for (const [id, one] of found.changed) all.set(id, one);
    for (const id of found.joined.keys()) all.delete(id);
    for (const [sender, id] of found.owners) owners.set(sender, found.joined.get(id) ?? id);
    const ofSenders = [...owners].flatMap(([sender, id]) => {
      const one = all.get(id);
      return one === undefined ? [] : [[sender, one] as const];
    });
    known = { near: new Map(all), ofSenders: new Map(ofSenders), lastPart: found.lastPart };
    return found;
  };
  const end = (id: string, what: Partial<OpenSession>) => {
    const one = all.get(id);
    assert.ok(one);
    all.set(id, { ...one, ...what });
    known = { ...known, near: new Map(all) };
    known = { ...known, ofSenders: new Map([...known.ofSenders].map(([s, o]) => [s, all.get(o.id) ?? o])) };
  };
  return { event, batch, end, sittings: () => [...all.values()] };
}
const counts = (sittings: readonly OpenSession[]) => sittings.map(({ game, events, errors }) => [game, events, errors]);

test("two games that send at once have a session each, with the reports of their own", () => {
  const { event, batch, sittings } = world({ 1: of(11), 2: of(22) }, [11, 22], { 1: "saga", 2: "quest" });
  const { parts } = batch(event(1, "saga_a"), event(2, "quest_a"), event(2, null), event(1, null), event(1, "saga_b"));
  assert.deepEqual(counts(sittings()), [
    ["saga", 3, 1],
    ["quest", 2, 1],
  ]);
  assert.deepEqual(
    parts.map(({ first, last }) => [first, last]),
    [
      [1, 1],
      [2, 3],
      [4, 5],
    ],
  );
});

test("while one game plays its part of the journal is one stretch that grows over batches", () => {
  const { event, batch } = world({ 1: of(11) }, [11], { 1: "saga" });
  const [one] = batch(event(1, "saga_a"), event(1, "saga_b")).parts;
  const { parts } = batch(event(1, "saga_c"), event(1, null));
  assert.deepEqual(parts, [{ first: 1, last: 4, session: one?.session }]);
});

test("a run whose program sends ids of other games is one session all the same", () => {
  const { event, batch, sittings } = world({ 1: of(11) }, [11]);
  batch(event(1, "boss_defeated"), event(1, "level_up"));
  assert.deepEqual(counts(sittings()), [[null, 2, 0]]);
});

test("a session begins with its process, not with its first event", () => {
  const { event, batch, sittings } = world({ 1: of(11) }, [11], { 1: "saga" });
  batch(event(1, "saga_a"));
  assert.equal(sittings()[0]?.startedMs, beganMs - 5_000);
});

test("without a run ten minutes of silence end a session, a minute does not", () => {
  const { event, batch, sittings } = world({}, []);
  batch(event(null, "saga_a"), event(null, "saga_b", beganMs + 60_000));
  batch(event(null, "saga_c", beganMs + 60_000 + quietMs - 1));
  assert.deepEqual(counts(sittings()), [["saga", 3, 0]]);
  batch(event(null, "saga_d", beganMs + 60_000 + 2 * quietMs));
  assert.deepEqual(counts(sittings()), [
    ["saga", 3, 0],
    ["saga", 1, 0],
  ]);
});

test("a report that nobody is known to have sent is in no session", () => {
  const { event, batch, sittings } = world({}, []);
  const { parts } = batch(event(null, "saga_a"), event(null, null), event(null, "saga_b"));
  assert.deepEqual(
    parts.map(({ first, last }) => [first, last]),
    [
      [1, 1],
      [3, 3],
    ],
  );
  assert.deepEqual(counts(sittings()), [["saga", 2, 0]]);
});

test("command lines that send one event each are no games: together they are what came of that game", () => {
  const gone = Object.fromEntries([1, 2, 3].map((sender) => [sender, of(sender * 11)]));
  const { event, batch, sittings } = world(gone, [], { 1: "saga", 2: "saga", 3: "saga" });
  batch(event(1, "saga_a"), event(2, "saga_b"));
  batch(event(3, "saga_c"));
  assert.deepEqual(counts(sittings()), [["saga", 3, 0]]);
});

test("the only event of a game that died is a session where it is a report", () => {
  const { event, batch, sittings } = world({ 1: of(11) }, [], { 1: "saga" });
  batch(event(1, null));
  assert.deepEqual(counts(sittings()), [["saga", 1, 1]]);
  assert.equal(sittings()[0]?.process?.pid, 11);
});

test("an event without a run joins the only run of its game, and of two runs none", () => {
  const games = { 1: "saga", 2: "saga" };
  const { event, batch, sittings } = world({ 1: of(11), 2: of(22) }, [11, 22], games);
  batch(event(1, "saga_a"), event(null, "saga_b"));
  assert.deepEqual(counts(sittings()), [["saga", 2, 0]]);
  batch(event(2, "saga_c"), event(null, "saga_d"));
  assert.deepEqual(counts(sittings()), [
    ["saga", 2, 0],
    ["saga", 1, 0],
    ["saga", 1, 0],
  ]);
});

test("what came of a game before its sender was found is taken in, in the same batch or later", () => {
  const one = world({ 1: of(11) }, [11], { 1: "saga" });
  const { parts, begun } = one.batch(one.event(null, "saga_a"), one.event(1, "saga_b"));
  assert.deepEqual(counts(one.sittings()), [["saga", 2, 0]]);
  assert.deepEqual([begun.length, new Set(parts.map(({ session }) => session)).size], [1, 1]);
  const other = world({ 1: of(11) }, [11], { 1: "saga" });
  other.batch(other.event(null, "saga_a"));
  const { joined } = other.batch(other.event(1, "saga_b"));
  assert.deepEqual([counts(other.sittings()), joined.size], [[["saga", 2, 0]], 1]);
});

test("what a run sent last is its own where its end was known first, what came of its game later is not", () => {
  const { event, batch, end, sittings } = world({ 1: of(11) }, [11], { 1: "saga" });
  batch(event(1, "saga_a"));
  const [one] = sittings();
  end(one?.id ?? "", { endedMs: beganMs + 2_000, ending: "exited" });
  batch(event(null, "saga_b", beganMs + 1_000), event(null, "saga_c", beganMs + 3_000));
  assert.deepEqual(counts(sittings()), [
    ["saga", 2, 0],
    ["saga", 1, 0],
  ]);
});

test("what came of a game before its process began is another sitting", () => {
  const { event, batch, sittings } = world({ 1: of(11) }, [11], { 1: "saga" });
  batch(event(null, "saga_a", beganMs - 6_000));
  batch(event(1, "saga_b"));
  assert.deepEqual(counts(sittings()), [
    ["saga", 1, 0],
    ["saga", 1, 0],
  ]);
});

test("a late event of a run that ended is of that session; one that still runs goes on, one that `kit run` saw end stays ended", () => {
  const alive = [11];
  const { event, batch, end, sittings } = world({ 1: of(11), 2: of(22), 3: of(33) }, alive, { 1: "a", 2: "b", 3: "c" });
  alive.push(22, 33);
  batch(event(1, "a_1"), event(2, "b_1"), event(3, "c_1"));
  const [one, two, three] = sittings();
  assert.ok(one && two && three);
  end(one.id, { endedMs: beganMs + 1, ending: "ended" });
  end(two.id, { endedMs: beganMs + 1, ending: "ended" });
  end(three.id, { endedMs: beganMs + 1, ending: "crashed" });
  alive.splice(alive.indexOf(22), 1);
  const late = beganMs + 9_000;
  batch(event(1, "a_2", late), event(2, "b_2", late), event(3, "c_2", late));
  assert.deepEqual(
    sittings().map(({ ending, endedMs, events }) => [ending, endedMs, events]),
    [
      ["running", null, 2],
      ["ended", late, 2],
      ["crashed", beganMs + 1, 2],
    ],
  );
});

test("a page that is another sender after a restart goes on in its session, another browser's does not", () => {
  const page: RunFacts = { by: "page", process: null, run: null };
  const games = { 1: "web", 2: "web", 3: "web" };
  const { event, batch, sittings } = world({ 1: page, 2: page, 3: page }, [], games);
  batch(event(1, "web_a"));
  batch(event(2, "web_b", beganMs + 60_000), event(3, "web_c", beganMs + 60_000, "Another browser"));
  assert.deepEqual(counts(sittings()), [
    ["web", 2, 0],
    ["web", 1, 0],
  ]);
});
