// Tests that no bytes in the headers of another server stop Kit, make it wait for more than a day, or make a target unmanageable.
import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import fc from "fast-check";
import { test } from "vitest";
import { createOutbound } from "../../src/outbound/outbound.ts";
import { outgoing, tryOnce } from "../../src/social/networks/test/try-once.ts";
import { webhook } from "../../src/social/networks/webhook/webhook.ts";
import { key, openForwardFolder } from "../monitor/forwarding-folder.ts";
import { reportWith } from "../monitor/monitor-folder.ts";

const dayMs = 86_400_000;
const runs = Math.min(2_000, Number(process.env.KIT_FUZZ_RUNS ?? 12));

/** A server that answers each connection with these bytes, and closes it. */
async function startRawServer() {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      started.requests += 1;
      socket.end(Buffer.from(started.answer, "latin1"));
    });
  });
  const started = { answer: "", requests: 0, port: 0, [Symbol.asyncDispose]: async () => void server.close() };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  started.port = (server.address() as AddressInfo).port;
  return started;
}

const bytes = fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code));
const names = [
  ...[
    "retry-after",
    "retry-after-ms",
    "x-sentry-rate-limits",
    "x-ratelimit-reset",
    "date",
    "content-length",
    "location",
  ],
  ...["transfer-encoding", "content-encoding", "connection"],
];
const texts = fc.oneof(
  fc.string({ unit: bytes, maxLength: 40 }),
  fc.stringMatching(/^-?[0-9]{1,25}(:error:organization|ms|s)?$/),
  fc.webUrl(),
  fc.constantFrom("chunked", "gzip", "Sat, 13 Sep 275760 00:00:00 GMT", "18446744073709551616", "close", "upgrade"),
);
const answer = fc
  .tuple(
    fc.constantFrom(200, 204, 301, 302, 304, 307, 400, 413, 429, 503),
    fc.array(fc.tuple(fc.constantFrom(...names), texts), { maxLength: 4 }),
    fc.constantFrom("", "{}", "x".repeat(2_000)),
  )
  .map(([status, headers, body]) => {
    const lines = headers.map(([name, text]) => `${name}: ${text}\r\n`);
    return `HTTP/1.1 ${status} x\r\nx-ratelimit-remaining: 0\r\n${lines.join("")}\r\n${body}`;
  });

test("after any bytes in the headers of its server, a forwarding target waits for a day at most, and can be listed, switched and removed", async () => {
  await using server = await startRawServer();
  await using folder = await openForwardFolder({ limits: { pauseMs: 0, withinMs: 500 } });
  const property = fc.asyncProperty(answer, async (bytes) => {
    server.answer = bytes;
    const { id } = await folder.add({
      kind: "sentry",
      address: `http://${key}@127.0.0.1:${server.port}/7`,
      game: null,
    });
    await folder.take([reportWith("No key")]);
    await folder.target(({ delivered, lastError }) => delivered > 0 || lastError !== null);
    await folder.change(id, { enabled: false });
    const { waitsUntil } = await folder.target();
    assert.ok(waitsUntil === null || Date.parse(waitsUntil) <= Date.now() + dayMs, `${waitsUntil}`);
    await folder.change(id, { enabled: true });
    await folder.remove(id);
    assert.deepEqual([await folder.targets(), folder.failures], [[], []]);
  });
  await fc.assert(property, { numRuns: runs });
});

test("after any bytes in the headers of a receiver of webhooks, an account waits for a day at most", async () => {
  await using server = await startRawServer();
  const reach = createOutbound();
  const access = { url: `http://127.0.0.1:${server.port}/posts`, secret: `whsec_${"A".repeat(32)}` };
  const property = fc.asyncProperty(answer, async (bytes) => {
    server.answer = bytes;
    const { outcome } = await tryOnce(webhook, access, outgoing(), { reach, withinMs: 500 });
    const waits = [
      "notBeforeMs" in outcome ? outcome.notBeforeMs : null,
      "restUntilMs" in outcome ? outcome.restUntilMs : null,
    ];
    for (const untilMs of waits)
      assert.ok(untilMs === null || (Number.isSafeInteger(untilMs) && untilMs <= Date.now() + dayMs), `${untilMs}`);
  });
  await fc.assert(property, { numRuns: runs });
  await reach.close();
});
