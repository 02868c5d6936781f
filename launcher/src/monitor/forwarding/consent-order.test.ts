// Tests of what a person's decision covers: reports that were acknowledged after it, whenever they are counted.
import assert from "node:assert/strict";
import { type Event, type EventEnvelope, parseEnvelope } from "@sentry/core";
import { test } from "vitest";
import { type ForwardFolder, openForwardFolder } from "../../../test/monitor/forwarding-folder.ts";
import { type Received, startForwardServer } from "../../../test/monitor/forwarding-server.ts";
import { beganMs, reportWith, type Wanted } from "../../../test/monitor/monitor-folder.ts";
import { sql } from "../../storage/sql.ts";
import { createTallyCollector } from "../flood/tally-collector.ts";
import { addToCount, emptyReportCount, type ReportEntry } from "../grouping/group.ts";
import { createTallyStore, insertTally } from "../grouping/grouping-store.ts";
import { countForTargets } from "./count-store.ts";

const eventIn = ({ body }: Received): Event => (parseEnvelope(body) as EventEnvelope)[1][0]?.[1] as Event;
const toldIn = (received: readonly Received[]) =>
  received.map((request) => Number(eventIn(request).tags?.["kit.reports"] ?? 0)).reduce((sum, n) => sum + n, 0);
const agree = (folder: ForwardFolder, { earlierEvents = false } = {}) =>
  folder.accept({
    invitation: {
      version: 1,
      studio: "Lantern Games",
      text: "",
      kind: "sentry",
      address: folder.dsn,
      game: null,
      environment: null,
      asks: earlierEvents ? ["earlierEvents"] : [],
    },
    reports: true,
    earlierEvents,
    installation: false,
    videos: false,
  });

/** Stores a report in the journal, as ingest does before it is acknowledged. It is counted later. */
async function acknowledge(folder: ForwardFolder, message: string, wanted: Wanted = {}): Promise<ReportEntry> {
  const { event } = reportWith(message, wanted);
  await folder.monitor.storage.write(sql`
    INSERT INTO event (id, kind, payload, acts_on_ms, received_at_ms, status, checksum)
    VALUES (${event.id}, 'monitor', ${JSON.stringify(event.payload)}, ${Date.parse(event.actsOn)}, ${beganMs}, 'accepted', '')`);
  const [row] = await folder.monitor.rows(sql`SELECT seq FROM event WHERE id = ${event.id}`);
  return { seq: Number(row?.seq), event };
}

test("a report that was acknowledged before a person agreed is not forwarded, even if it is counted later, with one from after", async () => {
  await using folder = await openForwardFolder();
  // The same time, and a later one: what counts is the order in the journal.
  const before = [
    await acknowledge(folder, "No key"),
    await acknowledge(folder, "No key", { atMs: beganMs + 60_000 }),
    await acknowledge(folder, "No lamp"),
  ];
  await agree(folder);
  const after = [await acknowledge(folder, "No key"), await acknowledge(folder, "No key")];
  await folder.take([...before, ...after]);
  await folder.target(({ delivered }) => delivered === 2);
  const { received } = folder.server;
  assert.deepEqual([received.length, toldIn(received)], [1, 2]);
  assert.equal(received[0] && eventIn(received[0]).event_id, after[0]?.event.id.replaceAll("-", ""));
});

test("a report that was acknowledged while its target was off is not forwarded, and starting a target again leaves none out", async () => {
  await using folder = await openForwardFolder();
  const { id } = await agree(folder);
  await folder.change(id, { enabled: false });
  const off = await acknowledge(folder, "No key");
  await folder.change(id, { enabled: true });
  const on = await acknowledge(folder, "No lamp");
  await folder.change(id, { enabled: true });
  await folder.take([off, on]);
  await folder.target(({ delivered }) => delivered === 1);
  assert.equal(toldIn(folder.server.received), 1);
  assert.match(folder.server.received[0]?.body ?? "", /No lamp/);
});

test("a message about reports from before a target was off states their number with the title that the target knows, and no text from while it was off", async () => {
  await using folder = await openForwardFolder({ limits: { growthEveryMs: 3_600_000, pauseMs: 0 } });
  const { id } = await agree(folder);
  // The same issue: numbers do not tell errors apart.
  await folder.take([await acknowledge(folder, "No key 1")]);
  await folder.target(({ delivered }) => delivered === 1);
  await folder.take([await acknowledge(folder, "No key 2")]);
  await folder.change(id, { enabled: false });
  await folder.take([await acknowledge(folder, "No key 3")]);
  await folder.change(id, { enabled: true });
  await folder.target(({ delivered }) => delivered === 2);
  const [, growth] = folder.server.received;
  assert.equal(toldIn(folder.server.received), 2);
  assert.ok(growth);
  assert.doesNotMatch(growth.body, /No key [23]/);
  const [{ value, stacktrace } = assert.fail()] = eventIn(growth).exception?.values ?? [];
  assert.deepEqual([value, stacktrace], ["No key 1", undefined]);
});

