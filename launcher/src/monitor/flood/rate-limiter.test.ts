// Tests of the rate limiter: which reports of a flood enter the journal, which are only counted, and that none is lost.
import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { test } from "vitest";
import {
  type FingerprintId,
  fingerprintIdOf,
  fingerprintName,
  overflowIdOf,
  quotaKeyOf,
  type ReportCount,
} from "../grouping/group.ts";
import { createRateLimiter, type IncomingReport, type RateLimiter } from "./rate-limiter.ts";

const beganMs = Date.UTC(2026, 4, 3, 10);

/** Messages that differ only in digits have the same key. */
const fingerprintOf = (message: string) => ({ version: 1, key: message.replace(/\d+/g, "#") });
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
  analysis: fingerprintOf(report.message),
});

/** A rate limiter and what it wrote. The given messages already have issues. */
function scene(issues: readonly string[] = []) {
  const written: ReportCount[] = [];
  const reads: (readonly FingerprintId[])[] = [];
  const world = { fails: false, refuses: false, waits: Promise.resolve() };
  const limiter = createRateLimiter({
    analyse: fingerprintOf,
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
  return { limiter, written, reads, world, sum };
}
/** Like the dispatcher does once the report is in an issue. */
const markGrouped = (limiter: RateLimiter, message: string, event = "kept", count = 1) =>
  limiter.onGrouped(
    [
      {
        fingerprint: fingerprintIdOf(identified(arriving(message))),
        count,
        event,
        build: "",
        from: [arriving(message)],
      },
    ],
    [],
  );
const answersOf = (limiter: RateLimiter, reports: readonly IncomingReport[]) =>
  Promise.all(reports.map(limiter.countOrAdmit));
const repeated = (count: number, message: (index: number) => string, everyMs = 0) =>
  Array.from({ length: count }, (_, index) => arriving(message(index), beganMs + index * everyMs));

test("reports with an unknown fingerprint are all admitted until the fingerprint is grouped", async () => {
  const { limiter, sum } = scene();
  const answers = await answersOf(
    limiter,
    repeated(500, (index) => `No key ${index}`),
  );
  assert.deepEqual([answers.filter((id) => id === undefined).length, sum()], [500, 0]);
});

test("the first reports of an unknown flood are admitted at once, and the rest waits and is counted when it is grouped", async () => {
  const { limiter, sum } = scene();
  const flood = repeated(500, (index) => `No key ${index}`);
  const admitted: number[] = [];
  const answers = flood.map((report, index) =>
    limiter.countOrAdmit(report).then((id) => {
      if (id === undefined) admitted.push(index);
      return id;
    }),
  );
  await limiter.countOrAdmit(arriving("Another one"));
  const atOnce = admitted.length;
  markGrouped(limiter, "No key 1", "the kept one", 1_000);
  const counted = (await Promise.all(answers)).filter((id) => id === "the kept one").length;
  assert.deepEqual([atOnce, counted + admitted.length, sum()], [40, 500, counted]);
  assert.ok(counted > 400, `${counted} of 500 were only counted`);
});

test("if a fingerprint is turned away while its flood waits, the flood is counted with the overflow", async () => {
  const { limiter, sum } = scene();
  const flood = repeated(100, (index) => `No key ${index}`);
  const answers = flood.map((report) => limiter.countOrAdmit(report));
  const overflow = overflowIdOf(identified(arriving("No key")));
  limiter.onGrouped([{ fingerprint: overflow, count: 1_000, event: "too many", build: "", from: [] }], []);
  limiter.onGrouped(
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

test("some reports of a known fingerprint are admitted, and the rest is counted in its minute with the stored report", async () => {
  const { limiter, written, sum } = scene();
  markGrouped(limiter, "No key 1", "the kept one", 1);
  const answers = await answersOf(
    limiter,
    repeated(600, (index) => `No key ${index}`, 200),
  );
  const counted = answers.filter((id) => id === "the kept one").length;
  const admitted = answers.filter((id) => id === undefined).length;
  assert.deepEqual([counted + admitted, sum()], [600, counted]);
  assert.ok(admitted > 39 && admitted < 200, `${admitted} were admitted: the first ones, a burst, then one a second`);
  const minutes = new Set(written.flatMap((count) => [...count.minutes.keys()]));
  assert.deepEqual([...minutes].sort(), [beganMs, beganMs + 60_000]);
});

test("a report every second is always admitted", async () => {
  const { limiter } = scene();
  markGrouped(limiter, "No key");
  const answers = await answersOf(
    limiter,
    repeated(300, () => "No key", 1_000),
  );
  assert.equal(answers.filter((id) => id !== undefined).length, 0);
});

test("while a count is being written, the next ones are collected into one row for each fingerprint", async () => {
  const { limiter, world, written, sum } = scene();
  markGrouped(limiter, "No key", "kept", 1_000_000);
  await answersOf(
    limiter,
    repeated(20, () => "No key"),
  );
  const firstWrite = Promise.withResolvers<void>();
  world.waits = firstWrite.promise;
  const waiting = answersOf(
    limiter,
    repeated(1_000, () => "No key"),
  );
  firstWrite.resolve();
  await waiting;
  assert.deepEqual([sum(), written.length <= 2], [1_000, true]);
});

for (const fault of ["fails", "refuses"] as const) {
  test(`if the storage ${fault} no report is answered as counted, and none is counted later`, async () => {
    const { limiter, world, sum } = scene();
    markGrouped(limiter, "No key", "kept", 1_000_000);
    world[fault] = true;
    const answers = await Promise.allSettled(
      repeated(100, () => "No key").map((report) => limiter.countOrAdmit(report)),
    );
    const rejected = answers.filter(({ status }) => status === "rejected").length;
    assert.equal(rejected, 80, "twenty are admitted");
    world[fault] = false;
    assert.equal(await limiter.countOrAdmit(arriving("No key")), "kept", "the next one is counted again");
    assert.equal(sum(), 1);
  });
}

const word = (index: number) => index.toString(26).replace(/\d/g, (digit) => "qrstuvwxyz"[Number(digit)] ?? "");

test("a minute's quota of different messages is admitted, and the rest is counted with the overflow", async () => {
  const { limiter, sum } = scene();
  const flood = repeated(2_000, (index) => `Lost the ${word(index)} item`);
  const first = await answersOf(limiter, flood.slice(0, 500));
  assert.ok(
    first.every((id) => id === undefined),
    "without an overflow to count with, all are admitted",
  );
  const identity = overflowIdOf(identified(arriving("any")));
  limiter.onGrouped([{ fingerprint: identity, count: 300, event: "the overflow's", build: "", from: [] }], []);
  const rest = await answersOf(limiter, flood.slice(500));
  const counted = rest.filter((id) => id === "the overflow's").length;
  assert.deepEqual([sum(), counted >= 1_480], [counted, true]);
  const other = await limiter.countOrAdmit(arriving("Another game's only error", beganMs, "Other/2.0"));
  assert.equal(other, undefined, "another sender's first error is admitted");
});

test("a fingerprint that was turned away is not admitted in the same minute, but in the next", async () => {
  const { limiter } = scene();
  const report = arriving("No room for this");
  assert.equal(await limiter.countOrAdmit(report), undefined);
  const lane = quotaKeyOf(report);
  const name = fingerprintName(fingerprintIdOf(identified(report)));
  limiter.onGrouped(
    [{ fingerprint: overflowIdOf(identified(report)), count: 1_000_000, event: "overflow", build: "", from: [] }],
    [{ quotaKey: lane, name }],
  );
  const answers = await answersOf(
    limiter,
    repeated(100, () => "No room for this"),
  );
  assert.equal(answers.filter((id) => id === "overflow").length, 80);
  assert.equal(await limiter.countOrAdmit(arriving("No room for this", beganMs + 61_000)), undefined);
});

test("an error that had its issue before this start is admitted during a flood", async () => {
  const { limiter, reads } = scene(["An old error"]);
  await answersOf(
    limiter,
    repeated(200, (index) => `Lost the ${word(index)} item`),
  );
  limiter.onGrouped(
    [
      {
        fingerprint: overflowIdOf(identified(arriving("any"))),
        count: 1_000_000,
        event: "overflow",
        build: "",
        from: [],
      },
    ],
    [],
  );
  assert.equal(await limiter.countOrAdmit(arriving("An old error")), undefined);
  await answersOf(
    limiter,
    repeated(900, (index) => `Gone is the ${word(index)} item`),
  );
  assert.ok(reads.length <= 4, `${reads.length} reads for 900 strangers`);
});

test("after a person changed an issue, the next report of each fingerprint is admitted again", async () => {
  const { limiter } = scene();
  markGrouped(limiter, "No key", "kept", 1_000_000);
  await answersOf(
    limiter,
    repeated(30, () => "No key"),
  );
  assert.equal(await limiter.countOrAdmit(arriving("No key")), "kept");
  limiter.reset();
  assert.equal(await limiter.countOrAdmit(arriving("No key")), undefined);
});

test("a report without a known sender is counted with equal reports if they are all from one game", async () => {
  const { limiter, sum } = scene();
  const report = arriving("No key");
  assert.equal(await limiter.countBySender(report), undefined, "its fingerprint is unknown");
  const groupAs = (game: string | null) => {
    const one = { ...report, game };
    limiter.onGrouped(
      [
        {
          fingerprint: fingerprintIdOf(identified(one)),
          count: 1_000_000,
          event: `of ${game}`,
          build: "",
          from: [one],
        },
      ],
      [],
    );
  };
  groupAs("saga");
  const answers = await Promise.all(Array.from({ length: 30 }, () => limiter.countBySender(report)));
  assert.deepEqual(answers.slice(0, 20), Array(20).fill("in"), "a burst is admitted");
  assert.deepEqual(answers.slice(20), Array(10).fill("of saga"));
  assert.equal(await limiter.countBySender(arriving("No key", beganMs, "Other/2.0")), undefined, "another client's");
  groupAs("quest");
  assert.equal(await limiter.countBySender(report), undefined, "it may be from either game");
  assert.equal(sum(), 10);
  limiter.reset();
  groupAs("quest");
  assert.equal(await limiter.countBySender(report), "in");
});
