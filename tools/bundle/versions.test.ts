// Tests that all released parts have the version and the repository of the root's package.json.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { repositoryRoot } from "../repository.ts";
import { versionOf } from "./sdk.ts";

const places: readonly { readonly path: string; readonly version: RegExp }[] = [
  { path: "contract/package.json", version: /"version": "([^"]+)"/ },
  { path: "launcher/package.json", version: /"version": "([^"]+)"/ },
  { path: "launcher/src/config.ts", version: /kitVersion = "([^"]+)"/ },
  { path: "dashboard/package.json", version: /"version": "([^"]+)"/ },
  { path: "bindings/godot/addons/kit_sdk/plugin.cfg", version: /^version="([^"]+)"$/m },
  { path: "bindings/unity/package.json", version: /"version": "([^"]+)"/ },
];

for (const { path, version } of places) {
  test(`${path} has the version of the root`, () => {
    const written = version.exec(readFileSync(join(repositoryRoot, path), "utf8"))?.[1];
    assert.equal(written, versionOf(repositoryRoot));
  });
}

test("every part that names the repository names that of the root", () => {
  const namedIn = (path: string) =>
    readFileSync(join(repositoryRoot, path), "utf8").match(/https:\/\/github\.com\/[\w-]+\/[\w-]+/g) ?? [];
  const [expected, ...others] = new Set(namedIn("package.json"));
  assert.deepEqual(others, []);
  for (const path of ["bindings/unity/package.json", ".github/ISSUE_TEMPLATE/config.yml"]) {
    assert.deepEqual([...new Set(namedIn(path))], [expected], path);
  }
});
