// Tests of the inbox: what is stored of an event, its notes, and when the game is answered.
import assert from "node:assert/strict";
import { KitError, type KitEvent, textOf } from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { openStorageFolder, type StorageFolder } from "../../test/support/storage-folder.ts";
import { sql } from "../storage/sql.ts";
import { createInbox, type GameAssignment, type InboxDeps, type IncomingEvent, truncateText } from "./inbox.ts";
import { createInboxStore } from "./inbox-store.ts";

let folder: StorageFolder;
beforeAll(async () => {
  folder = await openStorageFolder();
});
afterAll(() => folder?.[Symbol.asyncDispose]());

const arrivedMs = Date.UTC(2026, 5, 15, 12);
const at = (driftMs: number) => new Date(arrivedMs + driftMs).toISOString();
const sent = (body: Partial<IncomingEvent["body"]>, more: Partial<IncomingEvent> = {}): IncomingEvent => ({
  kind: "recording",
  body: { eventId: "saga_boss", timestamp: at(0), ...body },
  repeated: false,
  origin: null,
  client: null,
  socket: {},
  ...more,
});

function inboxWith({ judge, findSender, buildOf, ...needs }: Partial<InboxDeps & GameAssignment> = {}) {
  return createInbox({
    storage: folder.storage,
    assignment: {
      judge: judge ?? (() => ({ ignored: null, game: null, writes: [] })),
      findSender: findSender ?? (() => null),
      buildOf: buildOf ?? (() => undefined),
      trackLateSender: () => undefined,
    },
    now: () => arrivedMs,
    onGameEvent: () => undefined,
    floodLimiter: { countBySender: () => undefined, countOrAdmit: async () => undefined },
    onArrival: () => undefined,
    onStored: [],
    ...needs,
  });
}

async function kept(id: string): Promise<KitEvent> {
  const found = await createInboxStore(folder.storage, () => null).find(id);
  assert.ok(found);
  return found.event;
}

const clocks: readonly (readonly [source: string, driftMs: number, actsOnMs: number, note: string | undefined])[] = [
  ["its own time, if that is the time of arrival", 0, 0, undefined],
  ["its own time, if that is up to 10 s in the past", -10_000, -10_000, undefined],
  ["the time of arrival, if its own is more than 10 s in the past", -10_001, 0, "10.001 s in the past"],
  ["the time of arrival, if its own is in the future", 1, 0, "0.001 s in the future"],
  ["the time of arrival, if its own is a year in the future", 31_536_000_000, 0, "31536000 s in the future"],
];
for (const [source, driftMs, actsOnMs, note] of clocks) {
  test(`an event counts by ${source}`, async () => {
    const { id } = await inboxWith().accept(sent({ timestamp: at(driftMs) }));
    const event = await kept(id);
    assert.equal(event.payload.timestamp, at(driftMs), "the game's own time is stored as sent");
    assert.deepEqual([event.receivedAt, event.actsOn], [at(0), at(actsOnMs)]);
    if (note === undefined) assert.deepEqual(event.notes, []);
    else assert.match(event.notes.map(textOf).join(), new RegExp(note.replace(".", "\\.")));
  });
}

test("the build of a report is chosen among the one it names and those that Kit knows, and only reports have one", async () => {
  const inbox = inboxWith({
    judge: () => ({ ignored: null, game: "saga", writes: [] }),
    buildOf: (_, game, reported) => reported ?? (game === "saga" ? "1.4.2" : undefined),
  });
  const buildIn = async (event: IncomingEvent) => (await kept((await inbox.accept(event)).id)).payload.build;
  const report = (build?: string | null): IncomingEvent => {
    const body = { message: "The door is stuck", timestamp: at(0), ...(build !== undefined && { build }) };
    return { ...sent({}), kind: "monitor", body };
  };
  assert.deepEqual(
    [await buildIn(report("1.5")), await buildIn(report()), await buildIn(report("  ")), await buildIn(report(null))],
    ["1.5", "1.4.2", "1.4.2", "1.4.2"],
  );
  assert.equal(await buildIn(sent({})), undefined);
});

