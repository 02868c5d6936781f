// The admission table, row by row: each line of the design is a line here.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProblemCode } from "@kit/contract";
import { admit, type Credentials, type RouteClass } from "./admission.ts";
import type { RequestFacts } from "./facts.ts";

const port = 9876;
const self = `http://127.0.0.1:${port}`;
const allowedOrigin = "https://allowed.example";
const blockedOrigin = "https://blocked.example";
const policy = {
  port,
  consent: (origin: string) =>
    origin === allowedOrigin ? "allowed" : origin === blockedOrigin ? "blocked" : ("unasked" as const),
} as const;

const nobody: Credentials = { session: false, bearer: false, pass: false, link: false };
const session: Credentials = { ...nobody, session: true };

const head: RequestFacts = {
  method: "GET",
  target: "/",
  version: "1.1",
  host: `127.0.0.1:${port}`,
  origin: undefined,
  site: undefined,
  mode: undefined,
  dest: undefined,
  contentType: undefined,
  contentEncoding: undefined,
  upgrade: undefined,
  requestedMethod: undefined,
  requestedHeaders: undefined,
  repeated: undefined,
};

type Outcome = "allow" | "allow with CORS" | "204" | "204 with CORS" | ProblemCode;
type Row = {
  readonly says: string;
  readonly at: RouteClass;
  readonly with: Partial<RequestFacts>;
  readonly shows?: Credentials;
  readonly gets: Outcome;
};

function outcomeOf({ at, with: facts, shows = nobody }: Row): Outcome {
  const decision = admit({ ...head, ...facts }, at, shows, policy);
  if (!decision.allow) return decision.code;
  assert.ok(decision.cors === undefined || decision.cors === facts.origin, "only the exact origin may be echoed");
  const cors = decision.cors === undefined ? "" : " with CORS";
  return `${decision.preflight ? "204" : "allow"}${cors}` as Outcome;
}

function table(rows: readonly Row[]): void {
  for (const row of rows) test(`${row.at}: ${row.says}: ${row.gets}`, () => assert.equal(outcomeOf(row), row.gets));
}

const post = { method: "POST", target: "/api/recording/trigger", contentType: "application/json" } as const;
const from = (origin: string, site = "cross-site") => ({ ...post, origin, site, mode: "cors" });
const preflight = (origin: string, requestedMethod = "POST", requestedHeaders = "content-type") => ({
  method: "OPTIONS",
  target: post.target,
  origin,
  site: "cross-site",
  mode: "cors",
  requestedMethod,
  requestedHeaders,
});

const classes: readonly RouteClass[] = ["ingest", "public", "session", "ticket", "shell", "asset"];

// C0 and C1 hold on every route, before anything else is looked at.
table(
  classes.flatMap((at): Row[] => {
    const good = { ...post, origin: at === "ingest" ? undefined : self };
    const row = (says: string, facts: Partial<RequestFacts>, gets: Outcome): Row => ({
      at,
      says,
      with: { ...good, ...facts },
      shows: session,
      gets,
    });
    return [
      row("no Host", { host: undefined }, "misdirected"),
      row("an empty Host", { host: "" }, "misdirected"),
      row("two Hosts", { repeated: "host" }, "misdirected"),
      row("a rebound Host", { host: `rebind.test:${port}` }, "misdirected"),
      row("a Host without the port", { host: "127.0.0.1" }, "misdirected"),
      row("a Host with another port", { host: "127.0.0.1:80" }, "misdirected"),
      row("0.0.0.0 as Host", { host: `0.0.0.0:${port}` }, "misdirected"),
      row("a Host with somebody else behind an @", { host: `127.0.0.1:${port}@evil` }, "misdirected"),
      row("a Host that only begins like ours", { host: `127.0.0.1:${port}.evil.test` }, "misdirected"),
      row("another spelling of loopback as Host", { host: `127.1:${port}` }, "misdirected"),
      row("HTTP/1.0", { version: "1.0" }, "malformed_request"),
      row("an Upgrade", { upgrade: "websocket" }, "malformed_request"),
      row("two Origins", { repeated: "origin" }, "malformed_request"),
      row("an absolute address", { target: `http://127.0.0.1:${port}/` }, "malformed_request"),
      row("an address that begins with two slashes", { target: "//evil/x" }, "malformed_request"),
      row("an address without a slash", { target: "*" }, "malformed_request"),
      row("an empty address", { target: "" }, "malformed_request"),
      row("an address with a control character", { target: "/\u007f" }, "malformed_request"),
      row("an address outside ASCII", { target: "/é" }, "malformed_request"),
      row("an address of more than 2,048 bytes", { target: `/${"a".repeat(2_048)}` }, "uri_too_long"),
    ];
  }),
);

