// Vague names are seen in every way of writing them; names that the interface gives are let through.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { writeTree } from "./check/fixture-tree.ts";
import { vagueNamesBelow } from "./check-names.ts";

function vagueIn(...paths: string[]): string[] {
  const root = writeTree(Object.fromEntries(paths.map((path) => [path, ""])));
  try {
    return vagueNamesBelow(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

test("a vague word is found in files and folders however it is joined to others", () => {
  for (const name of ["utils.ts", "file-helper.ts", "ClipManager.cs", "kit_common.gd", "Misc.md", "post.service.ts"]) {
    assert.equal(vagueIn(name).length, 1, name);
  }
  assert.match(vagueIn("services/clip.ts")[0] ?? "", /^services\/: "services" says nothing/);
});

test("a word that only contains a vague one is no finding", () => {
  assert.deepEqual(vagueIn("commonplace.ts", "helpful/serviceable.ts"), []);
});

test("the classes that the interface names keep their names", () => {
  assert.deepEqual(vagueIn("RecordingService.cs", "RecordingService.cs.meta", "social_service.gd"), []);
});
