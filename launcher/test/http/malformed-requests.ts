// Malformed requests, each with its expected answer, and unusual requests that are valid.
import { bodyBytesMax, bodyDepthMax, type ProblemCode } from "@kit/contract";
import { timestamp } from "../support/own-launcher.ts";
import type { RawRequest } from "../support/raw-http.ts";

/** A string is sent byte by byte, with the launcher's port in place of PORT. */
export type Sendable = RawRequest | string;

export type Refused = {
  readonly label: string;
  readonly request: Sendable;
  readonly code: ProblemCode;
  /** Paths of the members with errors. */
  readonly paths: readonly string[];
  /** The header `Allow` of the answer. */
  readonly allow?: string;
};

type Named = Readonly<Record<string, Sendable>>;

const refused = (code: ProblemCode, requests: Named, more: Partial<Refused> = {}): readonly Refused[] =>
  Object.entries(requests).map(([label, request]) => ({ label, request, code, paths: [], ...more }));

const at = timestamp();
const json = ["Content-Type", "application/json"] as const;
const post = (target: string, body: string | Uint8Array): RawRequest => ({
  method: "POST",
  target,
  headers: [json],
  body,
});
const recording = (body: string | Uint8Array) => post("/api/recording/trigger", body);
const social = (body: string | Uint8Array) => post("/api/social/trigger", body);
const monitor = (body: string | Uint8Array) => post("/api/monitor/report", body);

const eventBody = `{"eventId":"a_b","timestamp":"${at}"}`;
/** A valid recording trigger. */
export const event = recording(eventBody);
const withHeaders = (...headers: readonly (readonly [string, string])[]): RawRequest => ({
  ...event,
  headers: [json, ...headers],
});
const typed = (type: string): RawRequest => ({ ...event, headers: [["Content-Type", type]] });

const withMember = (member: string) => `{"eventId":"a_b","timestamp":"${at}",${member}}`;
const withEventId = (value: string) => `{"eventId":${value},"timestamp":"${at}"}`;
const withTime = (value: string) => recording(`{"eventId":"a_b","timestamp":${value}}`);
const withMessage = (value: string) => `{"message":${value},"timestamp":"${at}"}`;
const withStack = (value: string) => monitor(`{"message":"m","stackTrace":${value},"timestamp":"${at}"}`);
const inMessage = (...bytes: number[]) =>
  monitor(Buffer.from(withMessage(`"${String.fromCharCode(...bytes)}"`), "latin1"));
const nested = (depth: number) => recording(withMember(`"x":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}`));
const messageOfBytes = (bytes: number) => monitor(withMessage(`"${"a".repeat(bytes - withMessage('""').length)}"`));

const bodies = [
  ...refused("not_json", {
    "an empty body": recording(""),
    "a body that is not JSON": recording("eventId=a_b"),
    "half a document": recording('{"eventId":"a_b"'),
    "text behind the document": recording(`${eventBody}x`),
    "a comment": social(`${eventBody}//`),
    "a trailing comma": monitor('{"message":"m",}'),
    NaN: monitor(withMessage("NaN")),
    "a raw NUL in a string": recording(withEventId('"a\u0000b"')),
    "a raw line end in a string": monitor(withMessage('"a\nb"')),
    "a NUL behind the document": recording(`${eventBody}\u0000`),
    "UTF-16": recording(Buffer.from(eventBody, "utf16le")),
    "invalid UTF-8": inMessage(0xff, 0xfe),
    "overlong UTF-8": inMessage(0xc0, 0xaf),
    "a surrogate in UTF-8": inMessage(0xed, 0xa0, 0x80),
  }),
  ...refused("payload_too_large", { "one byte too many": messageOfBytes(bodyBytesMax + 1) }),
];

const invalid = (paths: readonly string[], requests: Named) => refused("payload_invalid", requests, { paths });

