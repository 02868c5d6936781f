// Tests of the archive that the Asset Library makes of this folder: it contains the whole add-on and nothing else.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { openScratch } from "./game.ts";

const binding = join(import.meta.dirname, "..");
const addon = join(binding, "addons/kit_sdk");

test("an archive of the folder contains the add-on and nothing else", () => {
  using scratch = openScratch();
  const folder = join(scratch.folder, "godot");
  cpSync(binding, folder, { recursive: true });
  const git = (...words: string[]) => execFileSync("git", words, { cwd: folder, encoding: "utf8" });
  git("init", "--quiet");
  git("add", "--all");
  const files = execFileSync("tar", ["-t"], {
    input: execFileSync("git", ["archive", "--format=tar", git("write-tree").trim()], { cwd: folder }),
    encoding: "utf8",
  });
  const packed = files.split("\n").filter((path) => path !== "" && !path.endsWith("/"));
  assert.deepEqual(
    packed.sort(),
    readdirSync(addon)
      .map((name) => `addons/kit_sdk/${name}`)
      .sort(),
  );
});

test("each script is shipped with its id for the editor", () => {
  const files = readdirSync(addon);
  const scripts = files.filter((name) => name.endsWith(".gd"));
  assert.deepEqual(
    scripts.filter((name) => !files.includes(`${name}.uid`)),
    [],
  );
  const ids = scripts.map((name) => readFileSync(join(addon, `${name}.uid`), "utf8").trim());
  assert.equal(new Set(ids).size, scripts.length);
  for (const id of ids) assert.match(id, /^uid:\/\/[a-y0-8]+$/);
});

test("the package has a licence and the version of Kit", () => {
  assert.match(readFileSync(join(addon, "LICENSE"), "utf8"), /^MIT License/);
  const version = JSON.parse(readFileSync(join(binding, "../../package.json"), "utf8")).version;
  assert.match(readFileSync(join(addon, "plugin.cfg"), "utf8"), new RegExp(`^version="${version}"$`, "m"));
});
