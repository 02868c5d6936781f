// Tests of sender lookups that outlast the game's request: the event still gets its sender afterwards.
import assert from "node:assert/strict";
import type { EventKind } from "@kit/contract";
import { afterAll, afterEach, beforeAll, beforeEach, test } from "vitest";
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
beforeAll(async () => {
  folder = await openStorageFolder();
});
afterAll(() => folder?.[Symbol.asyncDispose]());

let dispatcher: Dispatcher | undefined;
beforeEach(() => {
  const tables = [sql`DELETE FROM event`, sql`DELETE FROM hand_over`, sql`DELETE FROM game`, sql`DELETE FROM sender`];
  return folder.storage.write(...tables);
});
afterEach(() => dispatcher?.stop());

/** An inbox and a dispatcher whose search for the sender ends when the test says so. */
async function start() {
  const { storage } = folder;
  const searched = Promise.withResolvers<PeerProcess | undefined>();
  const nothing = () => undefined;
  const now = () => beganMs;
  let assignments = 0;
  let looks = 0;
  const onChanged = () => senders.onGamesChanged();
  const onFailure = (error: unknown) => assert.fail(`${error}`);
  const games = new GameRegistry({ storage, now, onChanged, onSeen: onChanged });
  const senders = new SenderRegistry({ games, storage, now, onGameChanged: onChanged });
  const onAssigned = () => {
    assignments += 1;
  };
  const connections = { findPeer: () => ({ inTime: Promise.resolve(undefined), found: searched.promise }) };
  const late = new EventAssignment({
    games,
    senders,
    connections,
    storage,
    senderFound: updateEventSender,
    onAssigned: onAssigned,
    onFailure,
  });
  await Promise.all([games.load(), senders.load()]);
  const journal = createInboxStore(storage, late.gameOf);
  const dispatched: (string | null)[] = [];
  const reports = {
    kind: "monitor" as const,
    ready() {
      looks += 1;
      return late.waitForSenders();
    },
    async receive(entries: readonly { readonly event: { readonly game: string | null } }[]) {
      dispatched.push(...entries.map(({ event }) => event.game));
      return { statements: [] };
    },
  };
  const hands = startDispatcher([reports], { journal, storage, onDispatched: nothing, onFailure });
  dispatcher = hands;
  await until("the dispatcher has looked once", () => looks > 0);
  const floodLimiter = { countBySender: nothing, countOrAdmit: async () => undefined };
  const callbacks = { onGameEvent: nothing, onArrival: nothing, onStored: [hands.wake] };
  const inbox = createInbox({ ...callbacks, storage, assignment: late, floodLimiter, now });
  const send = async (kind: EventKind, members: { eventId: string } | { message: string; stackTrace: string }) => {
    const body = { ...members, timestamp: new Date(beganMs).toISOString() };
    return (await inbox.accept({ kind, body, repeated: false, origin: null, client: null, socket: {} })).id;
  };
  return {
    trigger: (eventId: string) => send("recording", { eventId }),
    report: (message: string) => send("monitor", { message, stackTrace: "" }),
    gameOf: async (id: string) => (await journal.find(id))?.event.game,
    found: searched.resolve,
    dispatched,
    assignments: () => assignments,
    looks: () => looks,
  };
}

test("a report is answered while its sender is searched for, and dispatched with its game when the sender is known", async () => {
  const { trigger, report, gameOf, found, dispatched, assignments, looks } = await start();
  await trigger("saga_boss");
  const stuck = await report("The door is stuck");
  await until("the sender is searched for", () => looks() > 1);
  assert.equal(await gameOf(stuck), null);
  assert.deepEqual(dispatched, []);
  found(saga);
  await until("the report is dispatched", () => dispatched.length > 0);
  assert.deepEqual(dispatched, ["saga"]);
  assert.equal(await gameOf(stuck), "saga");
  assert.equal(assignments(), 1);
});

test("a report whose sender is not found is dispatched without a game", async () => {
  const { trigger, report, gameOf, found, dispatched, assignments } = await start();
  await trigger("saga_boss");
  const stuck = await report("The door is stuck");
  found(undefined);
  await until("the report is dispatched", () => dispatched.length > 0);
  assert.deepEqual(dispatched, [null]);
  assert.deepEqual([await gameOf(stuck), assignments()], [null, 0]);
});

test("an endless search delays a report by two seconds, and its later result still assigns the report", async () => {
  const { trigger, report, gameOf, found, dispatched } = await start();
  // Storing may take long, and the dispatcher waits from the first event on.
  const beganWaitingMs = performance.now();
  await trigger("saga_boss");
  const stuck = await report("The door is stuck");
  await until("the report is dispatched", () => dispatched.length > 0);
  assert.ok(performance.now() - beganWaitingMs > 1_900);
  assert.deepEqual(dispatched, [null]);
  found(saga);
  await until("the report is assigned", async () => (await gameOf(stuck)) === "saga");
});

test("in a flood during a search a thousand events wait for their sender, every event is kept, and one change is reported", async () => {
  const { trigger, found, assignments } = await start();
  await Promise.all(Array.from({ length: 1_200 }, () => trigger("saga_boss")));
  found(saga);
  await until("the senders are set", () => assignments() > 0);
  const counted = sql`SELECT count(*) AS events, count(sender) AS filed FROM event`;
  assert.deepEqual({ ...(await folder.storage.read(counted))[0] }, { events: 1_200, filed: 1_000 });
  assert.equal(assignments(), 1, "one change is reported");
});
