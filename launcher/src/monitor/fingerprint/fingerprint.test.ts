// Tests of fingerprints with generated messages, stacks and hostile texts: which differences count and which do not.
import assert from "node:assert/strict";
import fc from "fast-check";
import { test } from "vitest";
import { assertCostFollowsSize } from "../../../../tools/run-tests/cost.ts";
import { parseStack } from "../stack/stack.ts";
import { type Fingerprint, fingerprintOf } from "./fingerprint.ts";

const of = (message: string, stackTrace = ""): Fingerprint => fingerprintOf(parseStack(message, stackTrace));

type Site = { readonly name: string; readonly file: string; readonly folder: string; readonly line: number };

/** Writes a frame at `site`, called from a function of the same file, as each engine writes it. */
const dialects: Readonly<Record<string, (site: Site) => string>> = {
  v8: ({ name, file, folder, line }) =>
    `    at Thing.${name} (file:///${folder}/js/${file}.js:${line}:7)\n    at run (file:///${folder}/js/${file}.js:${line + 9}:1)`,
  firefox: ({ name, file, folder, line }) =>
    `${name}@file:///${folder}/js/${file}.js:${line}:7\nrun@file:///${folder}/js/${file}.js:${line + 9}:1`,
  dotnet: ({ name, file, folder, line }) =>
    `   at Game.${file}.${name}(Int32 value) in /${folder}/${file}.cs:line ${line}\n   at Game.Run.Main() in /${folder}/Run.cs:line ${line}`,
  mono: ({ name, file, folder, line }) =>
    `  at Game.${file}.${name} (System.Int32 value) [0x000${line % 10}1] in /${folder}/${file}.cs:${line} `,
  unity: ({ name, file, line }) => `Game.${file}:${name} (int) (at Assets/Scripts/${file}.cs:${line})`,
  gdscript: ({ name, file, line }) =>
    `    [0] ${name} (res://${file}.gd:${line})\n    [1] _ready (res://main.gd:${line})`,
  gml: ({ name, line }) => `gml_Script_${name} (line ${line})\ngml_Object_obj_run_Step_0 (line ${line})`,
};

const word = fc.stringMatching(/^[a-z]{3,12}$/);
const names = fc.stringMatching(/^run[A-Z][a-z]{3,10}$/);
const folders = fc.array(fc.stringMatching(/^[A-Za-z0-9 ()._-]{1,12}$/), { minLength: 1, maxLength: 4 });
const folder = folders.map((parts) => parts.map((part) => `d${part.trim()}d`).join("/"));
const line = fc.integer({ min: 1, max: 99_999 });
const value = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }).map((number) => number.toFixed(3)),
);

for (const [dialect, write] of Object.entries(dialects)) {
  test(`${dialect}: lines, values and build folders do not change a fingerprint`, () => {
    fc.assert(
      fc.property(names, word, fc.tuple(folder, line, value), fc.tuple(folder, line, value), (name, file, one, two) => {
        const [first, second] = [one, two].map(([place, at, said]) =>
          of(`Enemy ${said} of "${said}" fell`, write({ name, file, folder: place, line: at })),
        );
        assert.equal(first?.key, second?.key);
      }),
    );
  });

  test(`${dialect}: another function or another message has another fingerprint`, () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(names, { minLength: 2, maxLength: 2 }),
        fc.uniqueArray(word, { minLength: 2, maxLength: 2 }),
        ([a, b], [x, y]) => {
          const site = (name: string) => write({ name, file: "thing", folder: "g", line: 3 });
          const key = of(`it ${x} broke`, site(a as string)).key;
          assert.notEqual(key, of(`it ${x} broke`, site(b as string)).key);
          assert.notEqual(key, of(`it ${y} broke`, site(a as string)).key);
        },
      ),
    );
  });
}

test("without a stack reports are grouped by the message alone, and the reason says so", () => {
  assert.equal(of("Save slot 7 is damaged").key, of("Save slot 120 is damaged", "[]").key);
  assert.match(of("Save slot 7 is damaged").why.text, /only by the message “Save slot <number> is damaged”/);
  assert.match(of("it broke", "    at hit (file:///g/a.js:1:1)").why.text, /and where it happened: hit in a\.js/);
});

test("an unnamed function and one that only passes errors on are identified together with their caller", () => {
  const at = (first: string, second: string) =>
    of("no", `    at ${first}file:///g/a.js:1:1${first && ")"}\n    at ${second} (file:///g/a.js:2:2)`);
  assert.notEqual(at("", "load").key, at("", "save").key);
  assert.notEqual(at("assertThat (", "load").key, at("assertThat (", "save").key);
  assert.equal(at("hit (", "load").key, at("hit (", "save").key);
});

