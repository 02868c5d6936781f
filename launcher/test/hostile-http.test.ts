// Requests no honest client sends: each gets its documented answer, and the launcher goes on for everybody else.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { type ProblemCode, problems } from "@kit/contract";
import { type OwnLauncher, problemIn, startOwnLauncher, timestamp } from "./own-launcher.ts";
import { type RawRequest, requestBytes, sendRaw } from "./raw-http.ts";

let launcher: OwnLauncher;
let kept = 0;
before(async () => {
  launcher = await startOwnLauncher();
});
after(() => launcher?.[Symbol.asyncDispose]());
afterEach(async () => {
  assert.equal((await launcher.health()).storage.state, "ok");
  const { events } = (await launcher.api("GET", "/api/events?limit=500")).json<{ events: unknown[] }>();
  assert.equal(events.length, kept, "what was refused is not stored");
});

const body = JSON.stringify({ eventId: "a_b", timestamp: timestamp() });
const json = ["Content-Type", "application/json"] as const;
const event: RawRequest = { method: "POST", target: "/api/recording/trigger", headers: [json], body };
const withHeaders = (...headers: readonly (readonly [string, string])[]): RawRequest => ({
  ...event,
  headers: [json, ...headers],
});
const typed = (type: string): RawRequest => ({ ...event, headers: [["Content-Type", type]] });

type Refusal = readonly [says: string, request: RawRequest, code: ProblemCode, allow?: string];

function refuses(rows: readonly Refusal[]): void {
  for (const [says, request, code, allow] of rows) {
    test(`${says} is answered ${problems[code].status} ${code}`, async () => {
      const answer = await sendRaw(launcher.port, requestBytes(launcher.port, request));
      assert.ok(answer, "the connection ended without an answer");
      assert.equal(`${answer.status} ${problemIn(answer).code}`, `${problems[code].status} ${code}`);
      assert.match(answer.headers["content-type"] ?? "", /^application\/problem\+json/);
      assert.equal(answer.headers.allow, allow);
      assert.equal(answer.headers["access-control-allow-credentials"], undefined);
    });
  }
}

refuses([
  ["GET at an ingest address", { target: "/api/recording/trigger" }, "method_not_allowed", "POST, OPTIONS"],
  ["PUT at an ingest address", { ...event, method: "PUT" }, "method_not_allowed", "POST, OPTIONS"],
  [
    "DELETE at an ingest address",
    { method: "DELETE", target: "/api/social/trigger" },
    "method_not_allowed",
    "POST, OPTIONS",
  ],
  [
    "TRACE at an ingest address",
    { method: "TRACE", target: "/api/monitor/report" },
    "method_not_allowed",
    "POST, OPTIONS",
  ],
  [
    "OPTIONS that asks nothing",
    { method: "OPTIONS", target: "/api/monitor/report" },
    "method_not_allowed",
    "POST, OPTIONS",
  ],
  ["POST at the health", { method: "POST", target: "/api/health", body: "" }, "method_not_allowed", "GET"],
  [
    "PUT at the health, with a body that is no JSON",
    { method: "PUT", target: "/api/health", headers: [json], body: "x" },
    "method_not_allowed",
    "GET",
  ],
  ["POST at the page", { method: "POST", target: "/", body: "" }, "method_not_allowed", "GET, HEAD"],
  ["PROPFIND at the page", { method: "PROPFIND", target: "/" }, "method_not_allowed", "GET, HEAD"],
  ["an unknown page", { target: "/nothing" }, "not_found"],
  ["an unknown file", { target: "/assets/nothing.js" }, "not_found"],
  ["a way out of the folder", { target: "/assets/../../../package.json" }, "not_found"],
  ["an encoded way out of the folder", { target: "/assets/%2e%2e%2f%2e%2e%2fpackage.json" }, "not_found"],
  ["an encoded way out with backslashes", { target: "/assets/..%5c..%5cpackage.json" }, "not_found"],
  ["the API in capitals", { target: "/API/events" }, "not_found"],
  ["an unknown operation, without the secret", { target: "/api/nothing" }, "unauthorized"],
  ["an event without the secret", { target: "/api/events" }, "unauthorized"],
  [
    "a wrong secret",
    { target: "/api/events", headers: [["Authorization", `Bearer ${"0".repeat(64)}`]] },
    "unauthorized",
  ],
  ["an ingest address with a slash behind it", { ...event, target: "/api/recording/trigger/" }, "unauthorized"],
  ["an address that is too long", { target: `/${"a".repeat(2_048)}` }, "uri_too_long"],
  ["a part of an address that is too long", { target: `/api/events/${"a".repeat(1_000)}` }, "unauthorized"],
]);