table([
  { at: "public", says: "localhost as Host, in capitals", with: { host: `LOCALHOST:${port}` }, gets: "allow" },
  { at: "public", says: "[::1] as Host", with: { host: `[::1]:${port}` }, gets: "allow" },
  { at: "public", says: "an address of 2,048 bytes", with: { target: `/${"a".repeat(2_047)}` }, gets: "allow" },
]);

// Games: native ones without any setting, NW.js, pages of this machine, and the web by consent.
table(
  [
    ["a native game", post, "allow"],
    ["a native game without Content-Type", { ...post, contentType: undefined }, "allow"],
    ["a native game with a charset", { ...post, contentType: "application/json; charset=utf-8" }, "allow"],
    ["a native game with an identity encoding", { ...post, contentEncoding: "identity" }, "allow"],
    ["NW.js, which sends Sec-Fetch-Site: none", { ...post, site: "none", mode: "cors" }, "allow"],
    ["NW.js without Content-Type", { ...post, site: "none", contentType: undefined }, "unsupported_media_type"],
    ["no Origin, but same-origin", { ...post, site: "same-origin" }, "origin_refused"],
    ["no Origin, but same-site", { ...post, site: "same-site" }, "origin_refused"],
    ["no Origin, but cross-site", { ...post, site: "cross-site" }, "origin_refused"],
    ["old NW.js, with its extension's origin", from("chrome-extension://gamename"), "allow with CORS"],
    ["old NW.js without fetch metadata", { ...post, origin: "chrome-extension://a-b_9" }, "allow with CORS"],
    ["an extension's origin with capitals", from("chrome-extension://GAME"), "origin_refused"],
    ["an extension's origin with a path", from("chrome-extension://game/x"), "origin_refused"],
    ["an extension's origin that is too long", from(`chrome-extension://${"a".repeat(65)}`), "origin_refused"],
    ["a page on localhost", from("http://localhost:8000"), "allow with CORS"],
    ["a page on another port of 127.0.0.1", from("http://127.0.0.1:8000", "same-site"), "allow with CORS"],
    ["a page on [::1]", from("http://[::1]:8000"), "allow with CORS"],
    ["a page that only looks local", from("http://localhost.evil.test"), "consent_needed"],
    ["a page on 127.0.0.1.evil.test", from(`http://127.0.0.1.evil.test:${port}`), "consent_needed"],
    ["a page on https://localhost", from("https://localhost:8000"), "consent_needed"],
    ["a web page that was not asked about", from("https://html-classic.itch.zone"), "consent_needed"],
    ["a web page that was allowed", from(allowedOrigin), "allow with CORS"],
    ["a web page that was blocked", from(blockedOrigin), "origin_refused"],
    ["an app: origin", from("app://game"), "consent_needed"],
    ["a tauri: origin", from("tauri://localhost"), "consent_needed"],
    ["a capacitor: origin", from("capacitor://localhost"), "consent_needed"],
    ["the null origin", from("null"), "consent_needed"],
    ["a file's origin", from("file://"), "consent_needed"],
    ["an origin no browser sends", from("javascript:alert(1)"), "origin_refused"],
    ["an empty origin", from(""), "origin_refused"],
    ["two origins in one header", from("http://localhost:8000, https://evil.test"), "origin_refused"],
    ["an origin with user info", from("http://localhost:8000@evil.test"), "origin_refused"],
    ["the dashboard itself", from(self, "same-origin"), "origin_refused"],
    ["the dashboard by its other name", from(`http://localhost:${port}`, "same-site"), "origin_refused"],
    ["a native-looking navigation", { ...post, mode: "navigate" }, "origin_refused"],
    ["a navigation from NW.js", { ...post, site: "none", mode: "navigate" }, "origin_refused"],
    ["a navigation from an allowed page", { ...from(allowedOrigin), mode: "navigate" }, "origin_refused"],
    ["a navigation from a local page", { ...from("http://localhost:8000"), mode: "navigate" }, "origin_refused"],
    ["text/plain from a native game", { ...post, contentType: "text/plain" }, "unsupported_media_type"],
    [
      "text/plain from an allowed page",
      { ...from(allowedOrigin), contentType: "text/plain" },
      "unsupported_media_type",
    ],
    [
      "a form from a local page",
      { ...from("http://localhost:8000"), contentType: "application/x-www-form-urlencoded" },
      "unsupported_media_type",
    ],
    ["no Content-Type from a page", { ...from(allowedOrigin), contentType: undefined }, "unsupported_media_type"],
    ["JSON of another charset", { ...post, contentType: "application/json; charset=utf-16" }, "unsupported_media_type"],
    ["two types in one header", { ...post, contentType: "application/json, text/plain" }, "unsupported_media_type"],
    ["a type that only begins like JSON", { ...post, contentType: "application/jsonx" }, "unsupported_media_type"],
    ["a compressed body", { ...post, contentEncoding: "gzip" }, "unsupported_media_type"],
    ["GET from a native program", { ...post, method: "GET" }, "method_not_allowed"],
    ["PUT from a local page", { ...from("http://localhost:8000"), method: "PUT" }, "method_not_allowed"],
    ["GET from a page that was not asked about", { ...from("https://evil.test"), method: "GET" }, "consent_needed"],
  ].map(([says, facts, gets]) => ({ at: "ingest", says, with: facts, gets }) as Row),
);

