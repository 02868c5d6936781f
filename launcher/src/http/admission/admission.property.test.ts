// Tests of admission with any combination of headers. The rules are taken from the design, not from the code.
import assert from "node:assert/strict";
import { problemsByCode } from "@kit/contract";
import fc from "fast-check";
import { test } from "vitest";
import {
  type AdmissionDecision,
  admit,
  type RequestCredentials,
  type RequestFacts,
  type RouteClass,
} from "./admission.ts";

const runs = Number(process.env.KIT_PROPERTY_RUNS ?? 20_000);
const port = 9876;

/** The expected kind of each sample of an Origin header. `foreign` is a page that needs consent. */
const origins: Readonly<Record<string, "vouched" | "foreign" | "impossible">> = {
  "http://127.0.0.1:9876": "vouched",
  "http://localhost:9876": "vouched",
  "http://[::1]:9876": "vouched",
  "http://localhost:8000": "vouched",
  "http://127.0.0.1:8000": "vouched",
  "http://[::1]:3000": "vouched",
  "http://localhost": "vouched",
  "chrome-extension://my_game-1": "vouched",
  "https://html-classic.itch.zone": "foreign",
  "http://evil.test": "foreign",
  "http://localhost.evil.test": "foreign",
  "http://127.0.0.1.evil.test:9876": "foreign",
  "http://0.0.0.0:9876": "foreign",
  "https://localhost:8000": "foreign",
  "http://rebind.test:9876": "foreign",
  "app://game": "foreign",
  "tauri://localhost": "foreign",
  "file://": "foreign",
  null: "foreign",
  "": "impossible",
  "*": "impossible",
  "javascript:alert(1)": "impossible",
  "http://localhost:8000@evil.test": "impossible",
  "http://localhost:8000, https://evil.test": "impossible",
  "http://localhost:8000/": "impossible",
  "chrome-extension://MY_GAME": "impossible",
  "chrome-extension://game/evil": "impossible",
  "HTTP://LOCALHOST:8000": "impossible",
};
const ownHosts = ["127.0.0.1:9876", "localhost:9876", "[::1]:9876"];
const otherHosts = ["", "127.0.0.1", "localhost:80", "rebind.test:9876", "0.0.0.0:9876", "127.0.0.1:9876@evil"];
const jsonTypes = ["application/json", "application/json; charset=utf-8", "Application/JSON;charset=UTF-8"];
const otherTypes = [
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "application/json, text/plain",
  "",
];

/** `usual` is drawn five times as often, because many requests must pass the first checks. */
const mostly = <T, U>(usual: readonly T[], unusual: readonly U[]) =>
  fc.constantFrom<T | U>(...Array.from({ length: 5 }, () => usual).flat(), ...unusual);

type Sample = {
  at: RouteClass;
  facts: RequestFacts;
  shows: RequestCredentials;
  consent: "allowed" | "blocked" | "unasked";
};

const facts: fc.Arbitrary<RequestFacts> = fc.record({
  method: fc.constantFrom("POST", "POST", "POST", "GET", "OPTIONS", "PUT", "DELETE", "HEAD", "TRACE"),
  target: mostly(["/api/recording/trigger", "/"], ["//evil/x", "http://[", "*", "", "/é"]),
  version: mostly(["1.1", "1.1", "1.1"], ["1.0"]),
  host: mostly(["127.0.0.1:9876", ...ownHosts, "LOCALHOST:9876"], [...otherHosts, undefined]),
  origin: mostly([undefined, undefined, "http://127.0.0.1:9876"], [...Object.keys(origins), undefined]),
  site: mostly([undefined, "same-origin"], ["none", "same-site", "cross-site", "nonsense"]),
  mode: mostly([undefined, "cors"], ["navigate", "no-cors", "websocket"]),
  dest: fc.constantFrom(undefined, "document", "iframe", "empty", "script"),
  contentType: mostly([...jsonTypes, undefined], otherTypes),
  contentEncoding: mostly([undefined, undefined], ["gzip"]),
  upgrade: mostly([undefined, undefined, undefined], ["websocket"]),
  requestedMethod: fc.constantFrom("POST", "POST", "PUT", undefined),
  requestedHeaders: fc.constantFrom("content-type", undefined, "x-evil", "content-type, authorization"),
  privateNetwork: fc.constantFrom("true", undefined),
  localNetwork: fc.constantFrom("true", undefined),
  repeated: mostly([undefined, undefined, undefined], ["host", "origin"]),
});
const samples: fc.Arbitrary<Sample> = fc.record({
  at: fc.constantFrom<RouteClass>(
    "ingest",
    "ingest",
    "session",
    "session",
    "media",
    "download",
    "public",
    "ticket",
    "shell",
    "asset",
  ),
  facts,
  shows: fc.record({ session: fc.boolean(), bearer: fc.boolean(), pass: fc.boolean(), link: fc.boolean() }),
  consent: fc.constantFrom("allowed", "blocked", "unasked"),
});