const payloads = [
  ...invalid([""], {
    "a number": recording("42"),
    null: monitor("null"),
    "a text": social('"a_b"'),
    "a list": recording("[]"),
    "one level of nesting too many": nested(bodyDepthMax + 1),
    "nesting 100,000 deep": nested(100_001),
    "nesting that never ends": monitor('{"a":'.repeat(50_000)),
  }),
  ...invalid(["/eventId", "/timestamp"], { "an object without members": recording("{}") }),
  ...invalid(["/message", "/timestamp"], {
    "a report without members": monitor("{}"),
    "16,000 members": monitor(`{${Array.from({ length: 16_000 }, (_, index) => `"a${index}":0`).join(",")}}`),
  }),
  ...invalid(["/eventId"], {
    "no eventId": social(`{"timestamp":"${at}"}`),
    "an eventId that is a number": recording(withEventId("7")),
    "an eventId that is null": social(withEventId("null")),
    "an eventId that is a list": recording(withEventId('["a"]')),
    "an empty eventId": recording(withEventId('""')),
    "a blank eventId": recording(withEventId('" \\u3000\\u00a0"')),
    "an eventId of 250,000 blanks": social(withEventId(`"${" ".repeat(250_000)}"`)),
    "an eventId with an escaped NUL": recording(withEventId('"a\\u0000b"')),
    "an eventId with an escape character": social(withEventId('"a\\u001b[31m"')),
    "an eventId with a C1 control": social(withEventId('"a\\u009b"')),
    "an eventId of 201 characters": recording(withEventId(`"${"é".repeat(201)}"`)),
    "an eventId of 201 emoji": recording(withEventId(`"${"😀".repeat(201)}"`)),
    "an eventId of 120,000 combining marks": recording(withEventId(`"a${"\u0301".repeat(120_000)}"`)),
    "an eventId only in __proto__": recording(`{"__proto__":{"eventId":"a_b"},"timestamp":"${at}"}`),
  }),
  ...invalid(["/message"], {
    "members of another kind": monitor(withMember('"x":1')),
    "an empty message": monitor(withMessage('""')),
    "a message that is an object": monitor(withMessage("{}")),
  }),
  ...invalid(["/stackTrace"], {
    "a stack trace that is a list": withStack('["a"]'),
    "a stack trace that is a number": withStack("1"),
  }),
  ...invalid(["/message", "/stackTrace", "/timestamp"], {
    "everything wrong at once": monitor('{"message":1,"stackTrace":2,"timestamp":3}'),
  }),
  ...invalid(["/timestamp"], {
    "no timestamp": recording('{"eventId":"a_b"}'),
    "the 30th of February": withTime('"2026-02-30T00:00:00.000Z"'),
    "a 29th of February of a common year": withTime('"2025-02-29T00:00:00.000Z"'),
    "the hour 24": withTime('"2026-01-01T24:00:00.000Z"'),
    "a 61st second": withTime('"2026-01-01T00:00:60.000Z"'),
    "month 0": withTime('"2026-00-01T00:00:00.000Z"'),
    "a time without milliseconds": withTime('"2026-01-01T00:00:00Z"'),
    "a time with an offset": withTime('"2026-01-01T00:00:00.000+01:00"'),
    "a time with microseconds": withTime('"2026-01-01T00:00:00.000000Z"'),
    "a time with a line end": withTime('"2026-01-01T00:00:00.000Z\\n"'),
    "a time in other digits": withTime('"２０２６-01-01T00:00:00.000Z"'),
    "a time of 250,000 digits": withTime(`"${"2".repeat(250_000)}"`),
    "a time as a number": withTime("1767225600000"),
  }),
];