test("only a web page that waits for consent is named for the person to decide on", () => {
  const asks = (facts: Partial<RequestFacts>) => {
    const decision = admit({ ...head, ...facts }, "ingest", nobody, policy);
    return decision.allow ? undefined : decision.ask;
  };
  assert.equal(asks(from("https://new.example")), "https://new.example");
  assert.equal(asks(preflight("https://new.example")), "https://new.example");
  assert.equal(asks(from("null")), "null");
  for (const origin of [self, blockedOrigin, "", "javascript:alert(1)"]) assert.equal(asks(from(origin)), undefined);
  assert.equal(asks({ ...from("https://new.example"), mode: "navigate" }), undefined, "a navigation asks nobody");
});

// Preflights follow the rows of the POST they ask for.
table(
  [
    ["a preflight of a local page", preflight("http://localhost:8000"), "204 with CORS"],
    ["a preflight of NW.js", preflight("chrome-extension://game"), "204 with CORS"],
    ["a preflight of an allowed page", preflight(allowedOrigin), "204 with CORS"],
    ["a preflight of a page that was not asked about", preflight("https://new.example"), "consent_needed"],
    ["a preflight of a blocked page", preflight(blockedOrigin), "origin_refused"],
    ["a preflight of the null origin", preflight("null"), "consent_needed"],
    ["a preflight of the dashboard", preflight(self), "origin_refused"],
    ["a preflight that asks for PUT", preflight(allowedOrigin, "PUT"), "origin_refused"],
    ["a preflight that asks for another header", preflight(allowedOrigin, "POST", "x-evil"), "origin_refused"],
    ["a preflight without headers", preflight(allowedOrigin, "POST", ""), "204 with CORS"],
    ["OPTIONS that is no preflight", { ...preflight(allowedOrigin), requestedMethod: undefined }, "method_not_allowed"],
    ["a preflight that navigates", { ...preflight(allowedOrigin), mode: "navigate" }, "origin_refused"],
  ].map(([says, facts, gets]) => ({ at: "ingest", says, with: facts, gets }) as Row),
);
