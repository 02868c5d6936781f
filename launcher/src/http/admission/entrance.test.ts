// Tests of the headers of answers to games: which page may read an answer depends on its origin.
import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { test } from "vitest";
import { type AdmissionPolicy, readRequestFacts } from "./admission.ts";
import { createAuthorizer } from "./authorize.ts";

type Consent = ReturnType<AdmissionPolicy["consent"]>;

/** The headers of the answer to a game's request with these additional headers. */
function answered(method: string, more: Readonly<Record<string, string>>, consent: Consent = "allowed") {
  const enter = createAuthorizer({
    policy: { port: 9876, consent: () => consent },
    credentialsOf: () => ({ session: false, bearer: false, pass: false, link: false }),
    askConsent: () => undefined,
  });
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

test("a preflight that asks for the private network is granted it if its page may send, and no other response is", () => {
  const asked = { ...page, "access-control-request-method": "POST", "access-control-request-private-network": "true" };
  const grants = (headers: Readonly<Record<string, string>>) =>
    Object.keys(headers).filter(
      (name) => name.startsWith("access-control-allow-private") || name.endsWith("local-network"),
    );
  const granted = answered("OPTIONS", asked);
  assert.deepEqual(
    [granted["access-control-allow-private-network"], grants(granted)],
    ["true", ["access-control-allow-private-network"]],
  );
  const renamed = answered("OPTIONS", {
    ...page,
    "access-control-request-method": "POST",
    "access-control-request-local-network": "true",
  });
  assert.deepEqual([renamed["access-control-allow-local-network"], grants(renamed).length], ["true", 1]);
  assert.deepEqual(grants(answered("OPTIONS", { ...page, "access-control-request-method": "POST" })), []);
  assert.deepEqual(
    grants(answered("POST", { ...json, ...page, "access-control-request-private-network": "true" })),
    [],
  );
  for (const consent of ["blocked", "unasked"] as const)
    assert.deepEqual(grants(answered("OPTIONS", asked, consent)), [], consent);
});

test("the answer to a program names no origin, is not cached, and its type is not guessed", () => {
  assert.deepEqual(answered("POST", json), {
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
  });
});
