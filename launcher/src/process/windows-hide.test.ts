// Tests that no program that the launcher starts opens a console window on Windows, unless somebody decided so.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";

const source = join(import.meta.dirname, "..");

test("every start of a program says whether Windows hides its window", () => {
  const files = globSync("**/*.ts", { cwd: source }).filter((path) => !/\.test\.ts$|[\\/]test[\\/]/.test(path));
  let starts = 0;
  for (const path of files) {
    const text = readFileSync(join(source, path), "utf8");
    if (!text.includes('"node:child_process"')) continue;
    const calls = text.match(/\b(?:spawn|spawnSync|fork|execFile|execFileSync|promisify\(execFile\))\(/g) ?? [];
    const decisions = text.match(/\bwindowsHide: \w+/g) ?? [];
    starts += calls.length;
    assert.equal(decisions.length, calls.length, `${path}: ${calls.length} starts, ${decisions.length} decisions`);
  }
  assert.ok(starts >= 9, `${starts} starts found`);
});
