// Tests that the table of networks is complete, and that each network's folder has the required files.
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { networks as described, networkDescriptions } from "@kit/contract";
import { test } from "vitest";
import { networks } from "./networks.ts";

const here = import.meta.dirname;

test("each folder with a network is in the table, and the contract describes it", () => {
  const folders = readdirSync(here, { withFileTypes: true }).filter((each) => each.isDirectory());
  const kinds = folders.map(({ name }) => name).filter((name) => name !== "test");
  assert.deepEqual(Object.keys(networks).toSorted(), kinds.toSorted());
  assert.deepEqual(Object.keys(networks), described);
  for (const kind of described) assert.equal(networks[kind].about, networkDescriptions[kind].about);
});

test("an export for a network may be as large as a video in a post to it", () => {
  for (const kind of described) {
    const { exportBytesMax } = networkDescriptions[kind];
    if (exportBytesMax !== undefined) assert.equal(exportBytesMax, networks[kind].limits.videoBytesMax, kind);
  }
});

test("each network has a test of wire faults and its own position in lists", () => {
  for (const kind of described) assert.ok(existsSync(join(here, kind, "wire-faults.test.ts")), kind);
  const positions = described.map((kind) => networks[kind].position);
  assert.equal(new Set(positions).size, positions.length);
});
