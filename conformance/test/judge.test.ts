// Tests of the judge: it names each deviation of a binding, and a trait of an engine excuses only that deviation.
import assert from "node:assert/strict";
import { test } from "vitest";
import type { Case } from "../src/case.ts";
import { judge } from "../src/judge.ts";
import type { DriverReport } from "../src/play.ts";
import type { Arrival } from "../src/stand-in.ts";
import { caseOf } from "./scratch.ts";

type Traits = Parameters<typeof judge>[2];
type Seen = { readonly arrivals?: readonly Arrival[]; readonly followed?: readonly Arrival[] } & Partial<DriverReport>;

const calledMs = Date.parse("2026-11-21T05:00:00.000Z");
const timestamp = "2026-11-21T05:00:00.000Z";

function arrivalOf(body: object | string, more: Partial<Arrival> = {}, header = ["accept", "*/*"] as const): Arrival {
  const bytes = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  const usual: Record<string, string> = {
    host: "127.0.0.1:40001",
    "content-type": "application/json",
    "content-length": String(bytes.length),
  };
  const headers = Object.entries({ ...usual, [header[0]]: header[1] });
  const times = { atMs: calledMs + 5, closedAtMs: calledMs + 10, answeredBytes: 100 };
  return { method: "POST", target: "/api/recording/trigger", headers, body: bytes, ...times, ...more };
}
const event = (more: object = {}) => arrivalOf({ eventId: "sky_one", timestamp, ...more });
const withHeader = (name: string, value: string) =>
  arrivalOf({ eventId: "sky_one", timestamp }, {}, [name, value] as never);
const report = (body: object) => arrivalOf(body, { target: "/api/monitor/report" });

const one: Case["expect"] = { requests: [{ to: "recording", eventId: "sky_one" }] };

/** The faults of a case with one call, of which one right request arrived if `seen` says nothing else. */
function faultsOf(
  expect: Case["expect"],
  { arrivals = [event()], followed = [], ...told }: Seen,
  traits = {},
  more = {},
) {
  const usual = { calls: [[calledMs, calledMs + 1]], failures: [], threw: [], errors: [], reads: [], frames: 9 };
  const binding = { binding: "X", name: "x", folder: "", clockToleranceMs: 0, engine: "X", command: [], drivers: [] };
  const evidence = { url: "http://127.0.0.1:40001", arrivals, followed, told: { ...usual, quitMs: 40, ...told } };
  return judge(caseOf("some/case", { expect, ...more }), evidence as never, { ...binding, ...traits } as Traits);
}

test("one right request of one call has no fault", () => assert.deepEqual(faultsOf(one, {}), []));

const requests: readonly (readonly [fault: RegExp, ...arrivals: Arrival[]])[] = [
  [/^did not arrive: .*sky_one/],
  [/^was not expected: \/api\/recording\/trigger/, event(), event()],
  [/^did not arrive: .*sky_one/, event({ eventId: "sky_two" })],
  [/^the method is GET, not POST$/, { ...event(), method: "GET" }],
  [/^the address is \/x\/api\/recording\/trigger, not /, { ...event(), target: "/x/api/recording/trigger" }],
  [/^an unknown address: POST \/api$/, { ...event(), target: "/api" }],
  [/^content-type is \["text\/plain"\], not "application\/json"$/, withHeader("content-type", "text/plain")],
  [/^content-length is \["1"\]/, withHeader("content-length", "1")],
  [/^there is a header transfer-encoding: chunked$/, withHeader("transfer-encoding", "chunked")],
  [/^there is a header cookie: a=b$/, withHeader("cookie", "a=b")],
  [/^host is "localhost", without the port 40001$/, withHeader("host", "localhost")],
  [/^the body has eventId,timestamp,engine, not eventId,timestamp$/, event({ engine: "X" })],
  [/^the body has timestamp,eventId, not/, arrivalOf({ timestamp, eventId: "sky_one" })],
  [/^the body is written otherwise/, arrivalOf(`{"eventId": "sky_one","timestamp":"${timestamp}"}`)],
  [/^the body is no JSON object of texts/, arrivalOf('{"eventId":"sky_one"')],
  [/^"2026-11-21T05:00:00Z" is no time/, event({ timestamp: "2026-11-21T05:00:00Z" })],
  [/^the timestamp lies 299 ms from the call$/, event({ timestamp: "2026-11-21T05:00:00.300Z" })],
  [/^the build is "1", not ""$/, report({ message: "m", stackTrace: "", build: "1", timestamp })],
  [/^the body has message,timestamp, not message,stackTrace,timestamp$/, report({ message: "m", timestamp })],
];
for (const [fault, ...arrivals] of requests) {
  test(`of ${arrivals.length} requests it says: ${fault.source}`, () => {
    assert.match(faultsOf(one, { arrivals }).join("\n"), new RegExp(fault, "m"));
  });
}

