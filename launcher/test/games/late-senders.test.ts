// Tests of sender lookups that outlast the game's request: the event still gets its sender afterwards.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import type { EventKind } from "@kit/contract";
import { EventAssignment } from "../../src/games/event-assignment.ts";
import { GameRegistry } from "../../src/games/games.ts";
import type { PeerProcess } from "../../src/games/process-lookup/processes.ts";
import { SenderRegistry } from "../../src/games/senders.ts";
import { type Dispatcher, startDispatcher } from "../../src/inbox/dispatcher.ts";
import { createInbox } from "../../src/inbox/inbox.ts";
import { createInboxStore, updateEventSender } from "../../src/inbox/inbox-store.ts";
import { sql } from "../../src/storage/sql.ts";
import { openStorageFolder, type StorageFolder } from "../support/storage-folder.ts";
import { until } from "../support/until.ts";

const saga: PeerProcess = {
  pid: 4_001,
  path: "/saga",
  command: "/saga",
  arguments: [],
  folder: "/",
  startedAt: "boot 1",
};
const beganMs = Date.UTC(2026, 0, 1);

let folder: StorageFolder;
before(async () => {
  folder = await openStorageFolder();
});
after(() => folder?.[Symbol.asyncDispose]());

let handOver: Dispatcher | undefined;
beforeEach(() => {
  const tables = [sql`DELETE FROM event`, sql`DELETE FROM hand_over`, sql`DELETE FROM game`, sql`DELETE FROM sender`];
  return folder.storage.write(...tables);
});
afterEach(() => handOver?.stop());

/** What takes events in and hands the reports on, where the search for who sends ends when the test says so. */
async function start() {
  const { storage } = folder;
  const searched = Promise.withResolvers<PeerProcess | undefined>();
  const nothing = () => undefined;
  const now = () => beganMs;
  let filings = 0;
  let looks = 0;
  const onChanged = () => senders.onGamesChanged();
  const onFailure = (error: unknown) => assert.fail(`${error}`);
  const games = new GameRegistry({ storage, now, onChanged, onSeen: onChanged });
  const senders = new SenderRegistry({ games, storage, now, onGameChanged: onChanged });
  const onFiled = () => {
    filings += 1;
  };
  const connections = { findPeer: () => ({ inTime: Promise.resolve(undefined), found: searched.promise }) };
  const late = new EventAssignment({
    games,
    senders,
    connections,
    storage,
    senderFound: updateEventSender,
    onAssigned: onFiled,
    onFailure,
  });
  await Promise.all([games.load(), senders.load()]);
  const journal = createInboxStore(storage, late.gameOf);
  const handed: (string | null)[] = [];
  const reports = {
    kind: "monitor" as const,
    ready() {
      looks += 1;
      return late.waitForSenders();
    },
    async receive(entries: readonly { readonly event: { readonly game: string | null } }[]) {
      handed.push(...entries.map(({ event }) => event.game));
      return { statements: [] };
    },
  };
  const hands = startDispatcher([reports], { journal, storage, onDispatched: nothing, onFailure });
  handOver = hands;
  await until("it looked when it began", () => looks > 0);
  const floodLimiter = { countBySender: nothing, countOrAdmit: async () => undefined };
  const told = { onGameEvent: nothing, onArrival: nothing, onStored: [hands.wake] };
  const inbox = createInbox({ ...told, storage, assignment: late, floodLimiter, now });
  const send = async (kind: EventKind, said: { eventId: string } | { message: string; stackTrace: string }) => {
    const body = { ...said, timestamp: new Date(beganMs).toISOString() };
    return (await inbox.accept({ kind, body, repeated: false, origin: null, client: null, socket: {} })).id;
  };
  return {
    trigger: (eventId: string) => send("recording", { eventId }),
    report: (message: string) => send("monitor", { message, stackTrace: "" }),
    gameOf: async (id: string) => (await journal.find(id))?.event.game,
    found: searched.resolve,
    late,
    handed,
    filings: () => filings,
    looks: () => looks,
  };
}

test("a report is answered while its sender is looked for, and handed on once that is known, with its game", async () => {
  const { trigger, report, gameOf, found, handed, filings, looks } = await start();
  await trigger("saga_boss");
  const stuck = await report("The door is stuck");
  await until("it was looked for", () => looks() > 1);
  assert.equal(await gameOf(stuck), null);
  assert.deepEqual(handed, []);
  found(saga);
  await until("it is handed on", () => handed.length > 0);
  assert.deepEqual(handed, ["saga"]);
  assert.equal(await gameOf(stuck), "saga");
  assert.equal(filings(), 1);
});

test("a report whose sender is not found is handed on all the same, unsorted", async () => {
  const { trigger, report, gameOf, found, handed, filings } = await start();
  await trigger("saga_boss");
  const stuck = await report("The door is stuck");
  found(undefined);
  await until("it is handed on", () => handed.length > 0);
  assert.deepEqual(handed, [null]);
  assert.deepEqual([await gameOf(stuck), filings()], [null, 0]);
});

test("a search that does not end holds reports up for two seconds; what it finds then still files them", async () => {
  const { trigger, report, gameOf, found, handed } = await start();
  await trigger("saga_boss");
  const stuck = await report("The door is stuck");
  const askedMs = performance.now();
  await until("it is handed on", () => handed.length > 0);
  assert.ok(performance.now() - askedMs > 1_900);
  assert.deepEqual(handed, [null]);
  found(saga);
  await until("it is filed", async () => (await gameOf(stuck)) === "saga");
});

test("of a flood that comes while its sender is looked for a thousand events wait for it, all are kept, and it is told once", async () => {
  const { trigger, found, late, filings } = await start();
  await Promise.all(Array.from({ length: 1_200 }, () => trigger("saga_boss")));
  found(saga);
  await late.waitForSenders();
  const counted = sql`SELECT count(*) AS events, count(sender) AS filed FROM event`;
  assert.deepEqual({ ...(await folder.storage.read(counted))[0] }, { events: 1_200, filed: 1_000 });
  assert.equal(filings(), 1, "it is told once");
});
