// What of a flood goes into the journal, what is only counted, and that nothing is lost between the two.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import {
  type Count,
  type FingerprintId,
  fingerprintIdOf,
  fingerprintName,
  overflowIdOf,
  quotaKeyOf,
} from "../grouping/group.ts";
import { createRateLimiter, type IncomingReport, type RateLimiter } from "./rate-limiter.ts";

const beganMs = Date.UTC(2026, 4, 3, 10);

/** Without digits a message is its own kind. */
const recognise = (message: string) => ({ version: 1, key: message.replace(/\d+/g, "#") });
const arriving = (message: string, atMs = beganMs, client = "Engine/1.0"): IncomingReport => ({
  game: null,
  origin: null,
  client,
  message,
  stackTrace: "",
  atMs,
});
const identified = (report: IncomingReport) => ({
  event: report,
  quotaKey: quotaKeyOf(report),
  analysis: recognise(report.message),
});

/** A gate, with what it wrote. What is in `issues` has one already. */
function scene(issues: readonly string[] = []) {
  const written: Count[] = [];
  const reads: (readonly FingerprintId[])[] = [];
  const world = { fails: false, refuses: false, waits: Promise.resolve() };
  const gate = createRateLimiter({
    analyse: recognise,
    async findKnown(identities) {
      reads.push(identities);
      return new Set(issues.map((message) => fingerprintName(fingerprintIdOf(identified(arriving(message))))));
    },
    async write(gathered) {
      await world.waits;
      if (world.refuses) throw new Error("too much waits");
      await turn();
      const counts = gathered();
      if (world.fails) throw new Error("no disk");
      written.push(...counts);
    },
  });
  const sum = () => written.reduce((total, { n }) => total + n, 0);
  return { gate, written, reads, world, sum };
}
/** As the hand-over tells it, once the report is in an issue. */
const meet = (gate: RateLimiter, message: string, event = "kept", count = 1) =>
  gate.onGrouped(
    [{ fingerprint: fingerprintIdOf(identified(arriving(message))), count, event, from: [arriving(message)] }],
    [],
  );
const answersOf = (gate: RateLimiter, reports: readonly IncomingReport[]) =>
  Promise.all(reports.map(gate.countOrAdmit));
const repeated = (count: number, message: (index: number) => string, everyMs = 0) =>
  Array.from({ length: count }, (_, index) => arriving(message(index), beganMs + index * everyMs));

test("a report of a kind nobody has met goes in, however often it comes before it is met", async () => {
  const { gate, sum } = scene();
  const answers = await answersOf(
    gate,
    repeated(500, (index) => `No key ${index}`),
  );
  assert.deepEqual([answers.filter((id) => id === undefined).length, sum()], [500, 0]);
});

test("of a flood of a kind that is not met yet the first go in at once, and the rest waits and is counted with it", async () => {
  const { gate, sum } = scene();
  const flood = repeated(500, (index) => `No key ${index}`);
  const letIn: number[] = [];
  const answers = flood.map((report, index) =>
    gate.countOrAdmit(report).then((id) => {
      if (id === undefined) letIn.push(index);
      return id;
    }),
  );
  await gate.countOrAdmit(arriving("Another one"));
  const atOnce = letIn.length;
  meet(gate, "No key 1", "the kept one", 1_000);
  const counted = (await Promise.all(answers)).filter((id) => id === "the kept one").length;
  assert.deepEqual([atOnce, counted + letIn.length, sum()], [40, 500, counted]);
  assert.ok(counted > 400, `${counted} of 500 were only counted`);
});

test("of a kind that is turned away while its flood waits, the flood is counted with all that are too many", async () => {
  const { gate, sum } = scene();
  const flood = repeated(100, (index) => `No key ${index}`);
  const answers = flood.map((report) => gate.countOrAdmit(report));
  const overflow = overflowIdOf(identified(arriving("No key")));
  gate.onGrouped([{ fingerprint: overflow, count: 1_000, event: "too many", from: [] }], []);
  gate.onGrouped(
    [],
    [
      {
        quotaKey: quotaKeyOf(arriving("No key")),
        name: fingerprintName(fingerprintIdOf(identified(arriving("No key 1")))),
      },
    ],
  );
  const counted = (await Promise.all(answers)).filter((id) => id === "too many").length;
  assert.deepEqual([counted > 0, sum()], [true, counted]);
});

test("of a kind that was met some go in, and the rest is counted in its minute and answered with the kept report", async () => {
  const { gate, written, sum } = scene();
  meet(gate, "No key 1", "the kept one", 1);
  const answers = await answersOf(
    gate,
    repeated(600, (index) => `No key ${index}`, 200),
  );
  const counted = answers.filter((id) => id === "the kept one").length;
  const letIn = answers.filter((id) => id === undefined).length;
  assert.deepEqual([counted + letIn, sum()], [600, counted]);
  assert.ok(letIn > 39 && letIn < 200, `${letIn} went in: the first ones, a burst, then one a second`);
  const minutes = new Set(written.flatMap((count) => [...count.minutes.keys()]));
  assert.deepEqual([...minutes].sort(), [beganMs, beganMs + 60_000]);
});

test("what comes once a second all goes in", async () => {
  const { gate } = scene();
  meet(gate, "No key");
  const answers = await answersOf(
    gate,
    repeated(300, () => "No key", 1_000),
  );
  assert.equal(answers.filter((id) => id !== undefined).length, 0);
});

