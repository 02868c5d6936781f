// Tests of sources: the project files that a frame may mean, in the forms of real engines, and hostile forms; the file is found
// in the folder set for its game, and nowhere else; links into editors have the documented forms.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import { type Editor, editors, textOf } from "@kit/contract";
import fc from "fast-check";
import { afterAll, beforeAll, test } from "vitest";
import { openStorageFolder, type StorageFolder } from "../../test/support/storage-folder.ts";
import { patienceMs } from "../../test/support/until.ts";
import { sql } from "../storage/sql.ts";
import { createSourceFolders, editorLink, sourceCandidates } from "./sources.ts";

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

let folder: StorageFolder;
let home: string;
beforeAll(async () => {
  folder = await openStorageFolder();
  home = mkdtempSync(join(tmpdir(), "kit-source-"));
});
afterAll(async () => {
  await folder?.[Symbol.asyncDispose]();
  rmSync(home, { recursive: true, force: true });
});

let nowMs = 0;
let projects = 0;
const write = (path: string) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "");
};

async function restarted() {
  const { storage } = folder;
  const sources = createSourceFolders({
    storage,
    now: () => nowMs,
    onChanged: () => undefined,
    waitMs: patienceMs,
  });
  await sources.load();
  return sources;
}

/** Creates a project with these files and sets it as the source of `saga`. */
async function project(files: readonly string[], editor: Editor = "vscode") {
  projects += 1;
  const root = join(home, `project ${projects}`);
  mkdirSync(root);
  for (const file of files) write(join(root, file));
  await folder.storage.write(sql`DELETE FROM game_source`);
  const sources = await restarted();
  await sources.set("saga", root, editor);
  const find = async (file: string | null, name: string | null = null) => {
    const [found] = await sources.findSources("saga", [{ file, function: name, line: 7, column: null }]);
    return found?.path.slice(root.length + 1).replaceAll(sep, "/") ?? null;
  };
  return { root, sources, find };
}

test("a frame's file is found by the longest end of its path that exists", async () => {
  const { find } = await project(["World.cs", "src/World.cs", "src/deep/Other.cs"]);
  assert.equal(await find("/ci/agent-7/s/src/World.cs"), "src/World.cs");
  assert.equal(await find("/ci/agent-7/s/World.cs"), "World.cs");
  assert.equal(await find("C:\\work\\src\\deep\\Other.cs"), "src/deep/Other.cs");
  assert.equal(await find("/usr/share/dotnet/List.cs"), null);
});

test("each engine's frames are found in a project with that engine's layout", async () => {
  const { find } = await project([
    "actors/enemy.gd",
    "www/js/plugins/Battle.js",
    "Assets/Scripts/A.cs",
    "objects/o/Step_0.gml",
  ]);
  assert.equal(await find("res://actors/enemy.gd"), "actors/enemy.gd");
  assert.equal(await find("chrome-extension://abc/js/plugins/Battle.js"), "www/js/plugins/Battle.js");
  assert.equal(await find("Assets/Scripts/A.cs"), "Assets/Scripts/A.cs");
  assert.equal(await find(null, "gml_Object_o_Step_0"), "objects/o/Step_0.gml");
});

test("no frame leads out of the project, not even by a symbolic link", async () => {
  const { root, find } = await project(["in.gd"]);
  write(join(home, "secret.gd"));
  symlinkSync(home, join(root, "up"));
  symlinkSync(join(home, "secret.gd"), join(root, "secret.gd"));
  symlinkSync(join(root, "in.gd"), join(root, "same.gd"));
  mkdirSync(join(root, "folder.gd"));
  for (const file of [
    "res://../secret.gd",
    "res://up/secret.gd",
    "res://secret.gd",
    "res://folder.gd",
    `${home}/secret.gd`,
    "file:///../secret.gd",
    "http://host/%2e%2e/secret.gd",
    "res://in.gd\0.png",
    "\\\\server\\share\\secret.gd",
  ]) {
    assert.equal(await find(file), null, file);
  }
  // Wine makes links that lead nowhere.
  if (existsSync(join(root, "same.gd"))) assert.equal(await find("res://same.gd"), "same.gd");
});

