// Tests of source candidates: the project files that a frame may mean, in the forms of real engines, and hostile forms.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sourceCandidates } from "./candidates.ts";

const pathsOf = (file: string | null, name: string | null = null) =>
  sourceCandidates({ file, function: name }).map((candidate) => candidate.join("/"));

for (const [engine, file, expected] of [
  ["Godot", "res://actors/enemy.gd", ["actors/enemy.gd"]],
  [
    "NW.js",
    "chrome-extension://jombgaaogancklkdjjnienlibgdomdhp/js/plugins/Battle.js",
    ["js/plugins/Battle.js", "www/js/plugins/Battle.js", "plugins/Battle.js", "Battle.js"],
  ],
  ["a web page", "http://127.0.0.1:39597/www/js/main.js?v=2#x", ["www/js/main.js", "js/main.js", "main.js"]],
  [
    "a page from a file",
    "file:///home/kim/My%20Game/js/a.js",
    ["home/kim/My Game/js/a.js", "kim/My Game/js/a.js", "My Game/js/a.js", "js/a.js", "a.js"],
  ],
  ["a page from a file on Windows", "file:///C:/g/js/a.js", ["g/js/a.js", "js/a.js", "a.js"]],
  [
    "JavaScriptCore",
    "/home/kim/My Game (beta)/a.js",
    ["home/kim/My Game (beta)/a.js", "kim/My Game (beta)/a.js", "My Game (beta)/a.js", "a.js"],
  ],
  [".NET", "/ci/s/src/World.cs", ["ci/s/src/World.cs", "s/src/World.cs", "src/World.cs", "World.cs"]],
  [".NET on Windows", "C:\\build\\src\\World.cs", ["build/src/World.cs", "src/World.cs", "World.cs"]],
  ["Unity", "./Assets/Scripts/World.cs", ["Assets/Scripts/World.cs", "Scripts/World.cs", "World.cs"]],
  ["a build path that goes up", "/ci/game/../shared/World.cs", ["shared/World.cs", "World.cs"]],
  ["a network share", "\\\\server\\share\\World.cs", ["server/share/World.cs", "share/World.cs", "World.cs"]],
] as const) {
  test(`${engine}: ${file}`, () => assert.deepEqual(pathsOf(file), expected));
}

for (const [name, expected] of [
  ["gml_Object_obj_player_Step_0", ["objects/obj_player/Step_0.gml"]],
  ["gml_Object_obj_Step_up_Alarm_11", ["objects/obj_Step_up/Alarm_11.gml"]],
  ["gml_Object_obj_coin_Collision_obj_player", ["objects/obj_coin/Collision_obj_player.gml"]],
  ["gml_Script_hurt", ["scripts/hurt/hurt.gml"]],
  ["gml_GlobalScript_combat", ["scripts/combat/combat.gml"]],
  ["gml_Script_cast@Spell", ["scripts/Spell/Spell.gml", "scripts/cast/cast.gml"]],
  ["gml_Script_hurt@gml_GlobalScript_combat", ["scripts/combat/combat.gml"]],
  ["gml_Script_anon@231@gml_Object_obj_menu_Create_0", ["objects/obj_menu/Create_0.gml"]],
  ["gml_Room_rm_hall_Create", ["rooms/rm_hall/RoomCreationCode.gml"]],
  ["take_damage", []],
] as const) {
  test(`GameMaker: ${name}`, () => assert.deepEqual(pathsOf(null, name), expected));
}

for (const file of [
  "res://../../etc/passwd",
  "res://a/../../b.gd",
  "res://C:/Windows/win.ini",
  "user://save.gd",
  "core://main.cpp",
  "node:internal/process",
  "javascript:alert(1)//x.js",
  "data:text/javascript,throw 1",
  "http://host/%2e%2e/%2e%2e/etc/passwd%00.js",
  "http://host/%E0%A4%A.js",
  "/srv/a\0b.cs",
  "/srv/x.cs:stream",
  `/${"a/".repeat(2_000)}b.cs`,
  "..",
  "",
]) {
  test(`${JSON.stringify(file).slice(0, 40)} names no file of a project`, () => assert.deepEqual(pathsOf(file), []));
}

test("no candidate of any frame leads out of the project, and there are at most 26", () => {
  const parts = [
    "..",
    ".",
    "/",
    "\\",
    "%2e",
    "%2f",
    "%00",
    ":",
    "res://",
    "file://",
    "C:",
    "a",
    "gml_Object_",
    "_Collision_",
    "\0",
  ];
  const pieces = fc.array(fc.oneof(fc.constantFrom(...parts), fc.string({ unit: "binary" })), { maxLength: 40 });
  fc.assert(
    fc.property(pieces, fc.boolean(), (words, isFile) => {
      const text = words.join("");
      const candidates = sourceCandidates(
        isFile ? { file: text, function: null } : { file: null, function: `gml_${text}` },
      );
      assert.ok(candidates.length <= 26);
      for (const segment of candidates.flat()) assert.match(segment, /^(?!\.{0,2}$)[^\\/:\p{Cc}]+$/u);
    }),
    { numRuns: 2_000 },
  );
});