test("while one count is being written the next ones gather into one row a kind", async () => {
  const { gate, world, written, sum } = scene();
  meet(gate, "No key", "kept", 1_000_000);
  await answersOf(
    gate,
    repeated(20, () => "No key"),
  );
  const written0 = Promise.withResolvers<void>();
  world.waits = written0.promise;
  const waiting = answersOf(
    gate,
    repeated(1_000, () => "No key"),
  );
  written0.resolve();
  await waiting;
  assert.deepEqual([sum(), written.length <= 2], [1_000, true]);
});

for (const fault of ["fails", "refuses"] as const) {
  test(`nobody is told that a report was counted when the storage ${fault}, and it is not counted later`, async () => {
    const { gate, world, sum } = scene();
    meet(gate, "No key", "kept", 1_000_000);
    world[fault] = true;
    const answers = await Promise.allSettled(repeated(100, () => "No key").map((report) => gate.countOrAdmit(report)));
    const rejected = answers.filter(({ status }) => status === "rejected").length;
    assert.equal(rejected, 80, "twenty go in");
    world[fault] = false;
    assert.equal(await gate.countOrAdmit(arriving("No key")), "kept", "the next one is counted again");
    assert.equal(sum(), 1);
  });
}

const word = (index: number) => index.toString(26).replace(/\d/g, (digit) => "qrstuvwxyz"[Number(digit)] ?? "");

test("of messages that are all different a minute's worth goes in, and the rest is counted with the overflow once it is met", async () => {
  const { gate, sum } = scene();
  const flood = repeated(2_000, (index) => `Lost the ${word(index)} item`);
  const first = await answersOf(gate, flood.slice(0, 500));
  assert.ok(
    first.every((id) => id === undefined),
    "without an overflow to count with all go in",
  );
  const identity = overflowIdOf(identified(arriving("any")));
  gate.onGrouped([{ fingerprint: identity, count: 300, event: "the overflow's", from: [] }], []);
  const rest = await answersOf(gate, flood.slice(500));
  const counted = rest.filter((id) => id === "the overflow's").length;
  assert.deepEqual([sum(), counted >= 1_480], [counted, true]);
  const other = await gate.countOrAdmit(arriving("Another game's only error", beganMs, "Other/2.0"));
  assert.equal(other, undefined, "another sender's first error goes in");
});

test("a kind that was turned away is not let in again in that minute, and is in the next", async () => {
  const { gate } = scene();
  const report = arriving("No room for this");
  assert.equal(await gate.countOrAdmit(report), undefined);
  const lane = quotaKeyOf(report);
  const name = fingerprintName(fingerprintIdOf(identified(report)));
  gate.onGrouped(
    [{ fingerprint: overflowIdOf(identified(report)), count: 1_000_000, event: "overflow", from: [] }],
    [{ quotaKey: lane, name }],
  );
  const answers = await answersOf(
    gate,
    repeated(100, () => "No room for this"),
  );
  assert.equal(answers.filter((id) => id === "overflow").length, 80);
  assert.equal(await gate.countOrAdmit(arriving("No room for this", beganMs + 61_000)), undefined);
});

test("an error that had its issue before this start is no stranger, whatever flood it comes in", async () => {
  const { gate, reads } = scene(["An old error"]);
  await answersOf(
    gate,
    repeated(200, (index) => `Lost the ${word(index)} item`),
  );
  gate.onGrouped(
    [{ fingerprint: overflowIdOf(identified(arriving("any"))), count: 1_000_000, event: "overflow", from: [] }],
    [],
  );
  assert.equal(await gate.countOrAdmit(arriving("An old error")), undefined);
  await answersOf(
    gate,
    repeated(900, (index) => `Gone is the ${word(index)} item`),
  );
  assert.ok(reads.length <= 4, `${reads.length} reads for 900 strangers`);
});

test("after a person changed an issue the next report of each kind goes in again", async () => {
  const { gate } = scene();
  meet(gate, "No key", "kept", 1_000_000);
  await answersOf(
    gate,
    repeated(30, () => "No key"),
  );
  assert.equal(await gate.countOrAdmit(arriving("No key")), "kept");
  gate.reset();
  assert.equal(await gate.countOrAdmit(arriving("No key")), undefined);
});

test("before it is known who sent it a report is counted with those it is like, where they are of one game only", async () => {
  const { gate, sum } = scene();
  const report = arriving("No key");
  assert.equal(await gate.countBySender(report), undefined, "nobody has met it");
  const met = (game: string | null) => {
    const one = { ...report, game };
    gate.onGrouped(
      [{ fingerprint: fingerprintIdOf(identified(one)), count: 1_000_000, event: `of ${game}`, from: [one] }],
      [],
    );
  };
  met("saga");
  const answers = await Promise.all(Array.from({ length: 30 }, () => gate.countBySender(report)));
  assert.deepEqual(answers.slice(0, 20), Array(20).fill("in"), "a burst goes in");
  assert.deepEqual(answers.slice(20), Array(10).fill("of saga"));
  assert.equal(await gate.countBySender(arriving("No key", beganMs, "Other/2.0")), undefined, "another client's");
  met("quest");
  assert.equal(await gate.countBySender(report), undefined, "it may be either");
  assert.equal(sum(), 10);
  gate.reset();
  met("quest");
  assert.equal(await gate.countBySender(report), "in");
});