test("a link opens the file at its line, in Rider by the name of the solution", async () => {
  const { root, sources } = await project(["Tower.sln", "a.cs"], "rider");
  const frame = { file: "/ci/a.cs", function: null, line: 7, column: 2 };
  const path = join(root, "a.cs");
  assert.deepEqual(await sources.findSources("saga", [frame]), [
    { path, link: "jetbrains://rider/navigate/reference?project=Tower&path=a.cs:6:1" },
  ]);
  await sources.set("saga", root, "godot");
  assert.deepEqual(await sources.findSources("saga", [frame]), [{ path, link: null }]);
  assert.deepEqual(await sources.findSources("other", [frame]), [null]);
  assert.deepEqual(await sources.findSources(null, [frame]), [null]);
});

test("a missing file is searched for again, but not at once", async () => {
  const { root, find } = await project([]);
  assert.equal(await find("res://new.gd"), null);
  write(join(root, "new.gd"));
  assert.equal(await find("res://new.gd"), null);
  nowMs += 10_000;
  assert.equal(await find("res://new.gd"), "new.gd");
});

test("a deep stack of unknown files ends the search after a bounded number of disk accesses", async () => {
  const { sources } = await project(["a.cs"]);
  const frames = Array.from({ length: 200 }, (_, at) => ({
    file: `/${"deep/".repeat(20)}${at}.cs`,
    function: null,
    line: 1,
    column: null,
  }));
  const found = await sources.findSources("saga", [
    ...frames,
    { file: "/a.cs", function: null, line: 1, column: null },
  ]);
  assert.deepEqual(new Set(found), new Set([null]));
});

for (const [kind, root, reason] of [
  ["a relative path", "src", /absolute/],
  ["a path with a line end", "/src\n", /absolute/],
  ["the whole disk", "/", /not the whole disk/],
  ["a folder that does not exist", "/nowhere/at all", /no folder/],
] as const) {
  test(`${kind} is refused as a source, with the reason`, async () => {
    const { sources } = await project([]);
    await assert.rejects(sources.set("saga", root, "vscode"), { code: "payload_invalid", message: reason });
  });
}

test("sources are kept across a restart, a missing folder is reported, and a forgotten source is removed", async () => {
  const { root, sources } = await project([]);
  await assert.rejects(sources.set("saga", join(root, "file"), undefined), /no folder/);
  const kept = await (await restarted()).list();
  assert.deepEqual(kept, [{ game: "saga", root, editor: "vscode", problem: null }]);
  rmSync(root, { recursive: true });
  assert.match(textOf((await sources.list())[0]?.problem ?? ""), /no folder/);
  assert.deepEqual(await sources.findSources("saga", [{ file: "/a.cs", function: null, line: 1, column: 1 }]), [null]);
  await sources.forget("saga");
  assert.deepEqual(await (await restarted()).list(), []);
  await assert.rejects(sources.forget("saga"), { code: "not_found" });
});

const target = { path: "/src/My Game/a#b.gd", within: ["a#b.gd"], line: 12, column: 3, project: "My Game" };

for (const [editor, link] of [
  ["vscode", "vscode://file/src/My%20Game/a%23b.gd:12:3"],
  ["vscodium", "vscodium://file/src/My%20Game/a%23b.gd:12:3"],
  ["cursor", "cursor://file/src/My%20Game/a%23b.gd:12:3"],
  ["rider", "jetbrains://rider/navigate/reference?project=My%20Game&path=a%23b.gd:11:2"],
  ["godot", null],
  ["gamemaker", null],
  ["other", null],
] as const satisfies readonly (readonly [Editor, string | null])[]) {
  test(`${editor}: ${link ?? "has no links"}`, () => assert.equal(editorLink(editor, target), link));
}

test("a drive letter keeps its colon, and a missing line or column is not invented", () => {
  const path = "C:\\src\\a.cs";
  assert.equal(editorLink("vscode", { ...target, path, column: null }), "vscode://file/C:/src/a.cs:12");
  assert.equal(editorLink("vscode", { ...target, path, line: null }), "vscode://file/C:/src/a.cs");
  assert.equal(editorLink("vscode", { ...target, path, line: 0 }), "vscode://file/C:/src/a.cs");
});

test("a path cannot choose the scheme of a link or add to its query", () => {
  for (const editor of editors) {
    const hostile = "javascript:alert(1)&project=x?y#z\n";
    const link = editorLink(editor, { ...target, path: `/src/${hostile}`, within: [hostile], project: hostile });
    if (link === null) continue;
    assert.match(link, /^(vscode|vscodium|cursor):\/\/file\/|^jetbrains:\/\/rider\/navigate\/reference\?project=/);
    assert.doesNotMatch(link, /javascript:|\n|#/);
    assert.ok((link.match(/[?&]/g) ?? []).length <= 2);
  }
});
