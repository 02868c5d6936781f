// Unreadable files, invalid cases and duplicates are errors that name the file or case.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readBinding } from "../src/binding.ts";
import type { Case } from "../src/case.ts";
import { readCases } from "../src/cases.ts";
import { caseOf, scratchFolder } from "./scratch.ts";

const fileOf = (...cases: readonly object[]) => JSON.stringify({ $schema: "../case.schema.json", cases });
const good = caseOf("area/one");

function read(files: Readonly<Record<string, string>>): Case[] {
  using scratch = scratchFolder(files);
  return readCases(scratch.folder);
}

/** A case with an unknown member. */
const bad = (more: object) => ({ "bad.json": fileOf(good, { ...good, id: "area/two", ...more }) });

test("all cases of all files are read, in folders too", () => {
  using scratch = scratchFolder({ "a.json": fileOf(good), "b.json": fileOf(caseOf("area/two")) });
  mkdirSync(join(scratch.folder, "deeper"));
  writeFileSync(join(scratch.folder, "deeper/c.json"), fileOf(caseOf("area/three")));
  const ids = readCases(scratch.folder).map(({ id }) => id);
  assert.deepEqual(ids, ["area/one", "area/two", "area/three"]);
});

test("a file that is no case file ends the run", () => {
  assert.throws(() => read({ "a.json": fileOf(good), "notes.txt": "later" }), /notes\.txt is no case file/);
});

test("a file that is no JSON ends the run, and is named", () => {
  assert.throws(() => read({ "torn.json": fileOf(good).slice(0, -1) }), /torn\.json is no JSON/);
});

test("a file without a case ends the run", () => {
  assert.throws(() => read({ "none.json": fileOf() }), /none\.json does not fit.*\n {2}\/cases:/);
});

for (const [what, files, place] of [
  ["a member nobody knows", bad({ luancher: "hangs" }), /\/cases\/1\/luancher: nobody knows this member/],
  ["a step nobody knows", bad({ steps: [{ do: "recording", eventId: "a" }, { do: "jump" }] }), /\/cases\/1\/steps\/1/],
  ["a launcher's state nobody knows", bad({ launcher: "sleeps" }), /\/cases\/1\/launcher: /],
  ["an expectation nobody knows", bad({ expect: { request: [] } }), /\/cases\/1\/expect: /],
  ["an id that is not area/name", bad({ id: "Area two" }), /\/cases\/1\/id: /],
  ["a sentence without its end", bad({ says: "It sends" }), /\/cases\/1\/says: /],
  ["no step", bad({ steps: [] }), /\/cases\/1\/steps: /],
] as const) {
  test(`a case with ${what} ends the run by its place`, () => {
    assert.throws(() => read(files), place);
  });
}

test("an id that exists twice ends the run, in two files too", () => {
  assert.throws(() => read({ "a.json": fileOf(good), "b.json": fileOf(good) }), /the case area\/one exists twice/);
});

test("a text that two cases use on the default port ends the run: there they are told apart by it", () => {
  const [one, two] = ["area/one", "area/two"].map((id) => caseOf(id, { launcher: "answers-default" }));
  assert.throws(() => read({ "a.json": fileOf(one ?? {}, two ?? {}) }), /the text "sky_one" exists twice/);
});

for (const [what, description, message] of [
  [
    "an engine nobody can find",
    { drivers: [{ engine: "X", needs: ["Xengine"], command: ["x"] }] },
    /\/drivers\/0\/needs/,
  ],
  ["a trait nobody knows", { isPerfect: true }, /\/isPerfect: nobody knows this member/],
  ["no driver", { drivers: [] }, /\/drivers: /],
] as const) {
  test(`a description with ${what} is refused by its place`, () => {
    const whole = { binding: "X", clockToleranceMs: 0, drivers: [{ engine: "X", command: ["x"] }], ...description };
    using scratch = scratchFolder({ "conformance.json": JSON.stringify(whole) });
    assert.throws(() => readBinding(scratch.folder), message);
  });
}

test("a description may lie in conformance~, and is played there", () => {
  using scratch = scratchFolder({});
  const inside = join(scratch.folder, "conformance~");
  mkdirSync(inside);
  const description = { binding: "X", clockToleranceMs: 0, drivers: [{ engine: "X", command: ["x"] }] };
  writeFileSync(join(inside, "conformance.json"), JSON.stringify(description));
  assert.equal(readBinding(scratch.folder).folder, inside);
});
