// Every accepted event reaches its slice: at least once, in order, and after a crash from where it stopped.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { EventKind } from "@kit/contract";
import { openStorageFolder, type StorageFolder } from "../../test/support/storage-folder.ts";
import { type Statement, sql } from "../storage/sql.ts";
import { type Consumer, type Dispatcher, type DispatcherDeps, startDispatcher } from "./dispatcher.ts";
import { createInboxStore, type InboxStore, insertEvent, insertReceiptState } from "./inbox-store.ts";

let folder: StorageFolder;
let journal: InboxStore;
before(async () => {
  folder = await openStorageFolder();
  journal = createInboxStore(folder.storage, () => null);
});
after(() => folder?.[Symbol.asyncDispose]());
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

/** A slice that writes down what it got, and calls `onReceive` before it is done. */
function slice(kind: EventKind, onReceive: (ids: readonly string[]) => Statement[] | Promise<Statement[]> = () => []) {
  const got: string[] = [];
  const consumer: Consumer = {
    kind,
    async receive(entries) {
      const ids = entries.map(({ event }) => event.id);
      const statements = await onReceive(ids);
      got.push(...ids);
      return { statements: [insertReceiptState(entries, "handed-over", kind, 0), ...statements] };
    },
  };
  return { consumer, got };
}

type Started = Dispatcher & {
  /** Resolves when that many passes have been written down. */
  passed(count: number): Promise<void>;
  failures: EventKind[];
};