const addresses = [
  ...refused(
    "method_not_allowed",
    {
      "GET at an ingest address": { target: "/api/recording/trigger" },
      "PUT at an ingest address": { ...event, method: "PUT" },
      "DELETE at an ingest address": { method: "DELETE", target: "/api/social/trigger" },
      "TRACE at an ingest address": { method: "TRACE", target: "/api/monitor/report" },
      "OPTIONS without a preflight": { method: "OPTIONS", target: "/api/monitor/report" },
    },
    { allow: "POST, OPTIONS" },
  ),
  ...refused(
    "method_not_allowed",
    {
      "POST at the health": { method: "POST", target: "/api/health", body: "" },
      "PUT at the health, with a body that is no JSON": { ...event, method: "PUT", target: "/api/health", body: "x" },
    },
    { allow: "GET" },
  ),
  ...refused(
    "method_not_allowed",
    {
      "POST at the page": { method: "POST", target: "/", body: "" },
      "PROPFIND at the page": { method: "PROPFIND", target: "/" },
      "an event at a file": { ...event, target: "/assets/nothing.js" },
    },
    { allow: "GET, HEAD" },
  ),
  ...refused("not_found", {
    "an unknown page": { target: "/nothing" },
    "an unknown file": { target: "/assets/nothing.js" },
    "a path out of the folder": { target: "/assets/../../../package.json" },
    "an encoded path out of the folder": { target: "/assets/%2e%2e%2f%2e%2e%2fpackage.json" },
    "an encoded path out with backslashes": { target: "/assets/..%5c..%5cpackage.json" },
    "the API in capitals": { target: "/API/events" },
    "an unknown operation, without the secret": { target: "/api/nothing" },
    "an ingest address with a slash behind it": { ...event, target: "/api/recording/trigger/" },
  }),
  ...refused("unauthorized", {
    "an event without the secret": { target: "/api/events" },
    "an operation with a body, without the secret": { ...event, target: "/api/tickets" },
    "a wrong secret": { target: "/api/events", headers: [["Authorization", `Bearer ${"0".repeat(64)}`]] },
    "a part of an address that is too long": { target: `/api/events/${"a".repeat(1_000)}` },
  }),
  ...refused("uri_too_long", {
    "an address that is too long": { target: `/${"a".repeat(2_048)}` },
    "an address that is too long, with a body": { ...event, target: `/${"a".repeat(2_048)}` },
  }),
  ...refused("malformed_request", {
    "an absolute address": { target: "http://127.0.0.1/api/health" },
    "an absolute address elsewhere": { target: "http://evil.test/api/health" },
    "an absolute address that is broken": { target: "http://[" },
    "an address with two slashes": { target: "//evil/x" },
    "an address that is a star": { method: "OPTIONS", target: "*" },
    "a page that cannot be decoded": { target: "/%ff" },
    "an event at an address that cannot be decoded": { ...event, target: "/%ff" },
  }),
];

// A request must have exactly one Host, with an address of the launcher. Otherwise a page could reach it by its own name
// (DNS rebinding).
const hosts = refused("misdirected", {
  "no Host": { host: null },
  "an empty Host": { host: "" },
  "a foreign Host": { host: "rebind.test" },
  "a foreign Host at an ingest address": { ...event, host: "rebind.test:PORT" },
  "a Host without a port": { host: "127.0.0.1" },
  "a Host of all addresses": { host: "0.0.0.0:PORT" },
  "a Host with user info": { host: "127.0.0.1:PORT@evil" },
  "a Host in another spelling": { host: "127.1:PORT" },
  "a second Host": { headers: [["Host", "evil.test"]] },
  "HTTP/1.0 without Host": { version: "HTTP/1.0", host: null },
  "a foreign Host at an address that cannot be decoded": { target: "/api/events/%ff", host: "evil.test" },
  "a foreign Host with an unknown expectation": { headers: [["Expect", "nonsense"]], host: "evil.test" },
  "an event for a foreign Host with an unknown expectation": {
    ...withHeaders(["Expect", "nonsense"]),
    host: "evil.test",
  },
});

// Origin and fetch metadata: which pages may send events without consent.
const origins = [
  ...refused("consent_needed", {
    "an unknown web page": withHeaders(["Origin", "https://evil.test"], ["Sec-Fetch-Site", "cross-site"]),
    "the null origin": withHeaders(["Origin", "null"]),
  }),
  ...refused("origin_refused", {
    "an Origin that no browser sends": withHeaders(["Origin", "http://localhost:1/x"]),
    "a page that hides its origin": withHeaders(["Sec-Fetch-Site", "cross-site"]),
    "a navigation": withHeaders(["Sec-Fetch-Site", "none"], ["Sec-Fetch-Mode", "navigate"]),
    "the API for a web page": { target: "/api/health", headers: [["Origin", "https://evil.test"]] },
    "the page inside another page": {
      target: "/",
      headers: [
        ["Sec-Fetch-Site", "cross-site"],
        ["Sec-Fetch-Mode", "navigate"],
        ["Sec-Fetch-Dest", "iframe"],
      ],
    },
    "a ticket without an origin": { ...event, target: "/api/session" },
  }),
];

