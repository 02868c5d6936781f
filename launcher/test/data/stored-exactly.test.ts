// Tests that events are stored as the game sent them, and that every change is noted on the event.
import assert from "node:assert/strict";
import {
  Acknowledgement,
  type EventKind,
  messageCharsMax,
  type Receipt,
  stackTraceCharsMax,
  textOf,
} from "@kit/contract";
import fc from "fast-check";
import { Value } from "typebox/value";
import { beforeEach, test } from "vitest";
import { launcherOfFile, timestamp } from "../support/own-launcher.ts";

const launcher = await launcherOfFile();

/** Sends the body unchanged and reads the event back. */
async function sendAndRead(kind: EventKind, body: string, more = {}): Promise<Receipt["event"]> {
  const reply = await launcher.send(kind, body, { "content-type": "application/json", ...more });
  assert.equal(reply.status, 202, reply.text);
  const acknowledgement = reply.json<Acknowledgement>();
  assert.ok(Value.Check(Acknowledgement, acknowledgement), reply.text);
  const { event } = await launcher.receipt(acknowledgement.id);
  assert.equal(event.intact, true);
  return event;
}

/** The present time, because an older time gets a note. */
let at = timestamp();
beforeEach(() => {
  at = timestamp();
});
const report = (message: string, stackTrace: unknown = "") => JSON.stringify({ message, stackTrace, timestamp: at });
const trigger = (eventId: string) => JSON.stringify({ eventId, timestamp: at });

const texts: readonly (readonly [content: string, text: string])[] = [
  ["plain words", "boss defeated"],
  ["blanks at both ends", "  boss \t"],
  ["line ends of every kind", "a\nb\r\nc\rd\u0085e"],
  ["line and paragraph separators", "a\u2028b\u2029c"],
  ["a NUL", "a\u0000b"],
  ["every control character", Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).join("")],
  ["DEL and the C1 controls", "\u007f\u0080\u009b\u009f"],
  ["a terminal's escape", "\u001b[2J\u001b]0;owned\u0007"],
  ["quotes and backslashes", `"\\'\`\\u0041`],
  ["markup", "<script>alert(1)</script><img src=x onerror=alert(1)>"],
  ["SQL", "'); DROP TABLE event; --"],
  ["an emoji of several characters", "👩🏽‍🚀 🏳️‍🌈"],
  ["characters beyond the first plane", "𝔘𠜎\u{10ffff}"],
  ["half a character at the beginning", "\udc00a"],
  ["half a character at the end", "a\ud83d"],
  ["two halves of a character in the wrong order", "\ude00\ud83d"],
  ["text that is not normalised", "e\u0301 \u00e9 \u212b"],
  ["text in both directions", "\u202eevil\u202c \u0645\u0631\u062d\u0628\u0627"],
  ["invisible characters", "a\u200bb\ufeffc\u00ad"],
  ["non-characters", "\ufffe\uffff\ufffd"],
];
for (const [content, text] of texts) {
  test(`a report is stored exactly with ${content}`, async () => {
    const event = await sendAndRead("monitor", report(text, text));
    assert.deepEqual(event.payload, { message: text, stackTrace: text, timestamp: at });
    assert.deepEqual(event.notes, []);
  });
}

test("a report is stored exactly with any text", async () => {
  const units = fc.array(fc.oneof(fc.nat(0xffff), fc.constantFrom(0, 0x22, 0x5c, 0x2028, 0xd83d, 0xde00)), {
    minLength: 1,
  });
  const text = units.map((codes) => String.fromCharCode(...codes));
  let sender = 0;
  const property = fc.asyncProperty(text, text, async (message, stackTrace) => {
    at = timestamp();
    sender += 1;
    // Each from another sender, because most reports of a sender with so many kinds would only be counted.
    const headers = { "user-agent": `Engine${sender}/1.0` };
    const { payload, notes } = await sendAndRead("monitor", report(message, stackTrace), headers);
    assert.deepEqual(payload, { message, stackTrace, timestamp: at });
    assert.deepEqual(notes, []);
  });
  await fc.assert(property, { numRuns: 100 });
});

test("an event id with half a character keeps its payload, counts under a repaired id, and gets a note", async () => {
  const event = await sendAndRead("recording", trigger("a_\ud83d"));
  assert.equal(event.payload.eventId, "a_\ud83d");
  assert.equal(event.eventId, "a_\ufffd");
  assert.equal(event.notes.length, 1);
});

