// Tests of sources: the file of a frame is found in the folder set for its game, and nowhere else.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { type Editor, textOf } from "@kit/contract";
import { openStorageFolder, type StorageFolder } from "../../../test/support/storage-folder.ts";
import { sql } from "../../storage/sql.ts";
import { createSourceFolders } from "./sources.ts";

let folder: StorageFolder;
let home: string;
before(async () => {
  folder = await openStorageFolder();
  home = mkdtempSync(join(tmpdir(), "kit-source-"));
});
after(async () => {
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
    return found?.path.slice(root.length + 1) ?? null;
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
  assert.equal(await find("res://same.gd"), "same.gd");
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
