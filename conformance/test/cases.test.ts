// Tests of reading cases: unreadable files, invalid cases and duplicates are errors that name the file or the case.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { readBinding } from "../src/binding.ts";
import type { Case } from "../src/case.ts";
import { readCases } from "../src/cases.ts";
import { caseOf, scratchFolder } from "./scratch.ts";

const fileOf = (...cases: readonly object[]) => JSON.stringify({ cases });
const good = caseOf("area/one");

function read(files: Readonly<Record<string, string>>): Case[] {
  using scratch = scratchFolder(files);
  return readCases(scratch.folder);
}

/** A case with an unknown member. */
const bad = (more: object) => ({ "bad.json": fileOf(good, { ...good, id: "area/two", ...more }) });

test("all cases of all files are read, also in subfolders", () => {
  using scratch = scratchFolder({ "a.json": fileOf(good), "b.json": fileOf(caseOf("area/two")) });
  mkdirSync(join(scratch.folder, "deeper"));
  writeFileSync(join(scratch.folder, "deeper/c.json"), fileOf(caseOf("area/three")));
  const ids = readCases(scratch.folder).map(({ id }) => id);
  assert.deepEqual(ids, ["area/one", "area/two", "area/three"]);
});

test("a file that is not a case file is an error", () => {
  assert.throws(() => read({ "a.json": fileOf(good), "notes.txt": "later" }), /notes\.txt is no case file/);
});

test("a file that is not valid JSON is an error with its name", () => {
  assert.throws(() => read({ "torn.json": fileOf(good).slice(0, -1) }), /torn\.json is no JSON/);
});

test("a file without a case is an error", () => {
  assert.throws(() => read({ "none.json": fileOf() }), /none\.json is no case file:\n {2}\/cases:/);
});

for (const [what, files, place] of [
  ["an unknown field", bad({ luancher: "hangs" }), /\/cases\/1\/luancher: nobody knows this member/],
  ["an unknown step", bad({ steps: [{ do: "recording", eventId: "a" }, { do: "jump" }] }), /\/cases\/1\/steps\/1/],
  ["an unknown state of the launcher", bad({ launcher: "sleeps" }), /\/cases\/1\/launcher: /],
  ["an unknown expectation", bad({ expect: { request: [] } }), /\/cases\/1\/expect: /],
  ["an id that is not area/name", bad({ id: "Area two" }), /\/cases\/1\/id: /],
  ["a sentence without a full stop", bad({ says: "It sends" }), /\/cases\/1\/says: /],
  ["no step", bad({ steps: [] }), /\/cases\/1\/steps: /],
] as const) {
  test(`a case with ${what} is an error with its position`, () => {
    assert.throws(() => read(files), place);
  });
}

test("an id that exists twice is an error, also in two files", () => {
  assert.throws(() => read({ "a.json": fileOf(good), "b.json": fileOf(good) }), /the case area\/one exists twice/);
});

test("a text that two cases on the default port use is an error, because requests there are told apart by it", () => {
  const [one, two] = ["area/one", "area/two"].map((id) => caseOf(id, { launcher: "answers-default" }));
  assert.throws(() => read({ "a.json": fileOf(one ?? {}, two ?? {}) }), /the text "sky_one" exists twice/);
});

for (const [what, description, message] of [
  [
    "an engine that Kit does not know",
    { drivers: [{ engine: "X", needs: ["Xengine"], command: ["x"] }] },
    /\/drivers\/0\/needs/,
  ],
  ["an unknown trait", { isPerfect: true }, /\/isPerfect: nobody knows this member/],
  ["no driver", { drivers: [] }, /\/drivers: /],
] as const) {
  test(`a description with ${what} is an error with its position`, () => {
    const whole = { binding: "X", clockToleranceMs: 0, drivers: [{ engine: "X", command: ["x"] }], ...description };
    using scratch = scratchFolder({ "conformance.json": JSON.stringify(whole) });
    assert.throws(() => readBinding(scratch.folder), message);
  });
}

test("a description in a folder conformance~ is found, and its binding runs there", () => {
  using scratch = scratchFolder({});
  const inside = join(scratch.folder, "conformance~");
  mkdirSync(inside);
  const description = { binding: "X", clockToleranceMs: 0, drivers: [{ engine: "X", command: ["x"] }] };
  writeFileSync(join(inside, "conformance.json"), JSON.stringify(description));
  assert.equal(readBinding(scratch.folder).folder, inside);
});