test("a stored text from while a target was off is not forwarded, even when its event has left the journal", async () => {
  await using folder = await openForwardFolder({ limits: { growthEveryMs: 3_600_000, pauseMs: 0 } });
  const { id } = await agree(folder);
  await folder.take([await acknowledge(folder, "No key 1")]);
  await folder.target(({ delivered }) => delivered === 1);
  await folder.change(id, { enabled: false });
  const off = await acknowledge(folder, "No key 2");
  await folder.take([off]);
  await folder.change(id, { enabled: true });
  await folder.monitor.storage.write(sql`DELETE FROM event`);
  const { storage } = folder.monitor;
  const [row] = await folder.monitor.rows(sql`SELECT game, version, key FROM issue_fingerprint`);
  const count = emptyReportCount(
    { game: String(row?.game), version: Number(row?.version), key: String(row?.key) },
    beganMs,
  );
  addToCount(count, beganMs, "");
  await storage.write(countForTargets([count]));
  await folder.restart();
  await folder.target(({ delivered }) => delivered === 2);
  assert.deepEqual(
    folder.server.received.map((request) => eventIn(request).exception?.values?.[0]?.value),
    ["No key 1", "No key 1"],
  );
});

test("events before a report are not forwarded if they are from before a person agreed", async () => {
  await using folder = await openForwardFolder();
  const before = await acknowledge(folder, "Lamp of Bo");
  await agree(folder, { earlierEvents: true });
  const since = await acknowledge(folder, "Door");
  folder.monitor.before = [since.event, before.event];
  await folder.take([await acknowledge(folder, "No key")]);
  await folder.target(({ delivered }) => delivered === 1);
  const [sent = assert.fail()] = folder.server.received;
  assert.match(sent.body, /Door/);
  assert.doesNotMatch(sent.body, /Lamp/);
});

test("the title of an issue is not forwarded if it is from before a person agreed", async () => {
  await using folder = await openForwardFolder({ limits: { growthEveryMs: 3_600_000, pauseMs: 0 } });
  const before = await acknowledge(folder, "No key 1");
  const { id } = await agree(folder);
  await folder.take([before, await acknowledge(folder, "No key 2")]);
  await folder.target(({ delivered }) => delivered === 1);
  await folder.take([await acknowledge(folder, "No key 3")]);
  await folder.change(id, { enabled: false });
  await folder.change(id, { enabled: true });
  await folder.target(({ delivered }) => delivered === 2);
  const [issue] = (await folder.monitor.issues.list({}, "count", null, 9)).issues;
  assert.equal(issue?.title, "No key 1");
  assert.deepEqual(
    folder.server.received.map((request) => eventIn(request).exception?.values?.[0]?.value),
    ["No key 2", "No key 2"],
  );
});

test("another server is not told the text that the one before was told last", async () => {
  await using folder = await openForwardFolder({ limits: { growthEveryMs: 3_600_000, pauseMs: 0 } });
  await using other = await startForwardServer();
  const { id } = await agree(folder);
  await folder.take([await acknowledge(folder, "No key 1")]);
  await folder.target(({ delivered }) => delivered === 1);
  await folder.take([await acknowledge(folder, "No key 2")]);
  await folder.change(id, { enabled: false });
  await folder.change(id, { address: folder.dsn.replace(`:${folder.server.port}/`, `:${other.port}/`), enabled: true });
  const [moved = assert.fail()] = await other.have(1);
  assert.doesNotMatch(moved.body, /No key/);
  assert.match(moved.body, /Kit does not forward the text of this error/);
});

test("a message that was queued before its target was off arrives whole once it is on again", async () => {
  await using folder = await openForwardFolder();
  folder.server.script = [{ status: 503, headers: { "retry-after": "3600" } }];
  const { id } = await agree(folder);
  await folder.take([await acknowledge(folder, "No key", { stackTrace: "Error: No key\n    at open (door.js:4:7)" })]);
  await folder.target(({ waitsBecause }) => waitsBecause === "rate-limit");
  await folder.change(id, { enabled: false });
  await folder.change(id, { enabled: true });
  folder.clock.ms = 3_700_000;
  await folder.restart();
  await folder.target(({ delivered }) => delivered === 1);
  const [before, after] = folder.server.received.map((request) => eventIn(request).exception?.values?.[0]);
  assert.equal(after?.stacktrace?.frames?.length, 1);
  assert.deepEqual(after, before);
});

