// Tests that a bundle is rebuilt if and only if one of its sources changed.
import assert from "node:assert/strict";
import { rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { isStale, markBuilt } from "./staleness.ts";
import { writeTree } from "./test/fixture-tree.ts";

/** A tree whose files are a minute old, and a stamp that is half a minute old. */
function builtTree() {
  const root = writeTree({ "src/a/b.ts": "", "src/a/b.test.ts": "", "lock.json": "" });
  const sources = [join(root, "src"), join(root, "lock.json"), join(root, "missing")];
  const age = (path: string, seconds: number) => {
    const at = Date.now() / 1000 - seconds;
    utimesSync(join(root, path), at, at);
  };
  for (const path of ["src/a/b.ts", "src/a/b.test.ts", "src/a", "src", "lock.json"]) age(path, 60);
  const stamp = join(root, "stamp");
  markBuilt(stamp, Date.now() - 30_000);
  return { root, stamp, age, stale: () => isStale(stamp, sources), end: () => rmSync(root, { recursive: true }) };
}

test("a bundle newer than its sources is not stale", () => {
  const tree = builtTree();
  assert.equal(tree.stale(), false);
  tree.end();
});

test("a bundle without a stamp is stale", () => {
  const tree = builtTree();
  rmSync(tree.stamp);
  assert.equal(tree.stale(), true);
  tree.end();
});

test("a changed file in a subfolder makes the bundle stale", () => {
  const tree = builtTree();
  tree.age("src/a/b.ts", 10);
  assert.equal(tree.stale(), true);
  tree.end();
});

test("a file that changed during the build makes the bundle stale", () => {
  const tree = builtTree();
  tree.age("lock.json", 29);
  assert.equal(tree.stale(), true);
  tree.end();
});

test("a removed file makes the bundle stale", () => {
  const tree = builtTree();
  rmSync(join(tree.root, "src/a/b.ts"));
  assert.equal(tree.stale(), true);
  tree.end();
});

test("a changed test does not make the bundle stale", () => {
  const tree = builtTree();
  writeFileSync(join(tree.root, "src/a/b.test.ts"), "changed");
  assert.equal(tree.stale(), false);
  tree.end();
});
