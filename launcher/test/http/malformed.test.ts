// Sends malformed requests to a real launcher: each gets its documented answer, none is stored, and other clients are unaffected.
// The next request on the same connection is either stored and answered, or neither.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { type Acknowledgement, getHealth, type KitEvent, problemsByCode } from "@kit/contract";
import fc from "fast-check";
import { Value } from "typebox/value";
import { afterEach, test } from "vitest";
import { cannot } from "../../../tools/engines/cannot.ts";
import { residentBytesOf } from "../support/launcher-process.ts";
import { launcherProcessOfFile, problemIn, timestamp } from "../support/own-launcher.ts";
import { openRaw, type RawAnswer, type RawRequest, requestBytes, sendRaw } from "../support/raw-http.ts";
import { until } from "../support/until.ts";
import { acceptedRequests, event, refusedRequests, type Sendable } from "./malformed-requests.ts";

const launcher = await launcherProcessOfFile();
afterEach(async () => {
  const health = await launcher.health();
  assert.ok(Value.Check(getHealth.reply, health), JSON.stringify(health));
  assert.equal(health.storage.state, "ok");
  assert.doesNotMatch(launcher.process().output(), /"event":"(bug|uncaught)"/);
});

const bytesOf = (request: Sendable) =>
  typeof request === "string"
    ? Buffer.from(request.replaceAll("PORT", String(launcher.port)), "latin1")
    : requestBytes(launcher.port, request);
const send = (request: Sendable) => sendRaw(launcher.port, bytesOf(request));
const eventCalled = (eventId: string): RawRequest => ({
  ...event,
  body: JSON.stringify({ eventId, timestamp: timestamp() }),
});

let markers = 0;
/** The ids of the events that were stored since the last call, in order. */
async function storedEvents(): Promise<(string | null)[]> {
  const before = `marker_${markers}`;
  markers += 1;
  // Events are stored in order of arrival: when the marker is stored, so is everything sent before it.
  assert.equal((await send(eventCalled(`marker_${markers}`)))?.status, 202);
  const { events } = (await launcher.api("GET", "/api/events?limit=50")).json<{
    events: { eventId: string | null }[];
  }>();
  const ids = events.map(({ eventId }) => eventId);
  return ids.slice(1, markers === 1 ? undefined : ids.indexOf(before)).toReversed();
}

/** How an event is sent behind a request on its connection. */
const ways = [
  { when: "at once", isBetween: false, waits: false },
  { when: "between two events", isBetween: true, waits: false },
  { when: "once the answer came", isBetween: false, waits: true },
];

/** Sends the request with an event behind it in each way, and returns the request's answers. Each must have this status. */
async function answersTo(request: Sendable, status: number): Promise<RawAnswer[]> {
  const exchange = async ({ isBetween, waits }: (typeof ways)[number]) => {
    const event = (name: string) => bytesOf(eventCalled(name));
    const all = [...(isBetween ? [event("before_it")] : []), bytesOf(request), event("behind_it")];
    const connection = openRaw(launcher.port);
    if (!waits) connection.socket.write(Buffer.concat(all));
    for (const [index, bytes] of waits ? all.entries() : []) {
      connection.socket.write(bytes);
      await connection.answers(index + 1);
    }
    const answers = await connection.answers(all.length);
    connection.socket.destroy();
    return answers;
  };
  const answered = await Promise.all(ways.map(exchange));
  const stored = (await storedEvents()).map((id) => (id === "before_it" || id === "behind_it" ? id : "it"));
  const accepted: string[] = [];
  for (const [at, { when, isBetween }] of ways.entries()) {
    const statuses = (answered[at] ?? []).map((answer) => answer.status);
    const expected = [...(isBetween ? [202] : []), status, 202].slice(0, Math.max(1, statuses.length));
    assert.deepEqual(statuses, expected, when);
    const names = [...(isBetween ? ["before_it"] : []), "it", "behind_it"];
    accepted.push(...names.filter((_, index) => statuses[index] === 202));
  }
  assert.deepEqual(stored.toSorted(), accepted.toSorted(), "exactly the events with status 202 are stored");
  return ways.flatMap(({ isBetween }, at) => answered[at]?.slice(isBetween ? 1 : 0).slice(0, 1) ?? []);
}

