// Tests of the admission table, row by row.
import assert from "node:assert/strict";
import type { ProblemCode } from "@kit/contract";
import { test } from "vitest";
import {
  type AdmissionPolicy,
  admit,
  type RequestCredentials,
  type RequestFacts,
  type RouteClass,
} from "./admission.ts";

const port = 9876;
const self = `http://127.0.0.1:${port}`;
const allowedOrigin = "https://allowed.example";
const blockedOrigin = "https://blocked.example";
const policyForGames: AdmissionPolicy = {
  port,
  consent: (origin) => (origin === allowedOrigin ? "allowed" : origin === blockedOrigin ? "blocked" : "unasked"),
};
/** Consent that was given to a page counts for events only. */
const policyForOthers: AdmissionPolicy = { port, consent: () => "allowed" };

/** Also the credentials of a request with the cookie alone: admission does not learn of it. */
const nobody: RequestCredentials = { session: false, bearer: false, pass: false, link: false };
const session: RequestCredentials = { ...nobody, session: true };
const bearer: RequestCredentials = { ...nobody, bearer: true };
const pass: RequestCredentials = { ...nobody, pass: true };
const link: RequestCredentials = { ...nobody, link: true };

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
  privateNetwork: undefined,
  localNetwork: undefined,
  repeated: undefined,
};

type Outcome = "allow" | "allow with CORS" | "204" | "204 with CORS" | ProblemCode;

function outcomeOf(at: RouteClass, facts: Partial<RequestFacts>, shows: RequestCredentials): Outcome {
  const policy = at === "ingest" ? policyForGames : policyForOthers;
  const decision = admit({ ...head, ...facts }, at, shows, policy);
  if (at !== "ingest") assert.equal(decision.cors, undefined, "no other page may read the dashboard's answers");
  if (!decision.allow) return decision.code;
  assert.ok(decision.cors === undefined || decision.cors === facts.origin, "only the exact origin may be echoed");
  const cors = decision.cors === undefined ? "" : " with CORS";
  return `${decision.preflight ? "204" : "allow"}${cors}` as Outcome;
}

type Requests = Readonly<Record<string, Partial<RequestFacts>>>;