test("reports of a flood that were acknowledged before a person agreed are not forwarded, and those from after are, in any build", async () => {
  await using folder = await openForwardFolder();
  const { storage } = folder.monitor;
  await folder.take([await acknowledge(folder, "No key")]);
  const [row] = await folder.monitor.rows(sql`SELECT game, version, key FROM issue_fingerprint`);
  const fingerprint = { game: String(row?.game), version: Number(row?.version), key: String(row?.key) };
  const flood = (reports: number, build: string) => {
    const count = emptyReportCount(fingerprint, beganMs);
    for (let i = 0; i < reports; i += 1) addToCount(count, beganMs + 60_000 * (i % 2), build);
    return storage.write(insertTally(count));
  };
  await flood(5, "1.4");
  await flood(7, "");
  await agree(folder);
  await flood(11, "1.4");
  await flood(13, "");
  const collector = createTallyCollector({
    store: createTallyStore(storage),
    write: storage.write,
    alsoWrite: (counts) => [countForTargets(counts)],
    onCollected: () => undefined,
    onFailure: (error) => assert.fail(String(error)),
  });
  await collector.load();
  await folder.restart();
  await folder.target(({ delivered }) => delivered === 24);
  assert.equal(toldIn(folder.server.received), 24);
  for (const { body } of folder.server.received) {
    assert.doesNotMatch(body, /No key/, "the only stored text is from before");
    assert.match(body, /Kit does not forward the text of this error/);
  }
  const [counted] = await folder.monitor.rows(sql`SELECT count FROM issue_fingerprint`);
  assert.equal(counted?.count, 37);
  assert.deepEqual(await folder.monitor.rows(sql`SELECT * FROM issue_tally`), []);
  // The numbers of tallies begin anew once all are counted.
  await flood(3, "");
  await collector.load();
  await folder.restart();
  await folder.target(({ delivered }) => delivered === 27);
});

test("a target that takes another game, or all games, gets none of their reports that were acknowledged before, and keeps those of its own", async () => {
  await using folder = await openForwardFolder();
  const { id } = await folder.add({ kind: "sentry", address: folder.dsn, game: "saga" });
  const acknowledgeEach = async () => {
    const all: ReportEntry[] = [];
    for (const game of ["saga", "quest", undefined])
      all.push(await acknowledge(folder, `No key in ${game}`, game === undefined ? {} : { game }));
    return all;
  };
  const first = await acknowledgeEach();
  await folder.change(id, { game: null });
  const second = await acknowledgeEach();
  await folder.take([...first, ...second]);
  await folder.target(({ delivered }) => delivered >= 4);
  const toldOf = (game: string) =>
    toldIn(folder.server.received.filter(({ body }) => body.includes(`No key in ${game}`)));
  assert.deepEqual(["saga", "quest", "undefined"].map(toldOf), [2, 1, 1]);
  // Each decision covers what was acknowledged after it, however many follow before anything is counted.
  const third = await acknowledgeEach();
  await folder.change(id, { game: "quest" });
  const fourth = await acknowledgeEach();
  await folder.change(id, { game: null });
  const fifth = await acknowledgeEach();
  await folder.take([...third, ...fourth, ...fifth]);
  await folder.target(({ delivered }) => delivered >= 4 + 3 + 2);
  assert.deepEqual(["saga", "quest", "undefined"].map(toldOf), [3, 4, 2]);
  const ids = folder.server.received.map((request) => eventIn(request).event_id);
  for (const { event } of first.slice(1)) assert.ok(!ids.includes(event.id.replaceAll("-", "")));
});

test("reports of a flood in another game that were acknowledged before a target takes that game are not forwarded", async () => {
  await using folder = await openForwardFolder();
  const { storage } = folder.monitor;
  await folder.take([reportWith("No key", { game: "saga" }), reportWith("No key", { game: "quest" })]);
  const { id } = await folder.add({ kind: "sentry", address: folder.dsn, game: "saga" });
  const flood = async (game: string, reports: number) => {
    const [row] = await folder.monitor.rows(sql`SELECT version, key FROM issue_fingerprint WHERE game = ${game}`);
    const count = emptyReportCount({ game, version: Number(row?.version), key: String(row?.key) }, beganMs);
    for (let i = 0; i < reports; i += 1) addToCount(count, beganMs, "");
    await storage.write(insertTally(count));
  };
  await flood("saga", 5);
  await flood("quest", 7);
  await folder.change(id, { game: null });
  await flood("saga", 11);
  await flood("quest", 13);
  const collector = createTallyCollector({
    store: createTallyStore(storage),
    write: storage.write,
    alsoWrite: (counts) => [countForTargets(counts)],
    onCollected: () => undefined,
    onFailure: (error) => assert.fail(String(error)),
  });
  await collector.load();
  await folder.restart();
  await folder.target(({ delivered }) => delivered >= 5 + 11 + 13);
  assert.equal(toldIn(folder.server.received), 5 + 11 + 13);
});
