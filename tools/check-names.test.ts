// Tests of the check of names: vague names are found in every spelling, and names given by external interfaces are allowed.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "vitest";
import { writeTree } from "./check/fixture-tree.ts";
import { retiredWordsIn, vagueNamesBelow } from "./check-names.ts";

function vagueIn(...paths: string[]): string[] {
  const root = writeTree(Object.fromEntries(paths.map((path) => [path, ""])));
  try {
    return vagueNamesBelow(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

test("a vague word is found in files and folders, however it is joined to others", () => {
  for (const name of ["utils.ts", "file-helper.ts", "ClipManager.cs", "kit_common.gd", "Misc.md", "post.service.ts"]) {
    assert.equal(vagueIn(name).length, 1, name);
  }
  assert.match(vagueIn("services/clip.ts")[0] ?? "", /^services\/: "services" says nothing/);
});

test("a word that only contains a vague word is no finding", () => {
  assert.deepEqual(vagueIn("commonplace.ts", "helpful/serviceable.ts"), []);
});

test("class names given by the interface are allowed", () => {
  assert.deepEqual(vagueIn("RecordingService.cs", "RecordingService.cs.meta", "social_service.gd"), []);
});

test("a retired word is found in a path and in an exported name, but not in tests", () => {
  const text = "export const keptIn = 1; const told = 2; export type Looks = string; export function skeptic() {}";
  const found = retiredWordsIn([
    { path: "launcher/src/keeping/rows.ts", text },
    { path: "launcher/src/keeping/rows.test.ts", text },
  ]);
  assert.deepEqual(
    found.map((line) => line.replace(/ is retired.*/, "")),
    ["keeping in keeping", "kept in keptIn", "looks in Looks"].map(
      (words) => `launcher/src/keeping/rows.ts: "${words.replace(" in", '" in')}`,
    ),
  );
});
