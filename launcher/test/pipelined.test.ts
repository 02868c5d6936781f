// An event sent behind another request on the same connection, without waiting: it is stored and answered, or neither. An
// answer that closes the connection is the last one, so what came behind it must not be stored in silence.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { bodyBytesMax } from "@kit/contract";
import { type OwnLauncher, startOwnLauncher, timestamp } from "./own-launcher.ts";
import { openRaw, type RawConnection, type RawRequest, requestBytes } from "./raw-http.ts";

let launcher: OwnLauncher;
before(async () => {
  launcher = await startOwnLauncher();
});
after(() => launcher?.[Symbol.asyncDispose]());

const json = ["Content-Type", "application/json"] as const;
const target = "/api/recording/trigger";
const eventBody = (eventId: string) => JSON.stringify({ eventId, timestamp: timestamp() });
const event: RawRequest = { method: "POST", target, headers: [json], body: eventBody("first_one") };
const withHeader = (name: string, value: string, body = event.body ?? ""): RawRequest => ({
  ...event,
  headers: [json, [name, value]],
  body,
});
const tooMuch = "x".repeat(bodyBytesMax + 1);

type First = readonly [says: string, request: RawRequest | string, status: number];
const raw = (headers: string, body: string, start = `POST ${target}`) =>
  `${start} HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Type: application/json\r\n${headers}\r\n${body}`;

const firsts: readonly First[] = [
  ["an event", event, 202],
  ["an event after which the client closes", withHeader("Connection", "close"), 202],
  ["no JSON", { ...event, body: "no" }, 400],
  ["an empty body", { ...event, body: "" }, 400],
  ["a payload that does not fit", { ...event, body: "{}" }, 422],
  ["a body of another type", { ...event, headers: [["Content-Type", "text/plain"]] }, 415],
  ["a compressed body", withHeader("Content-Encoding", "gzip"), 415],
  ["a body that is too large", { ...event, body: tooMuch }, 413],
  [
    "a body in chunks that is too large",
    raw("Transfer-Encoding: chunked\r\n", `40001\r\n${tooMuch}\r\n0\r\n\r\n`),
    413,
  ],
  ["an unknown web page", withHeader("Origin", "https://evil.test"), 403],
  ["a page that hides its origin", withHeader("Sec-Fetch-Site", "cross-site"), 403],
  ["a foreign Host", { ...event, host: "evil.test" }, 421],
  ["HTTP/1.0", { ...event, version: "HTTP/1.0" }, 400],
  ["HTTP/1.0 that wants to go on", { ...withHeader("Connection", "keep-alive"), version: "HTTP/1.0" }, 400],
  ["two Origins", { ...event, headers: [json, ["Origin", "null"], ["Origin", "null"]] }, 400],
  ["an upgrade", { ...event, headers: [json, ["Connection", "Upgrade"], ["Upgrade", "h2c"]] }, 400],
  ["an unknown expectation", withHeader("Expect", "nonsense"), 202],
  ["a body that waits for leave", withHeader("Expect", "100-continue"), 202],
  ["a foreign Host with an unknown expectation", { ...withHeader("Expect", "nonsense"), host: "evil.test" }, 421],
  ["GET at an event's address", { target }, 405],
  ["PUT at an event's address", { ...event, method: "PUT" }, 405],
  ["a preflight", { method: "OPTIONS", target, headers: [["Access-Control-Request-Method", "POST"]] }, 204],
  ["PUT at the health", { ...event, method: "PUT", target: "/api/health" }, 405],
  ["the health", {}, 200],
  ["the page with a body", { ...event, method: "GET", target: "/" }, 200],
  ["POST at the page", { ...event, target: "/" }, 405],
  ["an unknown file", { target: "/assets/nothing.js" }, 404],
  ["a file with a body", { ...event, target: "/assets/nothing.js" }, 405],
  ["an operation without the secret", { ...event, target: "/api/tickets" }, 401],
  ["a ticket from nowhere", { ...event, target: "/api/session" }, 403],
  [
    "a wrong ticket in a body that is too large",
    raw(`Origin: http://127.0.0.1:PORT\r\nContent-Length: ${tooMuch.length}\r\n`, tooMuch, "POST /api/session"),
    413,
  ],
  [
    "a ticket that is no JSON",
    raw("Origin: http://127.0.0.1:PORT\r\nContent-Length: 2\r\n", "no", "POST /api/session"),
    400,
  ],
  ["an address that is too long", { ...event, target: `/${"a".repeat(2_048)}` }, 414],
  ["an address that cannot be decoded", { ...event, target: "/%ff" }, 400],
  ["a chunk that is no chunk", raw("Transfer-Encoding: chunked\r\n", "zz\r\n"), 400],
  ["garbage", "GARBAGE\r\n\r\n", 400],
];

const bytesOf = (request: RawRequest | string) =>
  typeof request === "string"
    ? Buffer.from(request.replaceAll("PORT", String(launcher.port)), "latin1")
    : requestBytes(launcher.port, request);

/** The events that are sent with the first request, and how. */
type Sent = readonly [when: string, isBefore: boolean, send: (to: RawConnection, all: Buffer[]) => unknown];
const timings: readonly Sent[] = [
  ["at once", false, ({ socket }, all) => socket.write(Buffer.concat(all))],
  ["between two events", true, ({ socket }, all) => socket.write(Buffer.concat(all))],
  [
    "once the answer came",
    false,
    async (connection, all) => {
      for (const [index, bytes] of all.entries()) {
        connection.socket.write(bytes);
        await connection.answers(index + 1);
      }
    },
  ],
];

async function storedIds(): Promise<readonly string[]> {
  // Events are stored in the order in which they came: once this one is, so is everything sent before it.
  assert.equal((await launcher.send("recording", eventBody("last_one"))).status, 202);
  const { events } = (await launcher.api("GET", "/api/events?limit=10")).json<{ events: { eventId: string }[] }>();
  return events.map(({ eventId }) => eventId);
}

for (const [number, [says, first, status]] of firsts.entries()) {
  test(`an event behind ${says} is stored and answered, or neither`, async () => {
    for (const [at, [when, isBefore, send]] of timings.entries()) {
      const before = `before_${number}_${at}`;
      const behind = `behind_${number}_${at}`;
      const eventOf = (eventId: string) => bytesOf({ ...event, body: eventBody(eventId) });
      const all = [...(isBefore ? [eventOf(before)] : []), bytesOf(first), eventOf(behind)];
      const connection = openRaw(launcher.port);
      send(connection, all);
      const statuses = (await connection.answers(all.length)).map((answer) => answer.status);
      connection.socket.destroy();
      const said = `${when}: ${statuses.join(", ") || "no answer"}`;
      const expected = [...(isBefore ? [202] : []), status, 202].slice(0, Math.max(1, statuses.length));
      assert.deepEqual(statuses, expected, said);
      const stored = await storedIds();
      assert.equal(stored.includes(before), isBefore, said);
      assert.equal(stored.includes(behind), statuses.length === all.length, said);
    }
  });
}