// Content: uncompressed JSON only.
const types = refused("unsupported_media_type", {
  "text/plain": typed("text/plain"),
  "a form": typed("application/x-www-form-urlencoded"),
  "a form in parts": typed("multipart/form-data; boundary=x"),
  "an empty Content-Type": typed(""),
  "JSON of another charset": typed("application/json; charset=utf-16"),
  "two types at once": typed("application/json, text/plain"),
  "another kind of JSON": typed("application/problem+json"),
  gzip: withHeaders(["Content-Encoding", "gzip"]),
  "an unknown encoding": withHeaders(["Content-Encoding", "x"]),
});

/** Valid headers, then these and a body that may contradict them. */
const raw = (headers: string, content = "", start = "POST /api/recording/trigger HTTP/1.1") =>
  `${start}\r\nHost: 127.0.0.1:PORT\r\nContent-Type: application/json\r\n${headers}\r\n${content}`;
const length = `Content-Length: ${eventBody.length}\r\n`;
const chunked = "Transfer-Encoding: chunked\r\n";
const inHex = (text: string) => text.length.toString(16);
const oneChunk = (text: string) => `${inHex(text)}\r\n${text}\r\n0\r\n\r\n`;
const tooMuch = "x".repeat(bodyBytesMax + 1);
const ticketOf = "POST /api/session HTTP/1.1\r\nOrigin: http://127.0.0.1:PORT";

// Invalid HTTP: answered or closed, and never accepted as an event.
const grammar = [
  ...refused("malformed_request", {
    "Content-Length with Transfer-Encoding": raw(`${length}${chunked}`, eventBody),
    "Transfer-Encoding with Content-Length": raw(`${chunked}${length}`, "0\r\n\r\n"),
    "two Content-Lengths": raw(`${length}${length}`, eventBody),
    "two Content-Lengths that differ": raw(`${length}Content-Length: 1\r\n`, eventBody),
    "a negative Content-Length": raw("Content-Length: -1\r\n", eventBody),
    "a Content-Length with a sign": raw(`Content-Length: +${eventBody.length}\r\n`, eventBody),
    "a Content-Length in hex": raw(`Content-Length: 0x${inHex(eventBody)}\r\n`, eventBody),
    "a Content-Length that is too large for a number": raw("Content-Length: 99999999999999999999999\r\n", eventBody),
    "a chunk size that is no number": raw(chunked, `zz\r\n${eventBody}\r\n0\r\n\r\n`),
    "a chunk that is longer than its size": raw(chunked, `1\r\n${eventBody}\r\n0\r\n\r\n`),
    "Transfer-Encoding: identity": raw("Transfer-Encoding: identity\r\n", eventBody),
    "chunked twice": raw("Transfer-Encoding: chunked, chunked\r\n", oneChunk(eventBody)),
    "a blank before a header's colon": raw(`Content-Length : ${eventBody.length}\r\n`, eventBody),
    "bare line feeds": raw(length, eventBody).replaceAll("\r\n", "\n"),
    "a bare carriage return in a header": raw(`X: a\rb\r\n${length}`, eventBody),
    "a folded header": raw(`X: a\r\n b\r\n${length}`, eventBody),
    "a NUL in a header": raw(`X: a\u0000b\r\n${length}`, eventBody),
    "a NUL in the address": raw(length, eventBody, "POST /api/recording/trigger\u0000 HTTP/1.1"),
    "a blank in the address": raw(length, eventBody, "POST /api/recording /trigger HTTP/1.1"),
    "a header without a name": raw(`: x\r\n${length}`, eventBody),
    "a header without a colon": raw(`nonsense\r\n${length}`, eventBody),
    "an unknown method": raw(length, eventBody, "FIRE /api/recording/trigger HTTP/1.1"),
    "a method in small letters": raw(length, eventBody, "post /api/recording/trigger HTTP/1.1"),
    "an HTTP/2 preface": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "HTTP/9.9": raw(length, eventBody, "POST /api/recording/trigger HTTP/9.9"),
    "a TLS greeting": "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
    garbage: "GARBAGE\r\n\r\n",
    "HTTP/1.0": { ...event, version: "HTTP/1.0" },
    "HTTP/1.0 with keep-alive": { ...withHeaders(["Connection", "keep-alive"]), version: "HTTP/1.0" },
    "an upgrade to a web socket": {
      target: "/api/feed",
      headers: [
        ["Connection", "Upgrade"],
        ["Upgrade", "websocket"],
      ],
    },
    "an upgrade to HTTP/2": withHeaders(["Connection", "Upgrade"], ["Upgrade", "h2c"]),
    "two Origins": withHeaders(["Origin", "http://localhost:1"], ["Origin", "https://evil.test"]),
  }),
  ...refused("headers_too_large", {
    "headers that are too large": raw(`X-A: ${"a".repeat(1_000)}\r\n`.repeat(20)),
  }),
  ...refused("payload_too_large", {
    "a body in chunks that is too large": raw(chunked, oneChunk(tooMuch)),
    "a wrong ticket in a body that is too large": raw(`Content-Length: ${tooMuch.length}\r\n`, tooMuch, ticketOf),
  }),
  ...refused("not_json", { "a ticket that is no JSON": raw("Content-Length: 2\r\n", "no", ticketOf) }),
];