/** The outcome for a request with these credentials at routes of this class. */
function table(at: RouteClass, shows: RequestCredentials, gets: Outcome, requests: Requests): void {
  for (const [label, facts] of Object.entries(requests)) {
    test(`${at}: ${label} gets ${gets}`, () => assert.equal(outcomeOf(at, facts, shows), gets));
  }
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

// These are checked on every route before anything else.
const classes: readonly RouteClass[] = ["ingest", "public", "session", "ticket", "shell", "asset"];
const everywhere: Partial<Record<Outcome, Requests>> = {
  misdirected: {
    "no Host": { host: undefined },
    "an empty Host": { host: "" },
    "two Hosts": { repeated: "host" },
    "a rebound Host": { host: `rebind.test:${port}` },
    "a Host without the port": { host: "127.0.0.1" },
    "a Host with another port": { host: "127.0.0.1:80" },
    "0.0.0.0 as Host": { host: `0.0.0.0:${port}` },
    "a Host with user info": { host: `127.0.0.1:${port}@evil` },
    "a Host that begins like the launcher's": { host: `127.0.0.1:${port}.evil.test` },
    "another spelling of loopback as Host": { host: `127.1:${port}` },
  },
  malformed_request: {
    "HTTP/1.0": { version: "1.0" },
    "an Upgrade": { upgrade: "websocket" },
    "two Origins": { repeated: "origin" },
    "an absolute address": { target: `http://127.0.0.1:${port}/` },
    "an address that begins with two slashes": { target: "//evil/x" },
    "an address without a slash": { target: "*" },
    "an empty address": { target: "" },
    "an address with a control character": { target: "/\u007f" },
    "an address outside ASCII": { target: "/é" },
  },
  uri_too_long: {
    "an address of more than 2,048 bytes": { target: `/${"a".repeat(2_048)}` },
  },
};
for (const at of classes) {
  const good = { ...post, origin: at === "ingest" ? undefined : self };
  for (const [gets, requests] of Object.entries(everywhere)) {
    const whole = Object.entries(requests).map(([label, facts]) => [label, { ...good, ...facts }]);
    table(at, session, gets as Outcome, Object.fromEntries(whole));
  }
}

table("public", nobody, "allow", {
  "localhost as Host, in capitals": { host: `LOCALHOST:${port}` },
  "[::1] as Host": { host: `[::1]:${port}` },
  "an address of 2,048 bytes": { target: `/${"a".repeat(2_047)}` },
});

// Games: native ones without any setup, NW.js, pages of this computer, and web pages by consent.
table("ingest", nobody, "allow", {
  "a native game": post,
  "a native game without Content-Type": { ...post, contentType: undefined },
  "a native game with a charset": { ...post, contentType: "application/json; charset=utf-8" },
  "a native game with an identity encoding": { ...post, contentEncoding: "identity" },
  "NW.js, which sends Sec-Fetch-Site: none": { ...post, site: "none", mode: "cors" },
});
table("ingest", nobody, "unsupported_media_type", {
  "NW.js without Content-Type": { ...post, site: "none", contentType: undefined },
  "text/plain from a native game": { ...post, contentType: "text/plain" },
  "text/plain from an allowed page": { ...from(allowedOrigin), contentType: "text/plain" },
  "a form from a local page": { ...from("http://localhost:8000"), contentType: "application/x-www-form-urlencoded" },
  "no Content-Type from a page": { ...from(allowedOrigin), contentType: undefined },
  "JSON of another charset": { ...post, contentType: "application/json; charset=utf-16" },
  "two types in one header": { ...post, contentType: "application/json, text/plain" },
  "a type that only begins like JSON": { ...post, contentType: "application/jsonx" },
  "a compressed body": { ...post, contentEncoding: "gzip" },
});
table("ingest", nobody, "origin_refused", {
  "no Origin, but same-origin": { ...post, site: "same-origin" },
  "no Origin, but same-site": { ...post, site: "same-site" },
  "no Origin, but cross-site": { ...post, site: "cross-site" },
  "an extension's origin with capitals": from("chrome-extension://GAME"),
  "an extension's origin with a path": from("chrome-extension://game/x"),
  "an extension's origin that is too long": from(`chrome-extension://${"a".repeat(65)}`),
  "a web page that was blocked": from(blockedOrigin),
  "an origin no browser sends": from("javascript:alert(1)"),
  "an empty origin": from(""),
  "two origins in one header": from("http://localhost:8000, https://evil.test"),
  "an origin with user info": from("http://localhost:8000@evil.test"),
  "a native-looking navigation": { ...post, mode: "navigate" },
  "a navigation from NW.js": { ...post, site: "none", mode: "navigate" },
  "a navigation from an allowed page": { ...from(allowedOrigin), mode: "navigate" },
  "a navigation from a local page": { ...from("http://localhost:8000"), mode: "navigate" },
});
table("ingest", nobody, "allow with CORS", {
  "old NW.js, with its extension's origin": from("chrome-extension://gamename"),
  "old NW.js without fetch metadata": { ...post, origin: "chrome-extension://a-b_9" },
  "a page on localhost": from("http://localhost:8000"),
  "a page on another port of 127.0.0.1": from("http://127.0.0.1:8000", "same-site"),
  "a page on [::1]": from("http://[::1]:8000"),
  "the launcher's own page, which is the demo": from(self, "same-origin"),
  "the launcher's own page by its other name": from(`http://localhost:${port}`, "same-site"),
  "a web page that was allowed": from(allowedOrigin),
});
table("ingest", nobody, "consent_needed", {
  "a page that only looks local": from("http://localhost.evil.test"),
  "a page on 127.0.0.1.evil.test": from(`http://127.0.0.1.evil.test:${port}`),
  "a page on https://localhost": from("https://localhost:8000"),
  "a web page without a decision": from("https://html-classic.itch.zone"),
  "an app: origin": from("app://game"),
  "a tauri: origin": from("tauri://localhost"),
  "a capacitor: origin": from("capacitor://localhost"),
  "the null origin": from("null"),
  "a file's origin": from("file://"),
  "GET from a page without a decision": { ...from("https://evil.test"), method: "GET" },
});
table("ingest", nobody, "method_not_allowed", {
  "GET from a native program": { ...post, method: "GET" },
  "PUT from a local page": { ...from("http://localhost:8000"), method: "PUT" },
});

// Preflights get the outcome of the POST that they announce.
table("ingest", nobody, "204 with CORS", {
  "a preflight of a local page": preflight("http://localhost:8000"),
  "a preflight of the launcher's own page": preflight(self),
  "a preflight of NW.js": preflight("chrome-extension://game"),
  "a preflight of an allowed page": preflight(allowedOrigin),
  "a preflight without headers": preflight(allowedOrigin, "POST", ""),
});
table("ingest", nobody, "consent_needed", {
  "a preflight of a page without a decision": preflight("https://new.example"),
  "a preflight of the null origin": preflight("null"),
});
table("ingest", nobody, "origin_refused", {
  "a preflight of a blocked page": preflight(blockedOrigin),
  "a preflight that asks for PUT": preflight(allowedOrigin, "PUT"),
  "a preflight that asks for another header": preflight(allowedOrigin, "POST", "x-evil"),
  "a preflight that navigates": { ...preflight(allowedOrigin), mode: "navigate" },
});
table("ingest", nobody, "method_not_allowed", {
  "OPTIONS without a preflight": { ...preflight(allowedOrigin), requestedMethod: undefined },
});

test("only a web page without a decision is offered to the person", () => {
  const asks = (facts: Partial<RequestFacts>) => {
    const decision = admit({ ...head, ...facts }, "ingest", nobody, policyForGames);
    return decision.allow ? undefined : decision.ask;
  };
  assert.equal(asks(from("https://new.example")), "https://new.example");
  assert.equal(asks(preflight("https://new.example")), "https://new.example");
  assert.equal(asks(from("null")), "null");
  for (const origin of [self, blockedOrigin, "", "javascript:alert(1)"]) assert.equal(asks(from(origin)), undefined);
  assert.equal(
    asks({ ...from("https://new.example"), mode: "navigate" }),
    undefined,
    "a navigation asks for no consent",
  );
});

// The dashboard: its API, its tickets, its page and the assets of the page.
const write = { method: "PUT", contentType: "application/json" };
table("session", session, "allow", {
  "the dashboard's reading": { site: "same-origin", mode: "cors" },
  "the dashboard's reading with its origin": { origin: self, site: "same-origin" },
  "reading by a browser without fetch metadata": {},
  "HEAD by session": { method: "HEAD", site: "same-origin" },
  "the dashboard's writing": { ...write, origin: self, site: "same-origin" },
  "the dashboard's writing without fetch metadata": { ...write, origin: self },
});
table("session", bearer, "allow", {
  "the command line's reading": {},
  "the command line's writing": write,
  "the command line's deleting without a body": { method: "DELETE" },
});
table("session", pass, "unauthorized", {
  "reading by a pass for media": { site: "same-origin" },
  "writing by a pass for media": { ...write, origin: self, site: "same-origin" },
});
table("session", link, "unauthorized", {
  "reading by the link of a download": { site: "same-origin" },
});
table("session", nobody, "unauthorized", {
  "reading without a session": { site: "same-origin" },
  "a native program without the secret": {},
  "writing without credentials": { ...write, origin: self, site: "same-origin" },
});
table("session", bearer, "unauthorized", {
  "the secret shown by a browser": { site: "same-origin" },
  "the secret shown with an origin": { origin: self, site: "same-origin" },
});
table("session", session, "origin_refused", {
  "reading from another port": { origin: "http://127.0.0.1:8000", site: "same-site" },
  "reading from the web": { origin: "https://evil.test", site: "cross-site" },
  "reading from the null origin": { origin: "null", site: "cross-site" },
  "same-site without Origin": { site: "same-site" },
  "cross-site without Origin": { site: "cross-site" },
  "an address typed by hand": { site: "none", mode: "navigate" },
  "the same page by another name": { origin: `http://localhost:${port}`, site: "same-site" },
  "writing from another port": { ...write, origin: "http://localhost:8000", site: "same-site" },
  "writing from NW.js": { ...write, origin: "chrome-extension://game" },
  "a preflight of another page": { method: "OPTIONS", origin: "https://evil.test", requestedMethod: "PUT" },
});
table("session", bearer, "origin_refused", {
  "the secret from a web page": { origin: "https://evil.test" },
});
table("session", session, "unauthorized", {
  "writing by session without an origin": { ...write, site: "same-origin" },
  "writing by session without any browser header": write,
});
table("session", { ...session, bearer: true }, "allow", {
  "writing by both, without any browser header": write,
});
table("session", bearer, "unsupported_media_type", {
  "writing text/plain": { ...write, contentType: "text/plain" },
  "writing a compressed body": { ...write, contentEncoding: "gzip" },
});

const trade = { method: "POST", target: "/api/session", contentType: "application/json" };
table("ticket", nobody, "allow", {
  "the dashboard's page that redeems its ticket": { ...trade, origin: self, site: "same-origin" },
  "the page without fetch metadata": { ...trade, origin: self },
});
table("ticket", nobody, "origin_refused", {
  "a program that names no origin": trade,
  "the same page by another name": { ...trade, origin: `http://localhost:${port}` },
  "a page on another port": { ...trade, origin: "http://127.0.0.1:8000", site: "same-site" },
  "a web page": { ...trade, origin: "https://evil.test", site: "cross-site" },
  "our origin, but cross-site": { ...trade, origin: self, site: "cross-site" },
});
table("ticket", nobody, "unsupported_media_type", {
  "text/plain": { ...trade, origin: self, contentType: "text/plain" },
});

table("public", nobody, "allow", {
  "a native program": {},
  "NW.js, or an address typed by hand": { site: "none" },
  "the dashboard": { site: "same-origin" },
  "the dashboard, naming its origin": { origin: self, site: "same-origin" },
});
table("public", nobody, "origin_refused", {
  "a page on another port": { origin: "http://127.0.0.1:8000", site: "same-site" },
  "a page on another port that names no origin": { site: "same-site" },
  "a web page": { origin: "https://evil.test", site: "cross-site" },
  "an image on a web page": { site: "cross-site", mode: "no-cors", dest: "image" },
  "the null origin": { origin: "null" },
});

table("shell", nobody, "allow", {
  "an address typed by hand": { site: "none", mode: "navigate", dest: "document" },
  "the page itself": { site: "same-origin" },
  "a link on a web page": { site: "cross-site", mode: "navigate", dest: "document" },
  "a program without browser headers": {},
});
table("shell", nobody, "origin_refused", {
  "a frame on a web page": { site: "cross-site", mode: "navigate", dest: "iframe" },
  "an embedded object": { site: "cross-site", mode: "navigate", dest: "object" },
  "a fetch of a web page": { origin: "https://evil.test", site: "cross-site", mode: "cors" },
  "a no-cors fetch of a web page": { site: "cross-site", mode: "no-cors", dest: "empty" },
  "a form sent from a web page": {
    origin: "https://evil.test",
    site: "cross-site",
    mode: "navigate",
    dest: "document",
  },
});

table("asset", nobody, "allow", {
  "the dashboard's page": { site: "same-origin", mode: "no-cors", dest: "script" },
  "the page's module script, which names its origin": { origin: self, site: "same-origin", mode: "cors" },
  "a program without browser headers": {},
});
table("asset", nobody, "origin_refused", {
  "a script tag on a web page": { site: "cross-site", mode: "no-cors", dest: "script" },
  "a script tag on another port": { site: "same-site", mode: "no-cors", dest: "script" },
  "a link on a web page": { site: "cross-site", mode: "navigate", dest: "document" },
  "a fetch of a web page": { origin: "https://evil.test", site: "cross-site", mode: "cors" },
});

/** `shown` are the credentials in the address for this class, `other` those for the other class. */
function shownInAddress(at: "media" | "download", shown: RequestCredentials, other: RequestCredentials): void {
  table(at, shown, "allow", {
    "a picture of the dashboard's page": { site: "same-origin", mode: "no-cors", dest: "image" },
    "a video of the dashboard's page": { site: "same-origin", mode: "no-cors", dest: "video" },
    "a link of the dashboard's page": { site: "same-origin", mode: "navigate", dest: "document" },
    "a browser without fetch metadata": {},
  });
  table(at, session, "allow", {
    "the page's own script": { site: "same-origin", mode: "cors" },
  });
  table(at, bearer, "allow", {
    "the command line": {},
  });
  table(at, nobody, "unauthorized", {
    "the dashboard's page without credentials": { site: "same-origin" },
    "a picture without credentials": { site: "same-origin", mode: "no-cors", dest: "image" },
    "a native program without the secret": {},
  });
  table(at, other, "unauthorized", {
    "the credentials of the other class": { site: "same-origin" },
  });
  table(at, bearer, "unauthorized", {
    "the secret shown by a browser": { site: "same-origin" },
  });
  table(at, shown, "origin_refused", {
    "a picture in a page of another port": { site: "same-site", mode: "no-cors" },
    "a video in a web page": { site: "cross-site", mode: "no-cors", dest: "video" },
    "a script of another port": { origin: "http://127.0.0.1:8000", site: "same-site" },
    "an address typed by hand": { site: "none", mode: "navigate" },
  });
}
shownInAddress("media", pass, link);
shownInAddress("download", link, pass);
