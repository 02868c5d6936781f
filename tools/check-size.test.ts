// Tests of the check of sizes: long files and functions are found; test bodies and listed exceptions are allowed.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "vitest";
import { type FixtureTree, writeTree } from "./check/fixture-tree.ts";
import { type Exception, tooLongBelow } from "./check-size.ts";

const lines = (count: number) => "void 0;\n".repeat(count);
/** A function body that makes its function `count` lines long. */
const body = (count: number) => `{\n${lines(count - 2)}}`;

function tooLongIn(files: FixtureTree, exceptions: readonly Exception[] = []): string[] {
  const root = writeTree(files);
  try {
    return tooLongBelow(root, exceptions);
  } finally {
    rmSync(root, { recursive: true });
  }
}

test("a file of 400 lines passes, and one of 401 lines is reported", () => {
  assert.deepEqual(tooLongIn({ "a.ts": lines(400) }), []);
  assert.match(tooLongIn({ "a.ts": lines(401) })[0] ?? "", /^a\.ts: 401 lines \(at most 400\)/);
});

test("a function of 120 lines passes, and one of 121 lines is reported with its position", () => {
  assert.deepEqual(tooLongIn({ "a.ts": `function load() ${body(120)}` }), []);
  assert.match(tooLongIn({ "a.ts": `\nfunction load() ${body(121)}` })[0] ?? "", /^a\.ts:2: load is 121 lines long/);
});

test("functions inside a function count as its lines", () => {
  const closure = `function create() {\n${`const step = () => ${body(61)};\n`.repeat(2)}}`;
  assert.deepEqual(
    tooLongIn({ "a.ts": closure }).map((finding) => finding.split(";")[0]),
    ["a.ts:1: create is 124 lines long"],
  );
});

test("a long function is found in every form of the syntax, with its name", () => {
  const forms = {
    load: `const load = () => ${body(121)};`,
    save: `export const made = { save() ${body(121)} };`,
    open: `class Store { open() ${body(121)} }`,
    start: `Game.start = function () ${body(121)};`,
    Page: `export default function Page() ${body(121)}`,
  };
  for (const [name, text] of Object.entries(forms)) {
    assert.match(tooLongIn({ "a.tsx": text })[0] ?? "", new RegExp(`: ${name} is 121 lines`));
  }
});

test("the body of a test may be long, but a function in a test file may not", () => {
  assert.deepEqual(
    tooLongIn({ "a.test.ts": `describe("a", () => ${body(150)}); test.only("b", () => ${body(150)});` }),
    [],
  );
  assert.equal(tooLongIn({ "a.test.ts": `function prepare() ${body(121)}` }).length, 1);
});

test("the function around a whole plugin is not measured, but the functions inside are", () => {
  const inside = `function send() ${body(121)}\n`;
  assert.deepEqual(tooLongIn({ "plugin.js": `(function () ${body(150)})();` }), []);
  assert.deepEqual(tooLongIn({ "plugin.js": `var Plugin = (function () ${body(150)})();` }), []);
  assert.match(tooLongIn({ "plugin.js": `(() => {\n${inside}})();` })[0] ?? "", /send is 121 lines/);
});

test("an exception allows its file or function up to its own limit", () => {
  const wide: Exception = { path: "a.ts", linesMax: 500, reason: "one table" };
  assert.deepEqual(tooLongIn({ "a.ts": lines(500) }, [wide]), []);
  assert.match(tooLongIn({ "a.ts": lines(501) }, [wide])[0] ?? "", /501 lines/);
  const long: Exception = { path: "a.ts", function: "load", linesMax: 130, reason: "one table" };
  assert.deepEqual(tooLongIn({ "a.ts": `function load() ${body(130)}` }, [long]), []);
});

test("an exception that is no longer needed is reported", () => {
  const stale: Exception = { path: "a.ts", linesMax: 300, reason: "one table" };
  assert.match(tooLongIn({ "a.ts": lines(10) }, [stale])[0] ?? "", /a\.ts\s+is no longer too long; unlist it/);
});
