// Tests of the dispatcher: every accepted event reaches its slice at least once, in order, and after a crash from its cursor.
import assert from "node:assert/strict";
import { type EventKind, textOf } from "@kit/contract";
import { afterAll, beforeAll, beforeEach, test, vi } from "vitest";
import { openStorageFolder, type StorageFolder } from "../../test/support/storage-folder.ts";
import { type Statement, sql } from "../storage/sql.ts";
import { type Dispatcher, type DispatcherDeps, type EventConsumer, startDispatcher } from "./dispatcher.ts";
import { createInboxStore, type InboxStore, insertEvent, insertReceiptState } from "./inbox-store.ts";

let folder: StorageFolder;
let journal: InboxStore;
beforeAll(async () => {
  folder = await openStorageFolder();
  journal = createInboxStore(folder.storage, () => null);
});
afterAll(() => folder?.[Symbol.asyncDispose]());
beforeEach(() => folder.storage.write(sql`DELETE FROM event`, sql`DELETE FROM receipt`, sql`DELETE FROM hand_over`));

let number = 0;
/** Stores an event and returns its id. */
async function store(kind: EventKind, status: "accepted" | "ignored" = "accepted"): Promise<string> {
  number += 1;
  const id = `event-${number}`;
  const times = { actsOnMs: 0, receivedAtMs: 0 };
  const reason = status === "ignored" ? ("event_off" as const) : null;
  const rest = { eventId: "a_b", payload: "{}", notes: [], origin: null, client: null };
  await folder.storage.write(insertEvent({ id, kind, status, reason, ...times, ...rest }));
  return id;
}

/** A slice that records the ids it received, and calls `onReceive` before it is done. */
function slice(kind: EventKind, onReceive: (ids: readonly string[]) => Statement[] | Promise<Statement[]> = () => []) {
  const received: string[] = [];
  const consumer: EventConsumer = {
    kind,
    async receive(entries) {
      const ids = entries.map(({ event }) => event.id);
      const statements = await onReceive(ids);
      received.push(...ids);
      return { statements: [insertReceiptState(entries, "handed-over", kind, 0), ...statements] };
    },
  };
  return { consumer, received };
}

type Started = Dispatcher & {
  /** Resolves when that many passes have been committed. */
  passed(count: number): Promise<void>;
  failures: EventKind[];
};

function start(consumers: readonly EventConsumer[], needs: Partial<DispatcherDeps> = {}): Started {
  const failures: EventKind[] = [];
  let passes = 0;
  const waiting = new Map<number, () => void>();
  const dispatcher = startDispatcher(consumers, {
    journal,
    storage: folder.storage,
    onDispatched() {
      passes += 1;
      waiting.get(passes)?.();
    },
    onFailure: (kind) => failures.push(kind),
    ...needs,
  });
  const passed = (count: number) =>
    passes >= count ? Promise.resolve() : new Promise<void>((resolve) => waiting.set(count, resolve));
  return { ...dispatcher, passed, failures };
}

test("a slice gets the accepted events of its kind in the order of arrival, and no others", async () => {
  const recording = slice("recording");
  const social = slice("social");
  const wanted: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    wanted.push(await store("recording"));
    await store("monitor");
    await store("recording", "ignored");
  }
  const dispatcher = start([recording.consumer, social.consumer]);
  await dispatcher.passed(1);
  await dispatcher.stop();
  assert.deepEqual([recording.received, social.received], [wanted, []]);
});

test("a later event is dispatched when the slice is woken", async () => {
  const { consumer, received } = slice("monitor");
  const first = await store("monitor");
  const dispatcher = start([consumer]);
  await dispatcher.passed(1);
  const second = await store("monitor");
  dispatcher.wake("monitor");
  await dispatcher.passed(2);
  await dispatcher.stop();
  assert.deepEqual(received, [first, second]);
});

test("more events than fit into one pass are dispatched with one wake", async () => {
  const { consumer, received } = slice("social");
  const statements = Array.from({ length: 1_100 }, (_, index) =>
    insertEvent({
      id: `many-${index}`,
      kind: "social",
      eventId: "a_b",
      payload: "{}",
      actsOnMs: 0,
      receivedAtMs: 0,
      status: "accepted",
      reason: null,
      notes: [],
      origin: null,
      client: null,
    }),
  );
  await folder.storage.write(...statements);
  const dispatcher = start([consumer]);
  await dispatcher.passed(3);
  await dispatcher.stop();
  assert.deepEqual(
    received,
    Array.from({ length: 1_100 }, (_, index) => `many-${index}`),
  );
});

test("after a restart a slice continues where it stopped", async () => {
  const before = slice("recording");
  await store("recording");
  const first = start([before.consumer]);
  await first.passed(1);
  await first.stop();
  const next = await store("recording");
  const later = slice("recording");
  const second = start([later.consumer]);
  await second.passed(1);
  await second.stop();
  assert.deepEqual(later.received, [next]);
});