test("the year 0000 is accepted as a time far in the past", async () => {
  const { id } = await inboxWith().accept(sent({ timestamp: "0000-01-01T00:00:00.000Z" }));
  assert.equal((await kept(id)).actsOn, at(0));
});

test("an event id is a unique UUID of version 7", async () => {
  const ids: string[] = [];
  for (let count = 0; count < 20; count += 1) ids.push((await inboxWith().accept(sent({}))).id);
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(new Set(ids).size, ids.length);
});

test("the game is answered after the event is on disk, not before", async () => {
  const steps: string[] = [];
  const gate = Promise.withResolvers<void>();
  const inbox = inboxWith({
    storage: {
      async write() {
        steps.push("write");
        await gate.promise;
      },
    },
    onStored: [() => steps.push("stored")],
  });
  const answer = inbox.accept(sent({})).then(() => steps.push("answered"));
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(steps, ["write"]);
  gate.resolve();
  await answer;
  assert.deepEqual(steps, ["write", "stored", "answered"]);
});

test("an event that cannot be stored is not acknowledged, and no callback is called", async () => {
  let calls = 0;
  const count = () => {
    calls += 1;
  };
  const inbox = inboxWith({
    storage: { write: () => Promise.reject(new KitError("storage_unavailable", "The disk is full.")) },
    judge: () => ({ ignored: null, game: null, writes: [], committed: count }),
    onStored: [count],
  });
  await assert.rejects(inbox.accept(sent({})), { code: "storage_unavailable" });
  assert.equal(calls, 0);
});

test("an event and what Kit learns from it become durable together or not at all", async () => {
  const broken = sql`INSERT INTO nowhere (x) VALUES (1)`;
  const inbox = inboxWith({ judge: () => ({ ignored: null, game: null, writes: [broken] }) });
  const [{ events } = { events: 0 }] = await folder.storage.read(sql`SELECT count(*) AS events FROM event`);
  await assert.rejects(inbox.accept(sent({})));
  assert.deepEqual(await folder.storage.read(sql`SELECT count(*) AS events FROM event`), [{ events }]);
});

test("an ignored event is stored too, and the answer has the reason", async () => {
  const inbox = inboxWith({ judge: () => ({ ignored: "game_off", game: null, writes: [] }) });
  const { id, ...answer } = await inbox.accept(sent({}));
  assert.deepEqual(answer, { status: "ignored", reason: "game_off" });
  const { status, reason, state } = await kept(id);
  assert.deepEqual([status, reason, state], ["ignored", "game_off", "ignored"]);
});

test("the switches are checked with the id under which the event is stored", async () => {
  const judged: unknown[] = [];
  const judge: GameAssignment["judge"] = (kind, eventId) => {
    judged.push([kind, eventId]);
    return { ignored: null, game: null, writes: [] };
  };
  await inboxWith({ judge }).accept(sent({ eventId: "a_\ud800" }));
  const report = { message: "m", stackTrace: "", timestamp: at(0) };
  await inboxWith({ judge }).accept({ ...sent({}), kind: "monitor", body: report });
  assert.deepEqual(judged, [
    ["recording", "a_\ufffd"],
    ["monitor", null],
  ]);
});

test("the sender's origin and program are stored, the program with at most 300 characters", async () => {
  const { id } = await inboxWith().accept(sent({}, { origin: "http://localhost:8000", client: "x".repeat(9_000) }));
  const { origin, client } = await kept(id);
  assert.deepEqual([origin, client], ["http://localhost:8000", "x".repeat(300)]);
});

test("an event with a repeated JSON member gets a note", async () => {
  const { id } = await inboxWith().accept(sent({}, { repeated: true }));
  assert.match((await kept(id)).notes.map(textOf).join(), /more than once/);
});

