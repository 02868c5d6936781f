// Tests what the compiler cannot compare: a network's description in the contract and its folder.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { networks as kinds, networkDescriptions } from "@kit/contract";
import { test } from "vitest";
import { networks } from "./networks.ts";

test("an export for a network may be as large as a video in a post to it", () => {
  for (const kind of kinds) {
    const { exportBytesMax } = networkDescriptions[kind];
    if (exportBytesMax !== undefined) assert.equal(exportBytesMax, networks[kind].limits.videoBytesMax, kind);
  }
});

test("each network has a test of wire faults", () => {
  for (const kind of kinds) assert.ok(existsSync(join(import.meta.dirname, kind, "wire-faults.test.ts")), kind);
});
