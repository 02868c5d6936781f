// Tests that a bundle is complete at any time, and that a failed build keeps the old one.
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { buildInto } from "./swap.ts";
import { writeTree } from "./test/fixture-tree.ts";

const write = (text: string) => async (folder: string) => {
  mkdirSync(folder);
  writeFileSync(join(folder, "main.js"), text);
};

test("a build replaces the one before it and leaves nothing else behind", async () => {
  const root = writeTree({});
  const target = join(root, "dist/launcher");
  await buildInto(target, write("first"));
  await buildInto(target, write("second"));
  assert.equal(readFileSync(join(target, "main.js"), "utf8"), "second");
  assert.deepEqual(readdirSync(join(root, "dist")), ["launcher"]);
  rmSync(root, { recursive: true });
});

test("a failed build leaves the one before it untouched", async () => {
  const root = writeTree({});
  const target = join(root, "dist/launcher");
  await buildInto(target, write("first"));
  const failing = async (folder: string) => {
    await write("half")(folder);
    throw new Error("no");
  };
  await assert.rejects(buildInto(target, failing), /no/);
  assert.equal(readFileSync(join(target, "main.js"), "utf8"), "first");
  assert.deepEqual(readdirSync(join(root, "dist")), ["launcher"]);
  rmSync(root, { recursive: true });
});