// Host: exactly one, and exactly ours. Otherwise a page could reach the launcher by a name of its own.
refuses([
  ["no Host", { host: null }, "misdirected"],
  ["an empty Host", { host: "" }, "misdirected"],
  ["a foreign Host", { host: "rebind.test" }, "misdirected"],
  ["a foreign Host at an ingest address", { ...event, host: "rebind.test:PORT" }, "misdirected"],
  ["a Host without a port", { host: "127.0.0.1" }, "misdirected"],
  ["a Host of all addresses", { host: "0.0.0.0:PORT" }, "misdirected"],
  ["a Host with somebody behind an @", { host: "127.0.0.1:PORT@evil" }, "misdirected"],
  ["a Host of another spelling", { host: "127.1:PORT" }, "misdirected"],
  ["a second Host", { headers: [["Host", "evil.test"]] }, "misdirected"],
  ["HTTP/1.0 without Host", { version: "HTTP/1.0", host: null }, "misdirected"],
  ["HTTP/1.0", { ...event, version: "HTTP/1.0" }, "malformed_request"],
  [
    "a foreign Host at an address that cannot be decoded",
    { target: "/api/events/%ff", host: "evil.test" },
    "misdirected",
  ],
  [
    "a foreign Host with an unknown expectation",
    { headers: [["Expect", "nonsense"]], host: "evil.test" },
    "misdirected",
  ],
  ["an absolute address", { target: "http://127.0.0.1/api/health" }, "malformed_request"],
  ["an absolute address elsewhere", { target: "http://evil.test/api/health" }, "malformed_request"],
  ["an absolute address that is broken", { target: "http://[" }, "malformed_request"],
  ["an address with two slashes", { target: "//evil/x" }, "malformed_request"],
  ["an address that is a star", { method: "OPTIONS", target: "*" }, "malformed_request"],
  ["a page that cannot be decoded", { target: "/%ff" }, "malformed_request"],
  [
    "an upgrade to a web socket",
    {
      target: "/api/feed",
      headers: [
        ["Connection", "Upgrade"],
        ["Upgrade", "websocket"],
      ],
    },
    "malformed_request",
  ],
  ["an upgrade to HTTP/2", withHeaders(["Connection", "Upgrade"], ["Upgrade", "h2c"]), "malformed_request"],
]);

// Origin and fetch metadata: who may send events without being asked about.
refuses([
  [
    "an unknown web page",
    withHeaders(["Origin", "https://evil.test"], ["Sec-Fetch-Site", "cross-site"]),
    "consent_needed",
  ],
  ["the null origin", withHeaders(["Origin", "null"]), "consent_needed"],
  ["two Origins", withHeaders(["Origin", "http://localhost:1"], ["Origin", "https://evil.test"]), "malformed_request"],
  ["an Origin no browser sends", withHeaders(["Origin", "http://localhost:1/x"]), "origin_refused"],
  ["a page that hides its origin", withHeaders(["Sec-Fetch-Site", "cross-site"]), "origin_refused"],
  ["a navigation", withHeaders(["Sec-Fetch-Site", "none"], ["Sec-Fetch-Mode", "navigate"]), "origin_refused"],
  ["the API for a web page", { target: "/api/health", headers: [["Origin", "https://evil.test"]] }, "origin_refused"],
  [
    "the page inside another one",
    {
      target: "/",
      headers: [
        ["Sec-Fetch-Site", "cross-site"],
        ["Sec-Fetch-Mode", "navigate"],
        ["Sec-Fetch-Dest", "iframe"],
      ],
    },
    "origin_refused",
  ],
]);