const burst = (first: number) => ({ burst: { to: "recording", eventId: "sky_{n}", first, atMost: 1 } }) as const;
const boom = (n: number, stackTrace = "a.js:1") => report({ message: `boom_${n}`, stackTrace, timestamp });
const uncaught = { uncaught: { message: "boom_{n}", atLeast: 2 } };
const social = (enableSocial: boolean) => [{ initialized: true, config: { enableSocial } }];
const tellings: readonly (readonly [fault: RegExp, expect: Case["expect"], seen: Seen])[] = [
  [/^a call threw: x$/, one, { threw: ["x"] }],
  [/^the game showed an error: x$/, one, { errors: ["x"] }],
  [/^a call held the game for 1500 ms$/, one, { calls: [[calledMs, calledMs + 1_500]] }],
  [/^a redirect was followed$/, one, { followed: [event()] }],
  [/^1 arrived up to 4 ms after the last call, at most 3 are allowed$/, { ...one, arriveWithinMs: 3 }, {}],
  [/^a hanging request was given up after 5 ms, not 4000 to 6500$/, { ...one, givenUpMs: [4_000, 6_500] }, {}],
  [/^100 bytes of an answer were read, at most 99 may$/, { ...one, answerBytesMax: 99 }, {}],
  [/^9 frames passed, at least 10 should$/, { ...one, framesMin: 10 }, {}],
  [/^the game was gone 40 ms after its quit, at most 39 ms/, { ...one, quitMsMax: 39 }, {}],
  [/^the game was gone at a time nobody told/, { ...one, quitMsMax: 39 }, { quitMs: undefined }],
  [/^read 1 was .*"enableSocial":false/, { ...one, reads: social(true) }, { reads: social(false) }],
  [/^1 of the first 2 did not arrive, sky_2 for one$/, burst(2), { arrivals: [event({ eventId: "sky_1" })] }],
  [/^2 arrived; at most 1 may$/, burst(1), { arrivals: [1, 2].map((n) => event({ eventId: `sky_${n}` })) }],
  [/^one call arrived 2 times$/, burst(1), { arrivals: [1, 1].map((n) => event({ eventId: `sky_${n}` })) }],
  [/^1 errors were reported; at least 2 should be$/, uncaught, { arrivals: [boom(1)] }],
  [/^one error was reported 2 times$/, uncaught, { arrivals: [boom(1), boom(1)] }],
  [/^no stack was reported of boom_2$/, uncaught, { arrivals: [boom(1), boom(2, " ")] }],
  [
    /^11 errors were reported within 0 ms; at most 10/,
    uncaught,
    { arrivals: Array.from({ length: 11 }, (_, n) => boom(n)) },
  ],
];
for (const [fault, expect, seen] of tellings) {
  test(`of what was told it says: ${fault.source}`, () => {
    assert.match(faultsOf(expect, seen).join("\n"), new RegExp(fault, "m"));
  });
}

test("errors that nobody caught are all reported or counted", () => {
  const steps = [
    { do: "repeat", times: 9, step: { do: "fail", message: "boom_{n}" } },
    { do: "fail", message: "after" },
  ];
  const faultsWith = (count: number) => {
    const stackTrace = `a.js:1\nUncaught errors not reported before this one: ${count}`;
    const arrivals = [boom(1), report({ message: "after", stackTrace, timestamp })];
    return faultsOf({ uncaught: { message: "boom_{n}", atLeast: 1, later: "after" } }, { arrivals }, {}, { steps });
  };
  assert.deepEqual(faultsWith(8), []);
  assert.deepEqual(faultsWith(7), ["of 9 errors 1 were reported, and 7 were said not to be"]);
});

const follows = (postsPerCallMax: number) => ({ followsRedirects: { postsPerCallMax, because: "A test says so." } });
const seenTwice = { arrivals: [event(), event()] };
const early = { arrivals: [event({ timestamp: "2026-11-21T04:59:59.992Z" })] };
const excused: readonly (readonly [
  trait: object,
  launcher: string,
  expect: Case["expect"],
  seen: Seen,
  but: object,
])[] = [
  [{ clockToleranceMs: 8 }, "answers", one, early, { clockToleranceMs: 6 }],
  [
    { startsByItself: true },
    "answers",
    { ...one, reads: [{ initialized: "if-by-itself" }] },
    { reads: [{ initialized: true }] },
    {},
  ],
  [{ resends: true }, "drops", one, seenTwice, {}],
  [{ noTimeout: true }, "hangs", { ...one, givenUpMs: [4_000, 6_500] }, {}, {}],
  [follows(2), "redirects-to-itself", one, seenTwice, follows(1)],
];
for (const [trait, launcher, expect, seen, but] of excused) {
  test(`${JSON.stringify(trait)} excuses what it names, and nothing less does`, () => {
    assert.deepEqual(faultsOf(expect, seen, trait, { launcher }), []);
    assert.notDeepEqual(faultsOf(expect, seen, but, { launcher }), []);
    assert.match(faultsOf(expect, { ...seen, threw: ["x"] }, trait, { launcher }).join(), /a call threw: x/);
  });
}

test("a trait that a run does not need is a fault", () => {
  assert.deepEqual(faultsOf(one, {}, follows(2), { launcher: "redirects" }), [
    "no redirect was followed; followsRedirects has to go from conformance.json",
  ]);
  assert.deepEqual(
    faultsOf({ uncaught: { message: "boom_{n}", atLeast: 1 } }, { arrivals: [boom(1)] }, { tellsNoErrors: "So." }),
    ["an error was reported; tellsNoErrors has to go from conformance.json"],
  );
});
