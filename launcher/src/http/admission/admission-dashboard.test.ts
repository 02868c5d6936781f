// The admission table's rows for the dashboard: its API, its tickets, its page and what the page loads.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProblemCode } from "@kit/contract";
import { admit, type Credentials, type Policy, type RouteClass } from "./admission.ts";
import type { RequestFacts } from "./facts.ts";

const port = 9876;
const self = `http://127.0.0.1:${port}`;
/** Consent given to a page counts for events and for nothing else. */
const policy: Policy = { port, consent: () => "allowed" };

/** Also who shows the cookie alone: admission is not even told of it. */
const nobody: Credentials = { session: false, bearer: false, pass: false, link: false };
const session: Credentials = { ...nobody, session: true };
const bearer: Credentials = { ...nobody, bearer: true };
const pass: Credentials = { ...nobody, pass: true };
const link: Credentials = { ...nobody, link: true };

const head: RequestFacts = {
  method: "GET",
  target: "/api/events",
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
const write = { method: "PUT", contentType: "application/json" };

type Row = readonly [says: string, facts: Partial<RequestFacts>, shows: Credentials, gets: "allow" | ProblemCode];

function table(at: RouteClass, rows: readonly Row[]): void {
  for (const [says, facts, shows, gets] of rows) {
    test(`${at}: ${says}: ${gets}`, () => {
      const decision = admit({ ...head, ...facts }, at, shows, policy);
      assert.equal(decision.allow ? "allow" : decision.code, gets);
      assert.equal(decision.cors, undefined, "no other page may read the dashboard's answers");
    });
  }
}

table("session", [
  ["the dashboard reads", { site: "same-origin", mode: "cors" }, session, "allow"],
  ["the dashboard reads, naming its origin", { origin: self, site: "same-origin" }, session, "allow"],
  ["a browser without fetch metadata reads", {}, session, "allow"],
  ["HEAD by session", { method: "HEAD", site: "same-origin" }, session, "allow"],
  ["the command line reads", {}, bearer, "allow"],
  ["reading by a pass for media", { site: "same-origin" }, pass, "unauthorized"],
  ["writing by a pass for media", { ...write, origin: self, site: "same-origin" }, pass, "unauthorized"],
  ["reading by the link of a download", { site: "same-origin" }, link, "unauthorized"],
  ["reading without a session", { site: "same-origin" }, nobody, "unauthorized"],
  ["a native program without the secret", {}, nobody, "unauthorized"],
  ["the secret shown by a browser", { site: "same-origin" }, bearer, "unauthorized"],
  ["the secret shown with an origin", { origin: self, site: "same-origin" }, bearer, "unauthorized"],
  ["reading from another port", { origin: "http://127.0.0.1:8000", site: "same-site" }, session, "origin_refused"],
  ["reading from the web", { origin: "https://evil.test", site: "cross-site" }, session, "origin_refused"],
  ["reading from the null origin", { origin: "null", site: "cross-site" }, session, "origin_refused"],
  ["same-site without Origin", { site: "same-site" }, session, "origin_refused"],
  ["cross-site without Origin", { site: "cross-site" }, session, "origin_refused"],
  ["an address typed by hand", { site: "none", mode: "navigate" }, session, "origin_refused"],
  [
    "the same page by another name",
    { origin: `http://localhost:${port}`, site: "same-site" },
    session,
    "origin_refused",
  ],
  ["the secret from a web page", { origin: "https://evil.test" }, bearer, "origin_refused"],
  ["the dashboard writes", { ...write, origin: self, site: "same-origin" }, session, "allow"],
  ["the dashboard writes, without fetch metadata", { ...write, origin: self }, session, "allow"],
  ["the command line writes", write, bearer, "allow"],
  ["the command line deletes, without a body", { method: "DELETE" }, bearer, "allow"],
  ["writing by session without an origin", { ...write, site: "same-origin" }, session, "unauthorized"],
  ["writing by session without any browser header", write, session, "unauthorized"],
  ["writing by both, without any browser header", write, { ...session, bearer: true }, "allow"],
  ["writing without credentials", { ...write, origin: self, site: "same-origin" }, nobody, "unauthorized"],
  [
    "writing from another port",
    { ...write, origin: "http://localhost:8000", site: "same-site" },
    session,
    "origin_refused",
  ],
  ["writing from NW.js", { ...write, origin: "chrome-extension://game" }, session, "origin_refused"],
  [
    "a preflight of another page",
    { method: "OPTIONS", origin: "https://evil.test", requestedMethod: "PUT" },
    session,
    "origin_refused",
  ],
  ["writing text/plain", { ...write, contentType: "text/plain" }, bearer, "unsupported_media_type"],
  ["writing a compressed body", { ...write, contentEncoding: "gzip" }, bearer, "unsupported_media_type"],
]);

const trade = { method: "POST", target: "/api/session", contentType: "application/json" };
table("ticket", [
  ["the dashboard's page trades its ticket", { ...trade, origin: self, site: "same-origin" }, nobody, "allow"],
  ["the page without fetch metadata", { ...trade, origin: self }, nobody, "allow"],
  ["a program that names no origin", trade, nobody, "origin_refused"],
  ["the same page by another name", { ...trade, origin: `http://localhost:${port}` }, nobody, "origin_refused"],
  [
    "a page on another port",
    { ...trade, origin: "http://127.0.0.1:8000", site: "same-site" },
    nobody,
    "origin_refused",
  ],
  ["a web page", { ...trade, origin: "https://evil.test", site: "cross-site" }, nobody, "origin_refused"],
  ["our origin, but cross-site", { ...trade, origin: self, site: "cross-site" }, nobody, "origin_refused"],
  ["text/plain", { ...trade, origin: self, contentType: "text/plain" }, nobody, "unsupported_media_type"],
]);

table("public", [
  ["a native program", {}, nobody, "allow"],
  ["NW.js, or an address typed by hand", { site: "none" }, nobody, "allow"],
  ["the dashboard", { site: "same-origin" }, nobody, "allow"],
  ["the dashboard, naming its origin", { origin: self, site: "same-origin" }, nobody, "allow"],
  ["a page on another port", { origin: "http://127.0.0.1:8000", site: "same-site" }, nobody, "origin_refused"],
  ["a page on another port that names no origin", { site: "same-site" }, nobody, "origin_refused"],
  ["a web page", { origin: "https://evil.test", site: "cross-site" }, nobody, "origin_refused"],
  ["an image on a web page", { site: "cross-site", mode: "no-cors", dest: "image" }, nobody, "origin_refused"],
  ["the null origin", { origin: "null" }, nobody, "origin_refused"],
]);

table("shell", [
  ["an address typed by hand", { site: "none", mode: "navigate", dest: "document" }, nobody, "allow"],
  ["the page itself", { site: "same-origin" }, nobody, "allow"],
  ["a link on a web page", { site: "cross-site", mode: "navigate", dest: "document" }, nobody, "allow"],
  ["a program without browser headers", {}, nobody, "allow"],
  ["a frame on a web page", { site: "cross-site", mode: "navigate", dest: "iframe" }, nobody, "origin_refused"],
  ["an embedded object", { site: "cross-site", mode: "navigate", dest: "object" }, nobody, "origin_refused"],
  [
    "a fetch of a web page",
    { origin: "https://evil.test", site: "cross-site", mode: "cors" },
    nobody,
    "origin_refused",
  ],
  ["a no-cors fetch of a web page", { site: "cross-site", mode: "no-cors", dest: "empty" }, nobody, "origin_refused"],
  [
    "a form sent from a web page",
    { origin: "https://evil.test", site: "cross-site", mode: "navigate", dest: "document" },
    nobody,
    "origin_refused",
  ],
]);

table("asset", [
  ["the dashboard's page", { site: "same-origin", mode: "no-cors", dest: "script" }, nobody, "allow"],
  [
    "the page's module script, which names its origin",
    { origin: self, site: "same-origin", mode: "cors" },
    nobody,
    "allow",
  ],
  ["a program without browser headers", {}, nobody, "allow"],
  ["a script tag on a web page", { site: "cross-site", mode: "no-cors", dest: "script" }, nobody, "origin_refused"],
  ["a script tag on another port", { site: "same-site", mode: "no-cors", dest: "script" }, nobody, "origin_refused"],
  ["a link on a web page", { site: "cross-site", mode: "navigate", dest: "document" }, nobody, "origin_refused"],
  [
    "a fetch of a web page",
    { origin: "https://evil.test", site: "cross-site", mode: "cors" },
    nobody,
    "origin_refused",
  ],
]);

/** The same for both classes: `shown` is what stands in the address beside the cookie, `other` what opens the other class. */
function shownInAddress(at: "media" | "download", shown: Credentials, other: Credentials): void {
  table(at, [
    ["a picture of the dashboard's page", { site: "same-origin", mode: "no-cors", dest: "image" }, shown, "allow"],
    ["a video of the dashboard's page", { site: "same-origin", mode: "no-cors", dest: "video" }, shown, "allow"],
    ["a link of the dashboard's page", { site: "same-origin", mode: "navigate", dest: "document" }, shown, "allow"],
    ["a browser without fetch metadata", {}, shown, "allow"],
    ["the page's own script", { site: "same-origin", mode: "cors" }, session, "allow"],
    ["the command line", {}, bearer, "allow"],
    ["the dashboard's page, which shows nothing", { site: "same-origin" }, nobody, "unauthorized"],
    ["a picture that shows nothing", { site: "same-origin", mode: "no-cors", dest: "image" }, nobody, "unauthorized"],
    ["a native program without the secret", {}, nobody, "unauthorized"],
    ["what opens the other class", { site: "same-origin" }, other, "unauthorized"],
    ["the secret shown by a browser", { site: "same-origin" }, bearer, "unauthorized"],
    ["a picture in a page of another port", { site: "same-site", mode: "no-cors" }, shown, "origin_refused"],
    ["a video in a web page", { site: "cross-site", mode: "no-cors", dest: "video" }, shown, "origin_refused"],
    ["a script of another port", { origin: "http://127.0.0.1:8000", site: "same-site" }, shown, "origin_refused"],
    ["an address typed by hand", { site: "none", mode: "navigate" }, shown, "origin_refused"],
  ]);
}
shownInAddress("media", pass, link);
shownInAddress("download", link, pass);
