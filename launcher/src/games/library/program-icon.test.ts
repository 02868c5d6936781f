// Tests of program icons: Kit finds them where the engines' exports have them.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { GameCommand } from "@kit/contract";
import { afterAll, test } from "vitest";
import { createIconFinder, readIcon } from "./program-icon.ts";

const root = mkdtempSync(join(tmpdir(), "kit-icons-"));
afterAll(() => rmSync(root, { recursive: true }));

const png = (content: string) =>
  Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.from(content)]);

/** Makes a folder with these files. */
function folderOf(files: Readonly<Record<string, Buffer | string>>): string {
  const folder = mkdtempSync(join(root, "game-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

type Shown = Partial<Omit<GameCommand, "folder">> & { folder?: string };
const find = ({ program = "/usr/bin/no-such-engine", arguments: words = [], folder = root }: Shown) =>
  createIconFinder(Date.now)({ program, arguments: words, folder });
const shown = async (command: Shown) => {
  const found = await find(command);
  return found && (await readIcon(found))?.subarray(8).toString();
};

test("a picture with the program's name, with or without its extension, is its icon", async () => {
  const folder = folderOf({ "saga.png": png("saga"), "icon.png": png("any") });
  assert.equal(await shown({ program: join(folder, "saga.x86_64") }), "saga");
  const found = await find({ program: join(folder, "saga") });
  assert.deepEqual([found?.type, found?.version.length], ["image/png", 22]);
});

test("Kit finds the icon of a Unity player, of a GameMaker runner and of an NW.js game", async () => {
  const unity = folderOf({ "quest_Data/Resources/UnityPlayer.png": png("unity") });
  assert.equal(await shown({ program: join(unity, "quest.x86_64") }), "unity");
  const gameMaker = folderOf({ "assets/icon.png": png("runner") });
  assert.equal(await shown({ program: join(gameMaker, "runner") }), "runner");
  const nw = folderOf({ "package.json": '{"window":{"icon":"icon/own.png"}}', "icon/own.png": png("nw") });
  assert.equal(await shown({ program: join(nw, "nw") }), "nw");
});

test("for an engine that runs a project, the icon is the project's, wherever the command line names the project", async () => {
  const folder = folderOf({ "icon.png": png("project"), "main.dll": "" });
  assert.equal(await shown({ arguments: ["--path", folder] }), "project");
  assert.equal(await shown({ arguments: [join(folder, "main.dll")] }), "project");
  assert.equal(await shown({ folder }), "project");
});

test("a file that is not a picture, too large, a folder, or outside the game is not an icon", async () => {
  const cases = [
    folderOf({ "icon.png": "<svg onload=alert(1)>" }),
    folderOf({ "icon.png": Buffer.concat([png(""), Buffer.alloc(1_000_000)]) }),
    folderOf({ "icon.png/icon.png": png("deeper") }),
    folderOf({ "package.json": "{", "icon/icon.png": png("unnamed") }),
    folderOf({ "package.json": '{"window":{"icon":["icon/icon.png"]}}', "icon/icon.png": png("a list") }),
  ];
  const beside = folderOf({ "own.png": png("a person's") });
  const outside = `{"window":{"icon":"../${beside.split("/").at(-1)}/own.png"}}`;
  for (const folder of [...cases, folderOf({ "package.json": outside })])
    assert.equal(await shown({ folder }), undefined);
});

test("an icon is read again after a minute at the earliest", async () => {
  const folder = folderOf({ "icon.png": png("old") });
  let nowMs = 0;
  const iconOf = createIconFinder(() => nowMs);
  const command: GameCommand = { program: join(folder, "saga"), arguments: [], folder };
  const before = await iconOf(command);
  writeFileSync(join(folder, "icon.png"), png("new"));
  nowMs = 59_999;
  assert.equal((await iconOf(command))?.version, before?.version);
  nowMs = 60_000;
  assert.notEqual((await iconOf(command))?.version, before?.version);
});