/** Checks the headers that protect an answer in a browser. Requests that no browser can send get answers without them. */
function assertProtected({ headers }: RawAnswer, request: Sendable): void {
  assert.equal(headers["access-control-allow-credentials"], undefined);
  if (typeof request === "string") return;
  assert.equal(headers["x-content-type-options"], "nosniff");
  assert.equal(headers["cross-origin-resource-policy"], "same-origin");
  // A game's answer is never shown as a page, so headers for pages are left out.
  if (request.target?.match(/^\/api\/(recording|monitor|social)\//)) return;
  assert.match(headers["content-security-policy"] ?? "", /default-src 'none'.*frame-ancestors 'none'/);
  assert.equal(headers["referrer-policy"], "no-referrer");
}

for (const { label, request, code, paths, allow } of refusedRequests) {
  const { status } = problemsByCode[code];
  test(`${label} gets ${status} ${code}, and an event behind it is stored and answered, or neither`, async () => {
    const answers = await answersTo(request, status);
    assert.ok(answers.length > 0, "the connection ended without an answer");
    for (const answer of answers) {
      const problem = problemIn(answer);
      assert.equal(problem.code, code);
      assert.deepEqual(problem.paths.toSorted(), paths);
      assert.match(answer.headers["content-type"] ?? "", /^application\/problem\+json/);
      assert.equal(answer.headers.allow, allow);
      assertProtected(answer, request);
    }
  });
}

for (const [status, requests] of Object.entries(acceptedRequests)) {
  for (const [label, request] of Object.entries(requests)) {
    test(`${label} gets ${status}, and an event behind it is stored and answered, or neither`, async () => {
      for (const answer of await answersTo(request, Number(status))) assertProtected(answer, request);
    });
  }
}

test("a body of 1 MB gets 413", async () => {
  assert.equal((await send({ ...event, body: "a".repeat(1_000_000) }))?.status, 413);
  assert.deepEqual(await storedEvents(), []);
});

test("no other spelling of an address bypasses the session", async () => {
  const spellings = [
    ...["/%61pi/events", "/api/%65vents", "/%2fapi/events", "/./api/events", "/x/../api/events", "/api//events"],
    ...["/api/events/", "/api/events;x", "/api\\events", "/API/EVENTS", "/%61pi/origins", "/%61pi/games"],
  ];
  for (const target of spellings) {
    const answer = await send({ target });
    assert.ok(answer && answer.status >= 400, `${target} is answered ${answer?.status}: ${answer?.body.slice(0, 200)}`);
  }
  const ticket = await send({ method: "POST", target: "/%61pi/tickets", body: "" });
  assert.equal(ticket?.status, 401, "a ticket was created");
});

test("CONNECT opens no tunnel", async () => {
  const answer = await send({ method: "CONNECT", target: "127.0.0.1:22" });
  assert.ok(answer === undefined || answer.status >= 400);
});

test("a body in single bytes is one event", async () => {
  const connection = openRaw(launcher.port);
  connection.socket.setNoDelay(true);
  for (const byte of bytesOf(event)) connection.socket.write(Buffer.from([byte]));
  const [answer] = await connection.answers();
  connection.socket.destroy();
  assert.equal(answer?.status, 202);
  assert.deepEqual(await storedEvents(), ["a_b"]);
});

test("a client that disconnects in the middle of its body leaves no event and no bug in the log", async () => {
  const connection = openRaw(launcher.port);
  connection.socket.write(bytesOf(event).subarray(0, -5));
  // An answer to a later request shows that the launcher has processed the first part.
  await launcher.health();
  connection.socket.destroy();
  await connection.ended;
  assert.deepEqual(await storedEvents(), []);
});

for (const [what, beginning] of [
  ["headers", "POST /api/recording/trigger HTTP/1.1\r\n"],
  ["a body", "POST /api/recording/trigger HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 200\r\n\r\n{"],
] as const) {
  test(`a connection that sends ${what} slowly is closed, and others are served meanwhile`, async () => {
    const connection = openRaw(launcher.port);
    connection.socket.write(bytesOf(beginning));
    while (!connection.socket.destroyed) {
      connection.socket.write("x");
      assert.equal((await launcher.health()).product, "kit");
      await pause(250);
    }
    const [answer] = await connection.answers();
    assert.ok(answer === undefined || answer.status === 408, `answered ${answer?.status}`);
    assert.deepEqual(await storedEvents(), []);
  });
}

const requestsWanted = Number(process.env.KIT_FUZZ_RUNS ?? 500);
const requestsAtOnce = 20;
/** At rest, some seconds after the flood. Right after it, the garbage of the last requests is not collected yet. */
const residentMbMax = 150;
/** An incomplete request gets no answer. Any other is answered before requests that are sent this much later. */
const silenceMs = 40;

type Parts = { start: string; headers: string; lengths: string; body: string };

/** The parts of a request of the table, for new combinations. */
function partsOf(request: Sendable): Parts {
  const [head = "", ...rest] = bytesOf(request).toString("latin1").split("\r\n\r\n");
  const [start = "", ...lines] = head.split("\r\n");
  const isLength = (line: string) => /^(content-length|transfer-encoding)/i.test(line);
  const headers = lines.filter((line) => !isLength(line)).join("\r\n");
  return { start, headers, lengths: lines.filter(isLength).join("\r\n"), body: rest.join("\r\n\r\n") };
}

const usual = partsOf(event);
const others = [
  ...refusedRequests.map(({ request }) => request),
  ...Object.values(acceptedRequests).flatMap(Object.values),
]
  .filter((request) => bytesOf(request).length < 3_000 && !bytesOf(request).includes("/api/monitor/"))
  .map(partsOf);
/** The valid part three times out of four. */
const often = (of: keyof Parts) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(usual[of]) },
    { weight: 1, arbitrary: fc.constantFrom(...new Set(others.map((parts) => parts[of]))) },
  );