test("the depth of a recursion does not change a fingerprint", () => {
  const deep = (times: number) => of("too deep", "    at walk (file:///g/a.js:1:1)\n".repeat(times));
  assert.equal(deep(3).key, deep(900).key);
});

test("compiler names of closures, iterators and async methods are read as the written method's name", () => {
  const at = (name: string) => of("it broke", `   at ${name}() in /g/a.cs:line 1`).parts.locations[0]?.function;
  assert.equal(at("Game.World.<>c.<Faults>b__4_7"), "Game.World.Faults");
  assert.equal(at("Game.World+<LoadAsync>d__12.MoveNext"), "Game.World.LoadAsync");
  assert.equal(at("Game.World.<>c__DisplayClass3_0.<Open>b__0"), "Game.World.Open");
  assert.equal(at("Game.World.<Share>g__Each|7_0"), "Game.World.Share.Each");
  assert.equal(at("Game.Pool`1.TakeAs[TOther]"), "Game.Pool.TakeAs");
});

test("the build hash in a file name does not change a fingerprint, but a number from the author does", () => {
  const at = (file: string) => of("it broke", `    at https://g.example/${file}:1:1`).key;
  assert.equal(at("main.a81f0c2e.js?v=7"), at("main.77b0c1de.js"));
  assert.notEqual(at("Battle2.js"), at("Battle3.js"));
});

test("an anonymous GameMaker function keeps its fingerprint when its file changes, and events keep their numbers", () => {
  const at = (name: string) => of("it broke", `${name} (line 3)`).key;
  assert.equal(at("gml_Script_anon@213@gml_Object_o_Create_0"), at("gml_Script_anon@98@gml_Object_o_Create_0"));
  assert.equal(
    at("gml_Script_anon_gml_Object_o_Create_0_213_gml_Object_o_Create_0"),
    at("gml_Script_anon_gml_Object_o_Create_0_9_gml_Object_o_Create_0"),
  );
  assert.notEqual(at("gml_Object_o_Alarm_0"), at("gml_Object_o_Alarm_1"));
});

test("an error keeps its key, by which other servers know it", () => {
  const kept = [
    ["Save slot 7 is damaged", "", "44d50f73705afe657cbafd48c15c7114"],
    [
      "TypeError: Cannot read properties of undefined (reading 'hp')",
      "    at Enemy.hit (file:///g/js/plugins/Battle.js:10:35)",
      "c20c6e3c7c8e27a1523ceed07a9503e1",
    ],
    [
      "Invalid access to property or key 'power' on a base object of type 'Nil'.",
      "    [0] take_damage (res://actors/enemy.gd:32)",
      "11aa28cde8982382e7c120c8750e601b",
    ],
    [
      "Index was outside the bounds of the array.",
      "   at Dungeon.Enemy.PartAt(Int32 index) in /g/Combat.cs:line 33",
      "f26cd7a3d72974765b628a9971ab61a7",
    ],
    [
      "Variable obj_player.hp(100003, -2147483648) not set before reading it.",
      "gml_Object_obj_player_Step_0 (line 12)",
      "71135b46eda0cdb45c173b9ed7968b75",
    ],
  ] as const;
  for (const [message, stackTrace, key] of kept) assert.equal(of(message, stackTrace).key, key);
});

test("the cost of 100,000 hostile characters is linear", async () => {
  const units = [
    "a",
    "1a",
    "'",
    "a'",
    "/a b",
    "a/",
    "@",
    "a@b.",
    "-1",
    "1:",
    "{",
    "(",
    ",",
    "at (",
    "at a.b(",
    "gml_a:1 ",
  ];
  units.push(
    '{"source":',
    "12:34:56",
    "[0] ",
    "---> \n",
    "\n",
    "://",
    "property 'b' ",
    "C:\\a b\\ ",
    " is not a function",
    "---> a.B: ",
    "Caused by: a\n",
    "at DMD<a::b>(",
    "[0] a.b(c) (",
    "[0] a(+0x1) [0x1] (",
    ".gml (1): a",
    '[ "gml_a","b" ',
    "_m1234ABCD",
    "\u001b[1;3",
    "E/a( 1): \n",
    "01-02 03:04:05.678 1 2 E ",
    "[Error : a",
    "> ",
    "Thread 1 Crashed:\n",
    "0 a 0x12345678 b + 1 (",
    "=>0 0x12345678 a in b ",
    "at a.b@1-1",
    "at a (eval at ./b (",
  );
  for (const unit of units) {
    const text = unit.repeat(Math.ceil(100_000 / unit.length));
    const partOf = (share: number) => text.slice(0, 100_000 * share);
    await assertCostFollowsSize(`a message of ${JSON.stringify(unit)}`, (share) => of(partOf(share)));
    await assertCostFollowsSize(`a stack of ${JSON.stringify(unit)}`, (share) => of("it broke", partOf(share)));
  }
});
