// A kit.events.json from a disk: read whole, or refused with the place where it breaks off.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyBytesMax } from "@kit/contract";
import { fileTextOf, readEventsFile } from "./events-file.ts";

const read = (text: string) => readEventsFile(new TextEncoder().encode(text));

test("what is JSON is read as it is, and what was exported is read again", () => {
  const file = { kitEvents: 1, game: "saga", events: {} };
  assert.deepEqual(read(fileTextOf(file)), { ok: true, value: file });
  assert.deepEqual(read("\ufeff{}"), { ok: true, value: {} });
});

test("a comma too many is named by its line", () => {
  const broken = read('{\n  "kitEvents": 1,\n  "game": "saga",\n}');
  assert.equal(broken.ok, false);
  assert.match((!broken.ok && broken.errors[0]?.path) || "", /^Line 4, column 1$/u);
});

test("what is no text, or far too large, is refused before it is sent", () => {
  assert.deepEqual(readEventsFile(new Uint8Array([0xff, 0xfe, 0x00])), {
    ok: false,
    says: "The file is not text in UTF-8.",
    errors: [],
  });
  assert.equal(read(JSON.stringify("x".repeat(bodyBytesMax))).ok, false);
  assert.equal(read(" ".repeat(5 * bodyBytesMax)).ok, false);
});
