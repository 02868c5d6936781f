// Thousands of requests that are nearly right: none crashes the launcher, fails inside it, or is taken twice.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { KitEvent } from "@kit/contract";
import fc from "fast-check";
import { residentBytesOf } from "./launcher-process.ts";
import { type OwnLauncher, startOwnLauncher, timestamp } from "./own-launcher.ts";
import { openRaw, type RawAnswer } from "./raw-http.ts";

const requestsWanted = Number(process.env.KIT_FUZZ_RUNS ?? 2_000);
const requestsAtOnce = 20;
const residentBytesMax = 200 * 1024 * 1024;
/** A request that is not whole gets no answer. Any other is answered before requests that are sent this much later. */
const silenceMs = 40;

let launcher: OwnLauncher;
before(async () => {
  launcher = await startOwnLauncher();
});
after(() => launcher?.[Symbol.asyncDispose]());

/** The usual one three times out of four. */
const often = <T>(usual: T, ...unusual: readonly T[]) =>
  fc.constantFrom(...unusual.flatMap(() => [usual, usual, usual]), ...unusual);
const garbage = fc.oneof(
  fc.string({ unit: "binary-ascii", maxLength: 12 }),
  fc.constantFrom("\r\n", "\n", "\0", "\r", " ", "\t", "é"),
);

const methods = often("POST", "GET", "PUT", "OPTIONS", "TRACE", "CONNECT", "FIRE", "post", "PRI", "");
const targets = often(
  "/api/recording/trigger",
  "/api/social/trigger",
  "/api/health",
  "/",
  "//evil/x",
  "http://[",
  "*",
  "/%ff",
  "/%61pi/events",
  "/\0",
  "",
);
const versions = often("HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/1.1 ", "HTTP/1.10", "");
const lineEnds = often("\r\n", "\n", "\r", "\r\n\r\n");
const hosts = often("127.0.0.1:PORT", "localhost:PORT", "[::1]:PORT", "evil.test", "127.0.0.1:PORT@evil", "[", "");
const names = fc.constantFrom(
  "Host",
  "Origin",
  "Content-Type",
  "Content-Encoding",
  "Transfer-Encoding",
  "Content-Length",
  "Expect",
  "Connection",
  "Upgrade",
  "Sec-Fetch-Site",
  "Cookie",
  "X-Kit-Session",
  "Authorization",
  "X",
);
const values = fc.constantFrom(
  "",
  "127.0.0.1:PORT",
  "null",
  "http://localhost:1",
  "https://evil.test",
  "chunked",
  "gzip",
  "identity",
  "0",
  "1",
  "-1",
  "99999999999999999999",
  "application/json",
  "text/plain",
  "100-continue",
  "close",
  "upgrade",
  "websocket",
  "none",
  "cross-site",
  "Bearer x",
  "kit_session=x",
);
const header = fc
  .tuple(names, often(": ", ":", " : ", "", ":\t", ":\r\n "), fc.oneof(values, garbage))
  .map((parts) => parts.join(""));

const bodies = often(
  '{"eventId":"ID","timestamp":"NOW"}',
  "",
  "{}",
  "[[[[",
  '{"eventId":"ID"',
  "\0",
  '"\\ud800"',
  "0\r\n\r\n",
);
const lengths = often("right", "none", "chunked", "short", "long", "twice", "both");

type Parts = {
  method: string;
  target: string;
  version: string;
  lineEnd: string;
  host: string;
  headers: string[];
  body: string;
  length: string;
};
const parts: fc.Arbitrary<Parts> = fc.record({
  method: methods,
  target: fc.oneof({ weight: 9, arbitrary: targets }, { weight: 1, arbitrary: garbage.map((text) => `/${text}`) }),
  version: versions,
  lineEnd: lineEnds,
  host: hosts,
  headers: fc.oneof({ weight: 2, arbitrary: fc.constant<string[]>([]) }, fc.array(header, { maxLength: 3 })),
  body: bodies,
  length: lengths,
});
/** One place in the bytes where something is put in, or taken out. */
const damage = fc.option(fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), put: garbage, take: fc.nat(4) }));

