// Tests that package.json repeats the Node flags that all other code reads from one place.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { nodeFlags } from "../../launcher/src/process/node-flags.ts";
import { repositoryRoot } from "../repository.ts";

test("npm start runs the launcher with the same Node flags as every other start", () => {
  const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8"));
  const [, started] = scripts.start.split("&& node ");
  assert.equal(started, [...nodeFlags, "dist/launcher/main.js", "start"].join(" "));
});
