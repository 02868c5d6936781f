// What a game gets for a body that is wrong: the documented answer, whole, and a launcher that goes on.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { bodyBytesMax, bodyDepthMax, type EventKind, type ProblemCode, problems } from "@kit/contract";
import { processorMsOf } from "./launcher-process.ts";
import { type OwnLauncher, problemIn, startOwnLauncher, timestamp } from "./own-launcher.ts";
import { requestBytes, sendRaw } from "./raw-http.ts";

const skip = process.platform === "linux" ? false : "not run: processor time is read the way Linux shows it";
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

type Case = readonly [
  says: string,
  kind: EventKind,
  body: string | Uint8Array,
  code: ProblemCode,
  paths?: readonly string[],
];

const at = timestamp();
const trigger = (member: string) => `{"eventId":"a_b","timestamp":"${at}",${member}}`;
const withEventId = (json: string) => `{"eventId":${json},"timestamp":"${at}"}`;
const withTime = (json: string) => `{"eventId":"a_b","timestamp":${json}}`;
const withMessage = (json: string) => `{"message":${json},"timestamp":"${at}"}`;
const withStack = (json: string) => `{"message":"m","stackTrace":${json},"timestamp":"${at}"}`;
const nested = (depth: number) => trigger(`"x":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}`);

const refused: readonly Case[] = [
  ["an empty body", "recording", "", "not_json"],
  ["no JSON at all", "recording", "eventId=a_b", "not_json"],
  ["half a document", "recording", '{"eventId":"a_b"', "not_json"],
  ["something behind the document", "recording", `${trigger('"x":1')}x`, "not_json"],
  ["a comment", "social", `${trigger('"x":1')}//`, "not_json"],
  ["a trailing comma", "monitor", '{"message":"m",}', "not_json"],
  ["NaN", "monitor", withMessage("NaN"), "not_json"],
  ["a raw NUL in a string", "recording", withEventId('"a\u0000b"'), "not_json"],
  ["a raw line end in a string", "monitor", withMessage('"a\nb"'), "not_json"],
  ["a NUL behind the document", "recording", `${trigger('"x":1')}\u0000`, "not_json"],
  ["UTF-16", "recording", Buffer.from(trigger('"x":1'), "utf16le"), "not_json"],
  [
    "invalid UTF-8",
    "monitor",
    Buffer.concat([Buffer.from('{"message":"'), Buffer.from([0xff, 0xfe]), Buffer.from(`","timestamp":"${at}"}`)]),
    "not_json",
  ],
  [
    "overlong UTF-8",
    "monitor",
    Buffer.concat([Buffer.from('{"message":"'), Buffer.from([0xc0, 0xaf]), Buffer.from(`","timestamp":"${at}"}`)]),
    "not_json",
  ],
  [
    "a surrogate in UTF-8",
    "monitor",
    Buffer.concat([
      Buffer.from('{"message":"'),
      Buffer.from([0xed, 0xa0, 0x80]),
      Buffer.from(`","timestamp":"${at}"}`),
    ]),
    "not_json",
  ],
  ["a number", "recording", "42", "payload_invalid", [""]],
  ["null", "monitor", "null", "payload_invalid", [""]],
  ["a text", "social", '"a_b"', "payload_invalid", [""]],
  ["a list", "recording", "[]", "payload_invalid", [""]],
  ["an object without members", "recording", "{}", "payload_invalid", ["/eventId", "/timestamp"]],
  ["a report without members", "monitor", "{}", "payload_invalid", ["/message", "/timestamp"]],
  ["no eventId", "social", `{"timestamp":"${at}"}`, "payload_invalid", ["/eventId"]],
  ["no timestamp", "recording", '{"eventId":"a_b"}', "payload_invalid", ["/timestamp"]],
  ["members of another kind", "monitor", trigger('"x":1'), "payload_invalid", ["/message"]],
  ["an eventId that is a number", "recording", withEventId("7"), "payload_invalid", ["/eventId"]],
  ["an eventId that is null", "social", withEventId("null"), "payload_invalid", ["/eventId"]],
  ["an eventId that is a list", "recording", withEventId('["a"]'), "payload_invalid", ["/eventId"]],
  ["an empty eventId", "recording", withEventId('""'), "payload_invalid", ["/eventId"]],
  ["a blank eventId", "recording", withEventId('" \\u3000\\u00a0"'), "payload_invalid", ["/eventId"]],
  ["an eventId with an escaped NUL", "recording", withEventId('"a\\u0000b"'), "payload_invalid", ["/eventId"]],
  ["an eventId with an escape character", "social", withEventId('"a\\u001b[31m"'), "payload_invalid", ["/eventId"]],
  ["an eventId with a C1 control", "social", withEventId('"a\\u009b"'), "payload_invalid", ["/eventId"]],
  ["an eventId of 201 characters", "recording", withEventId(`"${"é".repeat(201)}"`), "payload_invalid", ["/eventId"]],
  ["an eventId of 201 emoji", "recording", withEventId(`"${"😀".repeat(201)}"`), "payload_invalid", ["/eventId"]],
  [
    "an eventId only in __proto__",
    "recording",
    `{"__proto__":{"eventId":"a_b"},"timestamp":"${at}"}`,
    "payload_invalid",
    ["/eventId"],
  ],
  ["an empty message", "monitor", withMessage('""'), "payload_invalid", ["/message"]],
  ["a message that is an object", "monitor", withMessage("{}"), "payload_invalid", ["/message"]],
  ["a stack trace that is a list", "monitor", withStack('["a"]'), "payload_invalid", ["/stackTrace"]],
  ["a stack trace that is a number", "monitor", withStack("1"), "payload_invalid", ["/stackTrace"]],
  [
    "everything wrong at once",
    "monitor",
    '{"message":1,"stackTrace":2,"timestamp":3}',
    "payload_invalid",
    ["/message", "/stackTrace", "/timestamp"],
  ],
  ["the 30th of February", "recording", withTime('"2026-02-30T00:00:00.000Z"'), "payload_invalid", ["/timestamp"]],
  [
    "a 29th of February of a common year",
    "recording",
    withTime('"2025-02-29T00:00:00.000Z"'),
    "payload_invalid",
    ["/timestamp"],
  ],
  ["the hour 24", "recording", withTime('"2026-01-01T24:00:00.000Z"'), "payload_invalid", ["/timestamp"]],
  ["a 61st second", "recording", withTime('"2026-01-01T00:00:60.000Z"'), "payload_invalid", ["/timestamp"]],
  ["month 0", "recording", withTime('"2026-00-01T00:00:00.000Z"'), "payload_invalid", ["/timestamp"]],
  ["a time without milliseconds", "recording", withTime('"2026-01-01T00:00:00Z"'), "payload_invalid", ["/timestamp"]],
  [
    "a time with an offset",
    "recording",
    withTime('"2026-01-01T00:00:00.000+01:00"'),
    "payload_invalid",
    ["/timestamp"],
  ],
  [
    "a time with microseconds",
    "recording",
    withTime('"2026-01-01T00:00:00.000000Z"'),
    "payload_invalid",
    ["/timestamp"],
  ],
  ["a time with a line end", "recording", withTime('"2026-01-01T00:00:00.000Z\\n"'), "payload_invalid", ["/timestamp"]],
  [
    "a time in other digits",
    "recording",
    withTime('"２０２６-01-01T00:00:00.000Z"'),
    "payload_invalid",
    ["/timestamp"],
  ],
  ["a time as a number", "recording", withTime("1767225600000"), "payload_invalid", ["/timestamp"]],
  ["one level of nesting too many", "recording", nested(bodyDepthMax + 1), "payload_invalid", [""]],
  [
    "nesting 100,000 deep",
    "recording",
    trigger(`"x":${"[".repeat(100_000)}${"]".repeat(100_000)}`),
    "payload_invalid",
    [""],
  ],
  ["nesting that never ends", "monitor", '{"a":'.repeat(50_000), "payload_invalid", [""]],
  ["a body of 1 MB", "monitor", withMessage(`"${"a".repeat(1_000_000)}"`), "payload_too_large"],
  [
    "one byte too many",
    "monitor",
    withMessage(`"${"a".repeat(bodyBytesMax - withMessage('""').length + 1)}"`),
    "payload_too_large",
  ],
];