const cuts: readonly (readonly [text: string, charsMax: number, cut: string])[] = [
  ["abc", 3, "abc"],
  ["abcd", 3, "abc… [1 more characters were cut]"],
  ["", 3, ""],
  ["ab😀", 4, "ab😀"],
  ["ab😀c", 3, "ab… [3 more characters were cut]"],
  ["ab😀c", 4, "ab😀… [1 more characters were cut]"],
  ["ab\udc00c", 3, "ab\udc00… [1 more characters were cut]"],
];
for (const [text, charsMax, cut] of cuts) {
  test(`${JSON.stringify(text)} cut to ${charsMax} is ${JSON.stringify(cut)}`, () =>
    assert.equal(truncateText(text, charsMax), cut));
}

test("an event is stored and answered after its sender was searched for", async () => {
  const looked = Promise.withResolvers<number>();
  const seen: unknown[] = [];
  const met = (game: string, sender: number | null) => void seen.push([game, sender]);
  const judge = (_: unknown, __: unknown, sender: number | null) => ({
    ignored: null,
    game: `saga ${sender}`,
    writes: [],
  });
  let answered = false;
  const sought = { inTime: looked.promise, found: looked.promise };
  const answer = inboxWith({ findSender: () => sought, onGameEvent: met, judge }).accept(sent({}));
  void answer.then(() => {
    answered = true;
  });
  await folder.storage.write(sql`SELECT 1`);
  assert.deepEqual([seen, answered], [[], false]);
  looked.resolve(7);
  const { id } = await answer;
  assert.deepEqual(seen, [["saga 7", 7]]);
  const [row] = await folder.storage.read(sql`SELECT sender FROM event WHERE id = ${id}`);
  assert.equal(row?.sender, 7);
});

test("a report counts as an event of its sender's game, but does not determine that game", async () => {
  const seen: unknown[] = [];
  const met = (game: string, sender: number | null) => void seen.push([game, sender]);
  const judge = () => ({ ignored: null, game: "saga", writes: [] });
  const body = { message: "it broke", stackTrace: "", timestamp: at(0) };
  await inboxWith({ findSender: () => 7, onGameEvent: met, judge }).accept({ ...sent({}), kind: "monitor", body });
  assert.deepEqual(seen, [["saga", null]]);
});

test("a counted report of a flood is answered with the stored report's id, and the first kind needs no sender", async () => {
  const lookups: string[] = [];
  const inbox = inboxWith({
    floodLimiter: {
      countBySender: ({ message }) => (message === "alike" ? Promise.resolve("kept 1") : undefined),
      countOrAdmit: async ({ message }) => (message === "counted" ? "kept 2" : undefined),
    },
    findSender() {
      lookups.push("sender");
      return null;
    },
  });
  const report = (message: string) => sent({ message, stackTrace: "" }, { kind: "monitor" });
  assert.deepEqual(await inbox.accept(report("alike")), { id: "kept 1", status: "accepted" });
  assert.deepEqual(lookups, []);
  assert.deepEqual(await inbox.accept(report("counted")), { id: "kept 2", status: "accepted" });
  const { id } = await inbox.accept(report("kept"));
  assert.equal((await kept(id)).payload.message, "kept");
  assert.equal(lookups.length, 2);
});

test("an event that is only counted is reported as an arrival, like a stored one", async () => {
  let arrived = 0;
  const inbox = inboxWith({
    floodLimiter: {
      countBySender: ({ message }) => (message === "alike" ? Promise.resolve("kept") : undefined),
      countOrAdmit: async () => undefined,
    },
    onArrival: () => {
      arrived += 1;
    },
  });
  for (const message of ["alike", "kept"]) await inbox.accept(sent({ message, stackTrace: "" }, { kind: "monitor" }));
  assert.equal(arrived, 2);
});

test("a report that a switch turned off is stored and never counted", async () => {
  const inbox = inboxWith({
    floodLimiter: { countBySender: () => undefined, countOrAdmit: () => assert.fail("it must not be counted") },
    judge: () => ({ ignored: "service_off", game: null, writes: [] }),
  });
  const { status } = await inbox.accept(sent({ message: "off", stackTrace: "" }, { kind: "monitor" }));
  assert.equal(status, "ignored");
});