function lengthLines(length: string, body: string): string[] {
  const right = `Content-Length: ${Buffer.byteLength(body)}`;
  const chunked = "Transfer-Encoding: chunked";
  const lines: Record<string, string[]> = {
    right: [right],
    chunked: [chunked],
    short: ["Content-Length: 1"],
    long: ["Content-Length: 9999"],
    twice: [right, right],
    both: [right, chunked],
  };
  return lines[length] ?? [];
}

function write({ method, target, version, lineEnd, host, headers, body, length }: Parts, id: string): string {
  const content = body.replace("ID", id).replace("NOW", timestamp());
  const lines = [
    `${method} ${target} ${version}`,
    `Host: ${host}`,
    "Content-Type: application/json",
    ...lengthLines(length, content),
    ...headers,
  ];
  const sent = length === "chunked" ? `${Buffer.byteLength(content).toString(16)}\r\n${content}\r\n0\r\n\r\n` : content;
  return `${lines.join(lineEnd).replaceAll("PORT", String(launcher.port))}${lineEnd}${lineEnd}${sent}`;
}

/** Resolves when requests sent later have been answered. On a busy machine that takes longer than the pause. */
async function silence(): Promise<RawAnswer[]> {
  await pause(silenceMs);
  for (let i = 0; i < 2; i++) await launcher.health();
  return [];
}

async function exchange(bytes: string): Promise<RawAnswer[]> {
  const connection = openRaw(launcher.port);
  connection.socket.write(Buffer.from(bytes, "latin1"));
  const answers = await Promise.race([connection.answers(), silence()]);
  connection.socket.destroy();
  await connection.ended;
  return answers;
}

async function storedEventIds(): Promise<string[]> {
  const ids: string[] = [];
  for (let before = ""; ; ) {
    const page = (await launcher.api("GET", `/api/events?limit=500${before}`)).json<{
      events: KitEvent[];
      more: boolean;
    }>();
    ids.push(...page.events.map(({ eventId }) => eventId ?? ""));
    if (!page.more) return ids;
    before = `&before=${page.events.at(-1)?.id}`;
  }
}

test(`${requestsWanted.toLocaleString("en")} requests that are nearly HTTP neither crash nor confuse the launcher`, async () => {
  const statuses = new Map<number, number>();
  let number = 0;
  const one = async ([request, harm]: [Parts, { at: number; put: string; take: number } | null]) => {
    number += 1;
    const whole = write(request, `fuzz_${number}`);
    const place = Math.floor((harm?.at ?? 0) * whole.length);
    const bytes = harm === null ? whole : whole.slice(0, place) + harm.put + whole.slice(place + harm.take);
    for (const { status } of await exchange(bytes)) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      assert.ok(status < 500, `answered ${status}: ${JSON.stringify(bytes)}`);
    }
  };
  const batch = fc.array(fc.tuple(parts, damage), { minLength: requestsAtOnce, maxLength: requestsAtOnce });
  const property = fc.asyncProperty(batch, async (requests) => {
    await Promise.all(requests.map(one));
    assert.ok(launcher.process().isRunning(), `the launcher ended: ${launcher.process().output()}`);
  });
  await fc.assert(property, { numRuns: Math.ceil(requestsWanted / requestsAtOnce), endOnFailure: true });

  const resident = residentBytesOf(launcher.process().pid);
  assert.ok(resident < residentBytesMax, `it holds ${Math.round(resident / 1_048_576)} MiB`);
  assert.equal((await launcher.health()).storage.state, "ok");
  assert.doesNotMatch(launcher.process().output(), /"event":"(bug|uncaught)"/);
  const answered = (status: number) => statuses.get(status) ?? 0;
  assert.ok(
    // About 2 % get through, at random.
    answered(202) > requestsWanted / 400,
    `only ${answered(202)} requests got through: ${JSON.stringify([...statuses])}`,
  );
  assert.ok(answered(400) > requestsWanted / 20, `only ${answered(400)} were broken: ${JSON.stringify([...statuses])}`);
  const stored = await storedEventIds();
  assert.ok(stored.length >= answered(202), "an acknowledged event is missing");
  assert.equal(new Set(stored).size, stored.length, "an event was taken twice");
});
