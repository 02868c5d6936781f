// Tests of reading a kit.events.json: it is read completely, or rejected with the position of the error.
import assert from "node:assert/strict";
import { bodyBytesMax } from "@kit/contract";
import { test } from "vitest";
import { readEventsFile, serializeEventsFile } from "./events-file.ts";

const read = (text: string) => readEventsFile(new TextEncoder().encode(text));

test("valid JSON is read unchanged, and an exported file can be read again", () => {
  const file = { kitEvents: 1, game: "saga", events: {} };
  assert.deepEqual(read(serializeEventsFile(file)), { ok: true, value: file });
  assert.deepEqual(read("\ufeff{}"), { ok: true, value: {} });
});

test("an extra comma is reported with its line", () => {
  const broken = read('{\n  "kitEvents": 1,\n  "game": "saga",\n}');
  assert.equal(broken.ok, false);
  assert.match((!broken.ok && broken.errors[0]?.path) || "", /^Line 4, column 1$/u);
});

test("a file that is not text, or is far too large, is rejected before it is sent", () => {
  assert.deepEqual(readEventsFile(new Uint8Array([0xff, 0xfe, 0x00])), {
    ok: false,
    says: "The file is not text in UTF-8.",
    errors: [],
  });
  assert.equal(read(JSON.stringify("x".repeat(bodyBytesMax))).ok, false);
  assert.equal(read(" ".repeat(5 * bodyBytesMax)).ok, false);
});