type Rule = { readonly label: string; holds(sample: Sample, decision: AdmissionDecision): boolean };

const kindOf = (origin: string) => origins[origin] ?? "foreign";
const isPageOf = ({ origin, host }: RequestFacts) => origin === `http://${host?.toLowerCase()}`;
const hasBrowserHeaders = ({ origin, site }: RequestFacts) => origin !== undefined || site !== undefined;
const isDashboards = (at: RouteClass) =>
  at === "session" || at === "media" || at === "download" || at === "ticket" || at === "public" || at === "asset";

/** Each rule names something that must never happen; it holds for samples that it does not concern. */
const rules: readonly Rule[] = [
  {
    label: "only a request with exactly one Host, and a right one, is admitted",
    holds: ({ facts }, { allow }) =>
      !allow || (facts.repeated === undefined && ownHosts.includes(facts.host?.toLowerCase() ?? "")),
  },
  {
    label: "only plain HTTP/1.1 with a plain path is admitted",
    holds: ({ facts }, { allow }) =>
      !allow || (facts.version === "1.1" && facts.upgrade === undefined && /^\/([^/é].*)?$/.test(facts.target)),
  },
  {
    label: "a foreign page can only send events, and only with consent",
    holds: ({ at, facts, consent }, { allow }) =>
      !allow ||
      facts.origin === undefined ||
      kindOf(facts.origin) !== "foreign" ||
      (at === "ingest" && consent === "allowed"),
  },
  {
    label: "an Origin that no browser sends is admitted nowhere",
    holds: ({ facts }, { allow }) => !allow || facts.origin === undefined || kindOf(facts.origin) !== "impossible",
  },
  {
    label: "a navigation never sends an event",
    holds: ({ at, facts }, { allow }) => !allow || at !== "ingest" || facts.mode !== "navigate",
  },
  {
    label: "a browser that hides its origin sends no events",
    holds: ({ at, facts: { origin, site } }, { allow }) =>
      !allow || at !== "ingest" || origin !== undefined || site === undefined || site === "none",
  },
  {
    label: "an event is a POST of uncompressed JSON; only a native game may omit the type",
    holds: ({ at, facts }, decision) =>
      !decision.allow ||
      at !== "ingest" ||
      (decision.preflight
        ? facts.method === "OPTIONS" &&
          facts.requestedMethod === "POST" &&
          /^(content-type)?$/.test(facts.requestedHeaders ?? "")
        : facts.method === "POST" &&
          facts.contentEncoding === undefined &&
          (jsonTypes.includes(facts.contentType ?? "") ||
            (facts.contentType === undefined && !hasBrowserHeaders(facts)))),
  },
  {
    label: "the API requires credentials",
    holds: ({ at, shows }, { allow }) => !allow || at !== "session" || shows.session || shows.bearer,
  },
  {
    label: "only the dashboard's own page, or the secret without browser headers, changes the API's data",
    holds: ({ at, facts, shows }, { allow }) =>
      !allow ||
      at !== "session" ||
      facts.method === "GET" ||
      facts.method === "HEAD" ||
      (shows.session && isPageOf(facts)) ||
      (shows.bearer && !hasBrowserHeaders(facts)),
  },
  {
    label: "no header replaces credentials: the secret, a session, or the pass or link for this route",
    holds: ({ at, facts, shows }, { allow }) =>
      !allow ||
      !(at === "session" || at === "media" || at === "download") ||
      shows.session ||
      (shows.bearer && !hasBrowserHeaders(facts)) ||
      (at === "media" && shows.pass) ||
      (at === "download" && shows.link),
  },
  {
    label: "no route of the dashboard answers a page of another port or site",
    holds: ({ at, facts }, { allow }) =>
      !allow ||
      !isDashboards(at) ||
      (!["same-site", "cross-site"].includes(facts.site ?? "") && (facts.origin === undefined || isPageOf(facts))),
  },
  {
    label: "only the dashboard's own page redeems a ticket",
    holds: ({ at, facts }, { allow }) => !allow || at !== "ticket" || isPageOf(facts),
  },
  {
    label: "the dashboard's page is never shown inside another page",
    holds: ({ at, facts }, { allow }) =>
      !allow || at !== "shell" || facts.site !== "cross-site" || facts.dest === "document",
  },
  {
    label: "CORS names the exact origin of a page that may send events, never all origins",
    holds: ({ at, facts, consent }, { cors }) =>
      cors === undefined ||
      (at === "ingest" &&
        cors !== "*" &&
        cors === facts.origin &&
        (kindOf(cors) === "vouched" || (kindOf(cors) === "foreign" && consent === "allowed"))),
  },
  {
    label: "a person is asked only about a foreign origin that lacks consent",
    holds: ({ at, facts, consent }, decision) =>
      decision.allow ||
      decision.ask === undefined ||
      (at === "ingest" && decision.ask === facts.origin && kindOf(decision.ask) === "foreign" && consent === "unasked"),
  },
  {
    label: "a refusal has a code of the contract and a text",
    holds: (_, decision) => decision.allow || (decision.code in problemsByCode && decision.detail.text.length > 0),
  },
];