// Content: plain JSON, not compressed.
refuses([
  ["text/plain", typed("text/plain"), "unsupported_media_type"],
  ["a form", typed("application/x-www-form-urlencoded"), "unsupported_media_type"],
  ["a form in parts", typed("multipart/form-data; boundary=x"), "unsupported_media_type"],
  ["an empty Content-Type", typed(""), "unsupported_media_type"],
  ["JSON of another charset", typed("application/json; charset=utf-16"), "unsupported_media_type"],
  ["two types at once", typed("application/json, text/plain"), "unsupported_media_type"],
  ["another kind of JSON", typed("application/problem+json"), "unsupported_media_type"],
  ["gzip", withHeaders(["Content-Encoding", "gzip"]), "unsupported_media_type"],
  ["a made-up encoding", withHeaders(["Content-Encoding", "x"]), "unsupported_media_type"],
]);

const taken: readonly (readonly [says: string, request: RawRequest])[] = [
  ["no Content-Type from a native game", { ...event, headers: [] }],
  ["a charset", typed("application/json; charset=utf-8")],
  ["the type in capitals", typed('APPLICATION/JSON;charset="UTF-8"')],
  ["an identity encoding", withHeaders(["Content-Encoding", "identity"])],
  ["a Host in capitals", { ...event, host: "LOCALHOST:PORT" }],
  ["a Host that is the other loopback", { ...event, host: "[::1]:PORT" }],
  ["a query at an ingest address", { ...event, target: "/api/recording/trigger?x=1" }],
  ["a page of this machine", withHeaders(["Origin", "http://localhost:8000"], ["Sec-Fetch-Site", "cross-site"])],
];
for (const [says, request] of taken) {
  test(`${says} is taken`, async () => {
    const answer = await sendRaw(launcher.port, requestBytes(launcher.port, request));
    assert.equal(answer?.status, 202, answer?.body ?? "no answer");
    kept += 1;
  });
}

test("no other spelling of an address is a way round the session", async () => {
  const spellings = [
    "/%61pi/events",
    "/api/%65vents",
    "/%2fapi/events",
    "/./api/events",
    "/x/../api/events",
    "/api//events",
    "/api/events/",
    "/api/events;x",
    "/api\\events",
    "/API/EVENTS",
    "/%61pi/origins",
    "/%61pi/games",
  ];
  for (const target of spellings) {
    const answer = await sendRaw(launcher.port, requestBytes(launcher.port, { target }));
    assert.ok(answer && answer.status >= 400, `${target} is answered ${answer?.status}: ${answer?.body.slice(0, 200)}`);
  }
  const ticket = await sendRaw(
    launcher.port,
    requestBytes(launcher.port, { method: "POST", target: "/%61pi/tickets", body: "" }),
  );
  assert.equal(ticket?.status, 401, "a ticket was given away");
});

test("every answer, also a refusal, carries the headers that keep a browser from misusing it", async () => {
  const requests: readonly RawRequest[] = [
    {},
    event,
    { target: "/" },
    { target: "/nothing" },
    { target: "/%ff" },
    { target: "/api/events" },
    { target: `/${"a".repeat(3_000)}` },
    { ...event, method: "PUT" },
    { host: "evil.test" },
    { headers: [["Expect", "nonsense"]] },
  ];
  for (const request of requests) {
    const answer = await sendRaw(launcher.port, requestBytes(launcher.port, request));
    const what = `${request.method ?? "GET"} ${request.target ?? "/api/health"}`;
    assert.equal(answer?.headers["x-content-type-options"], "nosniff", what);
    assert.equal(answer?.headers["cross-origin-resource-policy"], "same-origin", what);
    // A game's answer is never a page: what only a page obeys is not sent with it.
    if (request.target === event.target) continue;
    assert.match(answer?.headers["content-security-policy"] ?? "", /default-src 'none'.*frame-ancestors 'none'/, what);
    assert.equal(answer?.headers["referrer-policy"], "no-referrer", what);
  }
  kept += 1;
});