export const refusedRequests: readonly Refused[] = [
  ...bodies,
  ...payloads,
  ...addresses,
  ...hosts,
  ...origins,
  ...types,
  ...grammar,
];

/** By status. Requests that are answered 202 are events. */
export const acceptedRequests: Readonly<Record<number, Named>> = {
  200: {
    "the health": {},
    "the page with a body": { ...event, method: "GET", target: "/" },
  },
  202: {
    "an event": event,
    "an event after which the client closes": withHeaders(["Connection", "close"]),
    "an event with an unknown expectation": withHeaders(["Expect", "nonsense"]),
    "an event that waits for 100 Continue": withHeaders(["Expect", "100-continue"]),
    "an event in chunks": raw(
      chunked,
      `5\r\n${eventBody.slice(0, 5)}\r\n${inHex(eventBody.slice(5))};x=y\r\n${eventBody.slice(5)}\r\n0\r\n\r\n`,
    ),
    "no Content-Type from a native game": { ...event, headers: [] },
    "a charset": typed("application/json; charset=utf-8"),
    "the type in capitals": typed('APPLICATION/JSON;charset="UTF-8"'),
    "an identity encoding": withHeaders(["Content-Encoding", "identity"]),
    "a Host in capitals": { ...event, host: "LOCALHOST:PORT" },
    "a Host that is the other loopback address": { ...event, host: "[::1]:PORT" },
    "a query at an ingest address": { ...event, target: "/api/recording/trigger?x=1" },
    "a page of this machine": withHeaders(["Origin", "http://localhost:8000"], ["Sec-Fetch-Site", "cross-site"]),
    "an unknown member": recording(withMember('"volume":11')),
    "unknown members with the deepest allowed nesting": nested(bodyDepthMax),
    "braces inside a text, which are not nesting": monitor(withMessage(`"${"{[".repeat(1_000)}"`)),
    "a member called __proto__": recording(withMember('"__proto__":{"eventId":"evil","admin":true}')),
    "a member called constructor": social(withMember('"constructor":{"prototype":{"x":1}}')),
    "a byte order mark": recording(`\ufeff${eventBody}`),
    "blanks around the document": recording(` \n\t${eventBody}\r\n`),
    "a number that is too large": recording(withMember('"x":1e999')),
    "the largest body": messageOfBytes(bodyBytesMax),
  },
  204: {
    "a preflight": {
      method: "OPTIONS",
      target: "/api/recording/trigger",
      headers: [["Access-Control-Request-Method", "POST"]],
    },
  },
};