test(`no combination of headers breaks a rule of the admission table (${runs.toLocaleString("en")} requests)`, () => {
  const admitted = { ingest: 0, session: 0, media: 0, download: 0, public: 0, ticket: 0, shell: 0, asset: 0 };
  fc.assert(
    fc.property(samples, (sample) => {
      const decision = admit(sample.facts, sample.at, sample.shows, { port, consent: () => sample.consent });
      if (decision.allow) admitted[sample.at] += 1;
      for (const rule of rules) {
        if (!rule.holds(sample, decision)) assert.fail(`${rule.label}: ${JSON.stringify({ ...sample, decision })}`);
      }
    }),
    { numRuns: runs },
  );
  const total = Object.values(admitted).reduce((sum, count) => sum + count);
  assert.ok(total >= runs * 0.02, `only ${total} of ${runs} were admitted, so the rules were hardly tested`);
  // Tickets are admitted least often: about 26 times in 20,000.
  for (const [at, count] of Object.entries(admitted)) assert.ok(count > runs / 5_000, `${at}: only ${count} admitted`);
});

test("any text in any header gets a decision, and only known origins are admitted", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.constantFrom(...ownHosts, ...Object.keys(origins)),
  );
  const maybe = fc.option(text, { nil: undefined });
  const anyFacts = fc.record<RequestFacts>({
    method: text,
    target: text,
    version: fc.constant("1.1"),
    host: fc.constantFrom(...ownHosts),
    origin: maybe,
    site: maybe,
    mode: maybe,
    dest: maybe,
    contentType: maybe,
    contentEncoding: maybe,
    upgrade: fc.constant(undefined),
    requestedMethod: maybe,
    requestedHeaders: maybe,
    privateNetwork: maybe,
    localNetwork: maybe,
    repeated: fc.constant(undefined),
  });
  const property = fc.property(anyFacts, samples, (given, { at, shows }) => {
    const decision = admit(given, at, shows, { port, consent: () => "unasked" });
    const vouched =
      given.origin === undefined ||
      isPageOf(given) ||
      /^(http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?|chrome-extension:\/\/[a-z0-9_-]+)$/.test(given.origin);
    if (decision.allow) assert.ok(vouched, `admitted ${given.origin}`);
  });
  fc.assert(property, { numRuns: Math.max(1_000, runs / 20) });
});
