// Tests of validation: the answer to a wrong payload lists every wrong member with the expected value.
import assert from "node:assert/strict";
import {
  bodyBytesMax,
  changeEventIdRule,
  decideConsent,
  fieldName,
  getClipFrame,
  getHealth,
  KitError,
  listClips,
  listEvents,
  reportError,
  triggerRecording,
} from "@kit/contract";
import fc from "fast-check";
import { test } from "vitest";
import { assertCostFollowsSize } from "../../../tools/run-tests/cost.ts";
import { assertValid, parseQuery } from "./validation.ts";

type Schema = Parameters<typeof assertValid>[0];

const timestamp = "2026-01-01T00:00:00.000Z";

function refusal(schema: Schema, value: unknown): KitError {
  try {
    assertValid(schema, value);
  } catch (error) {
    assert.ok(error instanceof KitError);
    assert.equal(error.code, "payload_invalid");
    return error;
  }
  return assert.fail(`${JSON.stringify(value)} was taken`);
}

const wrong: readonly (readonly [
  label: string,
  schema: Schema,
  value: unknown,
  errors: readonly (readonly [path: string, message: RegExp])[],
])[] = [
  ["a list", triggerRecording.body, [], [["", /JSON object/]]],
  ["null", triggerRecording.body, null, [["", /JSON object/]]],
  [
    "nothing",
    triggerRecording.body,
    {},
    [
      ["/eventId", /missing.*1 to 200 characters/],
      ["/timestamp", /missing.*ISO 8601/],
    ],
  ],
  ["a wrong type", triggerRecording.body, { eventId: 1, timestamp }, [["/eventId", /1 to 200 characters/]]],
  [
    "a day that does not exist",
    triggerRecording.body,
    { eventId: "a", timestamp: "2026-02-30T00:00:00.000Z" },
    [["/timestamp", /that exists/]],
  ],
  [
    "a stack trace that is no text",
    reportError.body,
    { message: "m", stackTrace: 1, timestamp },
    [["/stackTrace", /stack trace as text/]],
  ],
  ["an empty message", reportError.body, { message: "", timestamp }, [["/message", /not empty/]]],
  [
    "an unknown choice",
    decideConsent.body,
    { origin: "https://a.example", decision: "for-ever" },
    [["/decision", /until-exit, 30-days, blocked/]],
  ],
  ["an unknown kind", changeEventIdRule.body, { kind: "x", eventId: "a" }, [["/kind", /recording, monitor, social/]]],
  [
    "a game with an underscore at its end",
    changeEventIdRule.body,
    { kind: "social", eventId: "a", game: "saga_" },
    [["/game", /./]],
  ],
  ["a page that is too long", listEvents.query, { limit: 501 }, [["/limit", /1 to 500/]]],
  ["a challenge that is too short", getHealth.query, { challenge: "ab" }, [["/challenge", /16 to 128 hex digits/]]],
];
for (const [label, schema, value, errors] of wrong) {
  test(`${label} is refused, with each wrong member`, () => {
    const { errors: found, message } = refusal(schema, value);
    assert.deepEqual(
      found.map(({ path }) => path).toSorted(),
      errors.map(([path]) => path),
    );
    for (const [path, expected] of errors) {
      assert.match(found.find((error) => error.path === path)?.message ?? "", expected);
      assert.ok(message.includes(fieldName(path)), "the message names the field as a person would");
    }
  });
}

const right: readonly (readonly [label: string, schema: Schema, value: unknown])[] = [
  ["an event", triggerRecording.body, { eventId: "a_b", timestamp }],
  ["an event with members nobody declared", triggerRecording.body, { eventId: "a_b", timestamp, volume: 11 }],
  ["an id of half a character", triggerRecording.body, { eventId: "\ud800", timestamp }],
  ["an id of 200 emoji", triggerRecording.body, { eventId: "😀".repeat(200), timestamp }],
  ["a report without a stack trace", reportError.body, { message: "m", timestamp }],
  ["a report whose stack trace is null", reportError.body, { message: "m", stackTrace: null, timestamp }],
  ["a leap day", triggerRecording.body, { eventId: "a", timestamp: "2028-02-29T23:59:59.999Z" }],
  ["a rule that decides by prefix again", changeEventIdRule.body, { kind: "social", eventId: "a", game: null }],
];
for (const [label, schema, value] of right) {
  test(`${label} is accepted`, () => assert.doesNotThrow(() => assertValid(schema, value)));
}