for (const [says, kind, body, code, paths] of refused) {
  test(`${says} is answered ${problems[code].status} ${code}`, async () => {
    const target = {
      recording: "/api/recording/trigger",
      monitor: "/api/monitor/report",
      social: "/api/social/trigger",
    }[kind];
    const headers = [["Content-Type", "application/json"]] as const;
    const answer = await sendRaw(launcher.port, requestBytes(launcher.port, { method: "POST", target, headers, body }));
    assert.ok(answer, "the connection ended without an answer");
    assert.equal(answer.status, problems[code].status);
    assert.match(answer.headers["content-type"] ?? "", /^application\/problem\+json/);
    const problem = problemIn(answer);
    assert.equal(problem.code, code);
    assert.deepEqual(problem.paths.toSorted(), [...(paths ?? [])]);
  });
}

const slow: readonly (readonly [says: string, kind: EventKind, body: string])[] = [
  [
    "an eventId of 250,000 letters that ends in a control character",
    "recording",
    withEventId(`"${"a".repeat(250_000)}\\u0001"`),
  ],
  ["an eventId of 250,000 blanks", "social", withEventId(`"${" ".repeat(250_000)}"`)],
  [
    "an eventId of 250,000 blanks that ends in a control character",
    "social",
    withEventId(`"${" ".repeat(250_000)}\\u0001"`),
  ],
  ["an eventId of 120,000 combining marks", "recording", withEventId(`"a${"\u0301".repeat(120_000)}"`)],
  ["a time of 250,000 digits", "recording", withTime(`"${"2".repeat(250_000)}"`)],
  ["16,000 members", "monitor", `{${Array.from({ length: 16_000 }, (_, index) => `"a${index}":0`).join(",")}}`],
];
for (const [says, kind, body] of slow) {
  test(`${says} is refused at the cost of reading it`, { skip }, async () => {
    const spentMs = () => processorMsOf(launcher.process().pid);
    const beforeMs = spentMs();
    // A body of the same size without a trap: what reading that many bytes costs.
    for (let times = 0; times < 3; times += 1) {
      assert.equal((await launcher.send(kind, `{"a":"${"a".repeat(body.length)}"}`)).status, 422);
    }
    const harmlessMs = spentMs() - beforeMs;
    assert.equal((await launcher.send(kind, body)).status, 422);
    const tookMs = spentMs() - beforeMs - harmlessMs;
    assert.ok(
      tookMs <= 10 * harmlessMs + 300,
      `${tookMs} ms of processor time, ${harmlessMs} ms for three harmless ones`,
    );
  });
}

const taken: readonly (readonly [says: string, kind: EventKind, body: string])[] = [
  ["an unknown member", "recording", trigger('"volume":11')],
  ["unknown members nested as deep as is allowed", "recording", nested(bodyDepthMax)],
  ["a brace inside a text, which is no nesting", "monitor", withMessage(`"${"{[".repeat(1_000)}"`)],
  ["a member called __proto__", "recording", trigger('"__proto__":{"eventId":"evil","admin":true}')],
  ["a member called constructor", "social", trigger('"constructor":{"prototype":{"x":1}}')],
  ["a byte order mark", "recording", `\ufeff${trigger('"x":1')}`],
  ["blanks around the document", "recording", ` \n\t${trigger('"x":1')}\r\n`],
  ["a number too large for any number", "recording", trigger('"x":1e999')],
  ["the largest body", "monitor", withMessage(`"${"a".repeat(bodyBytesMax - withMessage('""').length)}"`)],
];
for (const [says, kind, body] of taken) {
  test(`${says} is taken`, async () => {
    const reply = await launcher.send(kind, body);
    assert.equal(reply.status, 202, reply.text);
    kept += 1;
  });
}