test("a slice receives events again if it could not store their states", async () => {
  const { consumer, received } = slice("recording");
  const id = await store("recording");
  let writes = 0;
  const write = (...statements: Statement[]) => {
    writes += 1;
    return writes === 1 ? Promise.reject(new Error("the power failed")) : folder.storage.write(...statements);
  };
  const dispatcher = start([consumer], { storage: { ...folder.storage, write } });
  await dispatcher.passed(1);
  await dispatcher.stop();
  assert.deepEqual(received, [id, id]);
  assert.deepEqual(dispatcher.failures, ["recording"]);
  const place = (await journal.find(id))?.seq ?? 0;
  assert.equal((await journal.listStates(place)).length, 1, "the receipt has one entry");
});

test("a slice's states and its cursor are committed together or not at all", async () => {
  const broken = slice("recording", () => [sql`INSERT INTO nowhere (x) VALUES (1)`]);
  const id = await store("recording");
  const failed = Promise.withResolvers<void>();
  const dispatcher = start([broken.consumer], { onFailure: () => failed.resolve() });
  await failed.promise;
  await dispatcher.stop();
  assert.deepEqual(await journal.loadCursors(), new Map());
  assert.deepEqual(await journal.listStates((await journal.find(id))?.seq ?? 0), []);
});

test("a failing slice does not stop the others, says so, and gets its events in order when it works again", async () => {
  let works = false;
  const recording = slice("recording", () => {
    if (!works) throw new Error("no encoder");
    return [];
  });
  const social = slice("social");
  const events = [await store("recording"), await store("recording")];
  const post = await store("social");
  const verify = vi.fn();
  const dispatcher = start([recording.consumer, social.consumer], { storage: { ...folder.storage, verify } });
  await dispatcher.passed(1);
  assert.deepEqual([recording.received, social.received], [[], [post]]);
  await vi.waitFor(() => assert.ok(dispatcher.failures.length > 1));
  assert.match(dispatcher.failing().map(textOf).join(), /^Kit stores new moments, but cannot.*no encoder$/);
  assert.equal(verify.mock.calls.length, 1, "the file is checked once");
  works = true;
  await dispatcher.passed(2);
  assert.deepEqual(dispatcher.failing(), []);
  await dispatcher.stop();
  assert.deepEqual(recording.received, events);
  assert.ok(dispatcher.failures.length > 0 && dispatcher.failures.every((kind) => kind === "recording"));
});

test("a slice that never finishes does not delay the others", async () => {
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<Statement[]>();
  const recording = slice("recording", () => {
    begun.resolve();
    return gate.promise;
  });
  const social = slice("social");
  await store("recording");
  const dispatcher = start([recording.consumer, social.consumer]);
  await begun.promise;
  await store("social");
  dispatcher.wake("social");
  await dispatcher.passed(1);
  gate.resolve([]);
  await dispatcher.stop();
});

test("a failing slice is retried less and less often", async () => {
  let failures = 0;
  const fifth = Promise.withResolvers<void>();
  const recording = slice("recording", () => {
    failures += 1;
    if (failures === 5) fifth.resolve();
    throw new Error("no encoder");
  });
  // The requested pauses, because a busy machine makes each of them longer.
  const timers = vi.spyOn(globalThis, "setTimeout");
  await store("recording");
  const dispatcher = start([recording.consumer]);
  await fifth.promise;
  await dispatcher.stop();
  const pauses = timers.mock.calls.map(([, ms]) => ms ?? 0).filter((ms) => ms >= 100);
  assert.deepEqual(pauses.slice(0, 4), [200, 400, 800, 1_600]);
});

test("a journal that cannot be read yet is read again", async () => {
  const { consumer, received } = slice("recording");
  const id = await store("recording");
  let reads = 0;
  const loadCursors = () => {
    reads += 1;
    return reads === 1 ? Promise.reject(new Error("locked")) : journal.loadCursors();
  };
  const dispatcher = start([consumer], { journal: { listAfter: journal.listAfter, loadCursors } });
  await dispatcher.passed(1);
  await dispatcher.stop();
  assert.deepEqual(received, [id]);
});

test("stopping waits for the running pass", async () => {
  const gate = Promise.withResolvers<Statement[]>();
  const begun = Promise.withResolvers<void>();
  const { consumer, received } = slice("social", () => {
    begun.resolve();
    return gate.promise;
  });
  const id = await store("social");
  const dispatcher = start([consumer]);
  await begun.promise;
  const stopped = dispatcher.stop();
  gate.resolve([]);
  await stopped;
  assert.deepEqual(received, [id]);
  assert.equal((await journal.loadCursors()).get("social"), (await journal.find(id))?.seq);
});

test("a slice is notified after its states are durable, and not before", async () => {
  const steps: string[] = [];
  const { consumer } = slice("recording", () => {
    steps.push("received");
    return [];
  });
  await store("recording");
  let writes = 0;
  const write = async (...statements: Statement[]) => {
    writes += 1;
    if (writes === 1) throw new Error("the power failed");
    await folder.storage.write(...statements);
    steps.push("written");
  };
  const notified: EventConsumer = {
    ...consumer,
    receive: async (entries) => ({
      ...(await consumer.receive(entries)),
      committed: () => void steps.push("committed"),
    }),
  };
  const dispatcher = start([notified], { storage: { ...folder.storage, write } });
  await dispatcher.passed(1);
  await dispatcher.stop();
  assert.deepEqual(steps, ["received", "received", "written", "committed"]);
});