for (const eventId of [
  "a_b",
  " a_b ",
  "no underscore",
  "_",
  "ключ_событие",
  "日本_😀",
  "a_b'; --",
  "__proto__",
  "a\u2028b",
  "\u202ea_b",
]) {
  test(`the event id ${JSON.stringify(eventId)} is stored exactly`, async () => {
    const event = await sendAndRead("social", trigger(eventId));
    assert.deepEqual([event.eventId, event.payload], [eventId, { eventId, timestamp: at }]);
    assert.deepEqual(event.notes, []);
  });
}

test("200 emoji are an event id of 200 characters", async () => {
  assert.equal((await sendAndRead("recording", trigger("😀".repeat(200)))).eventId, "😀".repeat(200));
});

test("undeclared JSON members are left out and have no effect", async () => {
  const body = `{"eventId":"a_b","timestamp":"${at}","volume":11,"__proto__":{"eventId":"evil"},"id":"evil","status":"evil"}`;
  const event = await sendAndRead("recording", body);
  assert.deepEqual(event.payload, { eventId: "a_b", timestamp: at });
  assert.deepEqual([event.eventId, event.status], ["a_b", "accepted"]);
});

test("if a JSON member appears twice, the last value counts, and a note says so", async () => {
  const event = await sendAndRead("recording", `{"eventId":"first","timestamp":"${at}","event\\u0049d":"last"}`);
  assert.equal(event.eventId, "last");
  assert.match(event.notes.map(textOf).join(), /more than once/);
});

for (const [value, stackTrace] of [
  ["null", null],
  ["missing", undefined],
] as const) {
  test(`a stack trace that is ${value} counts as empty, and a note says so`, async () => {
    const event = await sendAndRead("monitor", JSON.stringify({ message: "m", stackTrace, timestamp: at }));
    assert.deepEqual(event.payload, { message: "m", stackTrace: "", timestamp: at });
    assert.match(event.notes.map(textOf).join(), /stackTrace/);
  });
}

const marker = /^… \[(\d+) more characters were cut\]$/;

test("a message and a stack trace of the maximum length are stored whole", async () => {
  const message = "m".repeat(messageCharsMax);
  const stackTrace = "s".repeat(stackTraceCharsMax);
  const event = await sendAndRead("monitor", report(message, stackTrace));
  assert.deepEqual(event.payload, { message, stackTrace, timestamp: at });
  assert.deepEqual(event.notes, []);
});

test("a message that is too long is cut with a marker and not refused", async () => {
  const event = await sendAndRead("monitor", report("m".repeat(messageCharsMax + 1)));
  const kept = event.payload.message ?? "";
  assert.equal(kept.slice(0, messageCharsMax), "m".repeat(messageCharsMax));
  assert.equal(marker.exec(kept.slice(messageCharsMax))?.[1], "1");
  assert.match(event.notes.map(textOf).join(), /message was shortened to 8192 characters/);
});

test("a stack trace that is too long is cut with a marker and not refused", async () => {
  const event = await sendAndRead("monitor", report("m", "s".repeat(stackTraceCharsMax + 70_000)));
  const kept = event.payload.stackTrace ?? "";
  assert.equal(kept.slice(0, stackTraceCharsMax), "s".repeat(stackTraceCharsMax));
  assert.equal(marker.exec(kept.slice(stackTraceCharsMax))?.[1], "70000");
  assert.match(event.notes.map(textOf).join(), /stackTrace was shortened to 131072 characters/);
});

test("a cut never splits a character", async () => {
  const { payload } = await sendAndRead("monitor", report(`${"m".repeat(messageCharsMax - 1)}😀 and on`));
  assert.equal(payload.message?.isWellFormed(), true);
  assert.match(payload.message ?? "", /^m+… \[9 more characters were cut\]$/);
});

test("stored events are the same after a restart", async () => {
  const events: Receipt["event"][] = [];
  for (const [, text] of texts) events.push(await sendAndRead("monitor", report(text, text)));
  await launcher.restart();
  for (const event of events) assert.deepEqual((await launcher.receipt(event.id)).event.payload, event.payload);
});