const lineEnds = fc.oneof({ weight: 9, arbitrary: fc.constant("\r\n") }, fc.constantFrom("\n", "\r", "\r\n\r\n"));
const garbage = fc.oneof(
  fc.string({ unit: "binary-ascii", maxLength: 12 }),
  fc.constantFrom("\r\n", "\n", "\0", "\r", " ", "\t", "é"),
);
/** A position in the bytes where something is inserted or removed. */
const damage = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), put: garbage, take: fc.nat(4) });

const nearlyHttp = fc
  .tuple(often("start"), often("headers"), often("lengths"), often("body"), lineEnds, fc.option(damage, { freq: 2 }))
  .map(([start, headers, lengths, body, lineEnd, harm]) => {
    const head = [start, headers, lengths].filter((part) => part !== "").join("\r\n");
    const whole = `${head.replaceAll("\r\n", lineEnd)}${lineEnd}${lineEnd}${body}`;
    if (harm === null) return whole;
    const place = Math.floor(harm.at * whole.length);
    return whole.slice(0, place) + harm.put + whole.slice(place + harm.take);
  });

/**
 * Resolves when requests sent later have been answered. On a busy computer that takes longer than the pause. One of them is an event,
 * because events are stored in order of arrival, which may take longer than an answer.
 */
async function silence(): Promise<RawAnswer[]> {
  await pause(silenceMs);
  await launcher.trigger("silence_over");
  await launcher.health();
  return [];
}

async function allStored(): Promise<Pick<KitEvent, "id" | "eventId">[]> {
  const events: KitEvent[] = [];
  for (let before = ""; ; ) {
    const page = (await launcher.api("GET", `/api/events?limit=500${before}`)).json<{
      events: KitEvent[];
      more: boolean;
    }>();
    events.push(...page.events);
    if (!page.more) return events;
    before = `&before=${events.at(-1)?.id}`;
  }
}

test(`${requestsWanted} almost valid HTTP requests neither crash nor confuse the launcher`, async () => {
  const statuses: number[] = [];
  const acknowledged: string[] = [];
  let number = 0;
  const exchange = async (text: string) => {
    number += 1;
    // The id is as long as `a_b`, so that Content-Length stays correct.
    const id = number.toString(36).padStart(3, "0");
    const connection = openRaw(launcher.port);
    connection.socket.write(Buffer.from(text.replace("a_b", id), "latin1"));
    const answers = await Promise.race([connection.answers(), silence()]);
    connection.socket.destroy();
    await connection.ended;
    for (const { status, body } of answers) {
      statuses.push(status);
      assert.ok(status < 500, `answered ${status}: ${JSON.stringify(text)}`);
      if (status === 202) acknowledged.push((JSON.parse(body) as Acknowledgement).id);
    }
  };
  const property = fc.asyncProperty(
    fc.array(nearlyHttp, { minLength: requestsAtOnce, maxLength: requestsAtOnce }),
    async (requests) => {
      await Promise.all(requests.map(exchange));
      assert.ok(launcher.process().isRunning(), `the launcher ended: ${launcher.process().output()}`);
    },
  );
  await fc.assert(property, { numRuns: Math.ceil(requestsWanted / requestsAtOnce), endOnFailure: true });

  const residentMb = () => Math.round(residentBytesOf(launcher.process().pid) / 1_048_576);
  if (!cannot.readProc)
    await until(
      () => `the launcher to return the memory of the flood; it holds ${residentMb()} MiB`,
      () => residentMb() < residentMbMax,
    );
  const broken = statuses.filter((status) => status === 400).length;
  // About one request in eight is accepted, at random.
  assert.ok(acknowledged.length > requestsWanted / 40, `only ${acknowledged.length} requests got through`);
  assert.ok(broken > requestsWanted / 20, `only ${broken} were broken`);
  const stored = await allStored();
  const ids = new Set(stored.map(({ id }) => id));
  assert.deepEqual(
    acknowledged.filter((id) => !ids.has(id)),
    [],
    "an acknowledged event is missing",
  );
  const fuzzed = stored.map(({ eventId }) => eventId ?? "").filter((id) => /^[0-9a-z]{3}$/.test(id));
  assert.equal(new Set(fuzzed).size, fuzzed.length, "an event was stored twice");
});