const traps: readonly (readonly [label: string, schema: Schema, of: (size: number) => unknown])[] = [
  ["letters before a control character", triggerRecording.body, (size) => ({ eventId: `${"a".repeat(size)}\u0001` })],
  ["blanks", triggerRecording.body, (size) => ({ eventId: " ".repeat(size) })],
  ["blanks before a control character", triggerRecording.body, (size) => ({ eventId: `${" ".repeat(size)}\u0001` })],
  ["combining marks", triggerRecording.body, (size) => ({ eventId: `a${"\u0301".repeat(size / 2)}` })],
  ["digits of a time", triggerRecording.body, (size) => ({ eventId: "a", timestamp: "2".repeat(size) })],
  [
    "members",
    reportError.body,
    (size) => Object.fromEntries(Array.from({ length: size / 16 }, (_, index) => [`a${index}`, 0])),
  ],
];
for (const [label, schema, of] of traps) {
  test(`refusing as many ${label} as fit into a body has a linear cost`, () =>
    assertCostFollowsSize(label, (share) => assert.throws(() => assertValid(schema, of(share * bodyBytesMax)))));
}

test("any value is accepted or refused, and causes no other error", () => {
  const property = fc.property(fc.anything({ withNullPrototype: true }), (value) => {
    try {
      assertValid(reportError.body, value);
    } catch (error) {
      assert.ok(error instanceof KitError, `${error}`);
    }
  });
  fc.assert(property, { numRuns: 5_000 });
});

test("every existing time is a valid timestamp, and no other text of that form is", () => {
  const digits = (count: number) => fc.nat(10 ** count - 1).map((value) => String(value).padStart(count, "0"));
  const parts = fc.tuple(digits(4), digits(2), digits(2), digits(2), digits(2), digits(2), digits(3));
  const written = parts.map(([y, mo, d, h, mi, s, ms]) => `${y}-${mo}-${d}T${h}:${mi}:${s}.${ms}Z`);
  const real = fc.date({
    min: new Date("0000-01-01T00:00:00.000Z"),
    max: new Date("9999-12-31T23:59:59.999Z"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(real, (date) => assertValid(triggerRecording.body, { eventId: "a", timestamp: date.toISOString() })),
  );
  fc.assert(
    fc.property(written, (text) => {
      const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = text.split(/[-T:.Z]/).map(Number);
      const days = month >= 1 && month <= 12 ? new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate() : 0;
      const exists = day >= 1 && day <= days && hour < 24 && minute < 60 && second < 60;
      const isTaken = () => assertValid(triggerRecording.body, { eventId: "a", timestamp: text });
      if (exists) isTaken();
      else assert.throws(isTaken, { code: "payload_invalid" });
    }),
    { numRuns: 2_000 },
  );
});

test("in a query true and false become booleans, and nothing else does", () => {
  assert.deepEqual(parseQuery(listClips.query, { bin: "true", game: "true" }), { bin: true, game: "true" });
  for (const bin of ["", "1", "yes", "True", ["true", "true"]]) {
    assert.throws(() => assertValid(listClips.query, parseQuery(listClips.query, { bin })), {
      code: "payload_invalid",
    });
  }
});

test("in a query whole numbers become numbers, and nothing else does", () => {
  const values = parseQuery(listEvents.query, { limit: "5", game: "5", before: "1e3" });
  assert.deepEqual(values, { limit: 5, game: "5", before: "1e3" });
  for (const limit of ["", "5.5", "1e3", "0x5", " 5", "9".repeat(16), ["5", "6"]]) {
    assert.throws(() => assertValid(listEvents.query, parseQuery(listEvents.query, { limit })), {
      code: "payload_invalid",
    });
  }
});

test("a time in a query is a number, also between two seconds", () => {
  assert.deepEqual(parseQuery(getClipFrame.query, { at: "2.5" }), { at: 2.5 });
  for (const at of ["1e3", "2.", "-1", "0x1", ""]) {
    assert.throws(() => assertValid(getClipFrame.query, parseQuery(getClipFrame.query, { at })), {
      code: "payload_invalid",
    });
  }
});
