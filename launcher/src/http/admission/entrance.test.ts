// Tests of the headers of answers to games: which page may read an answer depends on its origin.
import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { test } from "vitest";
import { readRequestFacts } from "./admission.ts";
import { createAuthorizer } from "./authorize.ts";

const enter = createAuthorizer({
  policy: { port: 9876, consent: () => "allowed" },
  credentialsOf: () => ({ session: false, bearer: false, pass: false, link: false }),
  askConsent: () => undefined,
});

/** The headers of the answer to a game's request with these additional headers. */
function answered(method: string, more: Readonly<Record<string, string>>) {
  const rawHeaders = Object.entries({ host: "127.0.0.1:9876", ...more }).flat();
  const facts = { method, url: "/api/monitor/report", httpVersion: "1.1", rawHeaders };
  const request = { ...facts, complete: false, socket: {} } as IncomingMessage;
  return enter(request, readRequestFacts(request), "ingest").headers;
}

const json = { "content-type": "application/json" };
const page = { origin: "https://game.example", "sec-fetch-site": "cross-site" };
const cases: readonly (readonly [who: string, method: string, headers: Record<string, string>])[] = [
  ["a page's event", "POST", { ...json, ...page }],
  ["a page's preflight", "OPTIONS", { ...page, "access-control-request-method": "POST" }],
  ["a page's event that is refused for its type", "POST", { ...page, "content-type": "text/plain" }],
];
for (const [who, method, headers] of cases) {
  test(`the answer to ${who} names exactly its origin, and varies with it`, () => {
    const { "access-control-allow-origin": allowed, vary } = answered(method, headers);
    assert.deepEqual([allowed, vary], ["https://game.example", "Origin"]);
  });
}

test("the answer to a program names no origin, is not cached, and its type is not guessed", () => {
  assert.deepEqual(answered("POST", json), {
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
  });
});