function start(consumers: readonly Consumer[], needs: Partial<DispatcherDeps> = {}): Started {
  const failures: EventKind[] = [];
  let passes = 0;
  const waiting = new Map<number, () => void>();
  const handOver = startDispatcher(consumers, {
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
  return { ...handOver, passed, failures };
}

test("a slice gets the accepted events of its kind in the order in which they came, and no others", async () => {
  const recording = slice("recording");
  const social = slice("social");
  const wanted: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    wanted.push(await store("recording"));
    await store("monitor");
    await store("recording", "ignored");
  }
  const handOver = start([recording.consumer, social.consumer]);
  await handOver.passed(1);
  await handOver.stop();
  assert.deepEqual([recording.got, social.got], [wanted, []]);
});

test("what arrives later is handed over when the slice is woken", async () => {
  const { consumer, got } = slice("monitor");
  const first = await store("monitor");
  const handOver = start([consumer]);
  await handOver.passed(1);
  const second = await store("monitor");
  handOver.wake("monitor");
  await handOver.passed(2);
  await handOver.stop();
  assert.deepEqual(got, [first, second]);
});

test("more events than fit into one pass are handed over without being woken again", async () => {
  const { consumer, got } = slice("social");
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
  const handOver = start([consumer]);
  await handOver.passed(3);
  await handOver.stop();
  assert.deepEqual(
    got,
    Array.from({ length: 1_100 }, (_, index) => `many-${index}`),
  );
});

test("after a start a slice goes on where it stopped", async () => {
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
  assert.deepEqual(later.got, [next]);
});

test("what a slice received but could not write down it receives again", async () => {
  const { consumer, got } = slice("recording");
  const id = await store("recording");
  let writes = 0;
  const write = (...statements: Statement[]) => {
    writes += 1;
    return writes === 1 ? Promise.reject(new Error("the power failed")) : folder.storage.write(...statements);
  };
  const handOver = start([consumer], { storage: { write } });
  await handOver.passed(1);
  await handOver.stop();
  assert.deepEqual(got, [id, id]);
  assert.deepEqual(handOver.failures, ["recording"]);
  const place = (await journal.find(id))?.seq ?? 0;
  assert.equal((await journal.listStates(place)).length, 1, "the receipt says it once");
});

test("a slice's states and its place are written together or not at all", async () => {
  const broken = slice("recording", () => [sql`INSERT INTO nowhere (x) VALUES (1)`]);
  const id = await store("recording");
  const failed = Promise.withResolvers<void>();
  const handOver = start([broken.consumer], { onFailure: () => failed.resolve() });
  await failed.promise;
  await handOver.stop();
  assert.deepEqual(await journal.loadCursors(), new Map());
  assert.deepEqual(await journal.listStates((await journal.find(id))?.seq ?? 0), []);
});

test("a slice that fails does not stop the others, and gets its events in order when it is well again", async () => {
  let isWell = false;
  const recording = slice("recording", () => {
    if (!isWell) throw new Error("no encoder");
    return [];
  });
  const social = slice("social");
  const events = [await store("recording"), await store("recording")];
  const post = await store("social");
  const handOver = start([recording.consumer, social.consumer]);
  await handOver.passed(1);
  assert.deepEqual([recording.got, social.got], [[], [post]]);
  isWell = true;
  await handOver.passed(2);
  await handOver.stop();
  assert.deepEqual(recording.got, events);
  assert.ok(handOver.failures.length > 0 && handOver.failures.every((kind) => kind === "recording"));
});

test("a slice that never comes to an end does not slow the others down", async () => {
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<Statement[]>();
  const recording = slice("recording", () => {
    begun.resolve();
    return gate.promise;
  });
  const social = slice("social");
  await store("recording");
  const handOver = start([recording.consumer, social.consumer]);
  await begun.promise;
  await store("social");
  handOver.wake("social");
  await handOver.passed(1);
  gate.resolve([]);
  await handOver.stop();
});

test("a failing slice is tried less and less often", async () => {
  const failed: number[] = [];
  const fifth = Promise.withResolvers<void>();
  const recording = slice("recording", () => {
    failed.push(performance.now());
    if (failed.length === 5) fifth.resolve();
    throw new Error("no encoder");
  });
  await store("recording");
  const handOver = start([recording.consumer]);
  await fifth.promise;
  await handOver.stop();
  const waits = failed.slice(1).map((ms, index) => ms - (failed[index] ?? 0));
  assert.ok((waits.at(-1) ?? 0) > (waits[0] ?? 0), `${waits}`);
});

test("a journal that cannot be read yet is asked again", async () => {
  const { consumer, got } = slice("recording");
  const id = await store("recording");
  let asked = 0;
  const handedOver = () => {
    asked += 1;
    return asked === 1 ? Promise.reject(new Error("locked")) : journal.loadCursors();
  };
  const handOver = start([consumer], { journal: { listAfter: journal.listAfter, loadCursors: handedOver } });
  await handOver.passed(1);
  await handOver.stop();
  assert.deepEqual(got, [id]);
});

test("stopping waits for the pass that is under way", async () => {
  const gate = Promise.withResolvers<Statement[]>();
  const begun = Promise.withResolvers<void>();
  const { consumer, got } = slice("social", () => {
    begun.resolve();
    return gate.promise;
  });
  const id = await store("social");
  const handOver = start([consumer]);
  await begun.promise;
  const stopped = handOver.stop();
  gate.resolve([]);
  await stopped;
  assert.deepEqual(got, [id]);
  assert.equal((await journal.loadCursors()).get("social"), (await journal.find(id))?.seq);
});

test("a slice is told when what it said is durable, and not before", async () => {
  const told: string[] = [];
  const { consumer } = slice("recording", () => {
    told.push("received");
    return [];
  });
  await store("recording");
  let writes = 0;
  const write = async (...statements: Statement[]) => {
    writes += 1;
    if (writes === 1) throw new Error("the power failed");
    await folder.storage.write(...statements);
    told.push("written");
  };
  const toldAfter: Consumer = {
    ...consumer,
    receive: async (entries) => ({
      ...(await consumer.receive(entries)),
      committed: () => void told.push("committed"),
    }),
  };
  const handOver = start([toldAfter], { storage: { write } });
  await handOver.passed(1);
  await handOver.stop();
  assert.deepEqual(told, ["received", "received", "written", "committed"]);
});
