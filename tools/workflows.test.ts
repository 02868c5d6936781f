// Tests that GitHub accepts the workflows: it knows their members, their types, and the values in their expressions.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { test } from "vitest";
import { TextDocument } from "vscode-languageserver-textdocument";
import { repositoryRoot } from "./repository.ts";

// The package is made for bundlers, so it imports JSON without saying that it is JSON.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context),
});
const { validate } = await import("@actions/languageservice");

/** A line for each finding. The package parses each path once. */
async function findingsIn(path: string, text: string): Promise<string[]> {
  const found = await validate(TextDocument.create(`file:///${path}`, "yaml", 1, text));
  return found.map(({ range, message }) => `${path}:${range.start.line + 1}: ${message}`);
}

test("GitHub accepts every workflow", async () => {
  const paths = globSync(".github/workflows/*.yml", { cwd: repositoryRoot });
  const found = paths.map((path) => findingsIn(path, readFileSync(join(repositoryRoot, path), "utf8")));
  assert.deepEqual((await Promise.all(found)).flat(), []);
  assert.ok(paths.length > 0);
});

test("a misspelt member of a workflow is found", async () => {
  const text = "on: push\njobs:\n  build:\n    runs-on: ubuntu-latest\n    timeout: 5\n    steps:\n      - run: echo\n";
  assert.deepEqual(await findingsIn("misspelt.yml", text), ["misspelt.yml:5: Unexpected value 'timeout'"]);
});
