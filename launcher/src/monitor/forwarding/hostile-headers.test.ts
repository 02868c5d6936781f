// Tests that no header of a server can stop forwarding, make it wait for more than a day, or make its targets unmanageable.
import assert from "node:assert/strict";
import type { Invitation } from "@kit/contract";
import fc from "fast-check";
import { test } from "vitest";
import { openForwardFolder } from "../../../test/monitor/forwarding-folder.ts";
import { invitationTo } from "../../../test/monitor/forwarding-server.ts";
import { reportWith } from "../../../test/monitor/monitor-folder.ts";
import { clockAheadByDateMs, retryAfterMs } from "../../outbound/response.ts";
import { sql } from "../../storage/sql.ts";
import { readSentryRateLimits } from "./sentry.ts";

const dayMs = 86_400_000;
const nowMs = Date.parse("2026-11-22T10:00:00.000Z");

/** What a server can write where a time or a wait belongs. */
const value = fc.oneof(
  fc.constantFrom("", "0", "-1", "NaN", "Infinity", "-Infinity", "1e9", "1e400", "0x10", "5, 7", "null"),
  fc.constantFrom("Sat, 13 Sep 275760 00:00:00 GMT", "Wed, 01 Jan 5195 00:00:00 GMT", "Mon, 01 Jan 0001 00:00:00 GMT"),
  fc.constantFrom("+275760-09-13T00:00:00.000Z", "-271821-04-20T00:00:00.000Z", "2026-11-22T10:05:00Z"),
  fc.stringMatching(/^-?[0-9]{1,25}(\.[0-9]{1,3})?(ms|s)?$/),
  fc.string({ unit: fc.constantFrom(..."0123456789-+.,:;TZ eE".split("")), maxLength: 30 }),
);
const limits = fc
  .array(fc.tuple(value, fc.constantFrom("", "error", "error;attachment", "attachment", "metric_bucket")), {
    maxLength: 3,
  })
  .map((all) => all.map(([wait, categories]) => `${wait}:${categories}:organization`).join(", "));
const waitHeaders = [
  "retry-after",
  "retry-after-ms",
  "date",
  "x-ratelimit-reset-after",
  "x-ratelimit-reset",
  "ratelimit-reset",
];
const headers = fc
  .tuple(fc.dictionary(fc.constantFrom(...waitHeaders), value), fc.option(limits, { nil: undefined }))
  .map(([all, sentry]) => ({
    ...{ "x-ratelimit-remaining": "0", "ratelimit-remaining": "0", ...all },
    ...(sentry !== undefined && { "x-sentry-rate-limits": sentry }),
  }));

test("whatever a server writes, a wait is null or a whole number within a day, and a clock within a century", async () => {
  const status = fc.constantFrom(200, 429, 503);
  const property = fc.asyncProperty(headers, status, async (all, status) => {
    const named = await readSentryRateLimits({ status, headers: all, text: "" }, nowMs);
    for (const untilMs of [named("error"), named("attachment"), retryAfterMs(new Headers(all), nowMs)])
      if (untilMs !== null)
        assert.ok(Number.isSafeInteger(untilMs) && untilMs > nowMs && untilMs <= nowMs + dayMs, `${untilMs}`);
    const aheadMs = clockAheadByDateMs((all as Record<string, string>).date, nowMs) ?? 0;
    assert.ok(Math.abs(aheadMs) <= 100 * 366 * dayMs, `${aheadMs}`);
  });
  await fc.assert(property, { numRuns: 3_000 });
});

const everyChoice = { reports: true, earlierEvents: true, installation: true, videos: true };

for (const kind of ["sentry", "otlp"] as const) {
  test(`after any header of a server of the kind ${kind}, its targets can be listed, switched, accepted, added and removed, and its reports arrive`, async () => {
    await using folder = await openForwardFolder();
    const address = kind === "sentry" ? folder.dsn : `http://127.0.0.1:${folder.server.port}`;
    const { id } = await folder.add({ kind, address, game: null });
    const invitation: Invitation = invitationTo(folder.server.port);
    for (const [at, hostile] of [
      { "x-sentry-rate-limits": "9999999999999:error:organization, 9999999999999:attachment:organization" },
      { "x-sentry-rate-limits": `${"9".repeat(25)}::organization` },
      { "retry-after": "99999999999" },
      { "retry-after": "9".repeat(400) },
      { "retry-after": "Sat, 13 Sep 275760 00:00:00 GMT" },
      { date: "Sat, 13 Sep 275760 00:00:00 GMT" },
      { date: "Wed, 01 Jan 5195 00:00:00 GMT" },
      { date: "NaN", "retry-after": "NaN" },
    ].entries()) {
      for (const status of [200, 503]) {
        folder.server.script = [{ status, headers: hostile }];
        const before = folder.server.received.length;
        await folder.take([reportWith(`No ${kind} ${"abcdefgh"[at]}`)]);
        await folder.server.have(before + 1);
        const { waitsUntil } = await folder.target(({ waiting, waitsUntil }) => waiting === 0 || waitsUntil !== null);
        const latestMs = Date.now() + folder.clock.ms + dayMs;
        assert.ok(
          waitsUntil === null || Date.parse(waitsUntil) <= latestMs,
          `${JSON.stringify(hostile)} ${waitsUntil}`,
        );
        if (waitsUntil === null) {
          // Over the same connection, by the clock that the server named.
          await folder.take([reportWith(`No other ${kind} ${"abcdefgh"[at]}`)]);
          await folder.target(({ waiting }) => waiting === 0);
        }
        folder.clock.ms += dayMs + 1_000;
        await folder.change(id, { enabled: false });
        await folder.change(id, { enabled: true });
        await folder.target(({ waiting }) => waiting === 0);
      }
      const accepted = await folder.accept({ invitation, ...everyChoice });
      await folder.remove(accepted.id);
    }
    assert.deepEqual(folder.failures, []);
  });
}

test("a wait that an earlier version stored, beyond what can be read, neither hides the targets nor keeps reports", async () => {
  for (const untilMs of ["9223372036854775807", "9999999999999000", "100000000000000"]) {
    await using folder = await openForwardFolder();
    const { id } = await folder.add({ kind: "sentry", address: folder.dsn, game: null, ...{ videos: false } });
    for (const table of ["forward_target", "forward_video_target"])
      await folder.monitor.storage.write({
        text: `UPDATE ${table} SET wait_because = 'rate-limit', wait_until_ms = ${untilMs}`,
        values: [],
      });
    await folder.restart();
    await folder.change(id, { enabled: false });
    await folder.change(id, { enabled: true, videos: true });
    await folder.take([reportWith("No key")]);
    await folder.target(({ delivered, waitsUntil }) => delivered === 1 && waitsUntil === null);
    assert.deepEqual(folder.failures, []);
    await folder.remove(id);
    assert.deepEqual(await folder.monitor.rows(sql`SELECT id FROM forward_target`), []);
  }
});
