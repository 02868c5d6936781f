// Tests of the files that commands write where the user says: always new ones.
import assert from "node:assert/strict";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { cannot } from "../../../tools/engines/cannot.ts";
import { writeNewFile } from "../../src/cli/new-file.ts";
import { kitOn } from "../support/kit-command.ts";
import { launcherOfFile } from "../support/own-launcher.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const launcher = await launcherOfFile();
const { run, succeeds } = kitOn(launcher);

function emptyFolder(): string {
  const folder = temporaryFolder("new-files");
  mkdirSync(folder, { recursive: true });
  return folder;
}

test.skipIf(cannot.makeLinks)("kit api --out follows no link that waits at its names", async () => {
  const folder = emptyFolder();
  const victim = join(folder, "victim");
  const out = join(folder, "all.zip");
  writeFileSync(victim, "mine");
  symlinkSync(victim, `${out}.part`);
  await succeeds("api", "exportEverything", "--out", out);
  assert.equal(readFileSync(victim, "utf8"), "mine");
  assert.ok(lstatSync(out).isFile());
  const dangling = join(folder, "dangling.zip");
  symlinkSync(join(folder, "nothing"), dangling);
  const refused = await run("api", "exportEverything", "--out", dangling);
  assert.match(refused.stderr, /dangling\.zip already exists\. Move it, or use another --out\.$/m);
  assert.equal(existsSync(join(folder, "nothing")), false);
});

test("kit api --out leaves a file that exists as it is, and leaves nothing behind", async () => {
  const folder = emptyFolder();
  const out = join(folder, "all.zip");
  writeFileSync(out, "mine");
  const { code, stderr } = await run("api", "exportEverything", "--out", out);
  assert.equal(code, 1);
  assert.equal(stderr.trim(), `${out} already exists. Move it, or use another --out.`);
  assert.deepEqual([readdirSync(folder), readFileSync(out, "utf8")], [["all.zip"], "mine"]);
});

test("a file that appears meanwhile is kept, and a source that fails leaves no file", async () => {
  const folder = emptyFolder();
  const path = join(folder, "late.txt");
  async function* late() {
    yield Buffer.from("ours");
    writeFileSync(path, "theirs");
  }
  await assert.rejects(writeNewFile(path, late, { advice: "wait" }), /late\.txt already exists\. Move it, or wait\./);
  assert.equal(readFileSync(path, "utf8"), "theirs");
  async function* broken() {
    yield Buffer.from("half");
    throw new Error("the source broke");
  }
  await assert.rejects(writeNewFile(join(folder, "broken.txt"), broken, { advice: "wait" }), /the source broke/);
  assert.deepEqual(readdirSync(folder), ["late.txt"]);
});
