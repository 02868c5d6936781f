// Tests that SQL is in the files that hold nothing else, where everything that touches a table is found.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";

test("SQL is written only in storage/ and in a slice's stores", () => {
  const sources = join(import.meta.dirname, "../src");
  const others = globSync("**/*.ts", { cwd: sources }).filter(
    (path) => !/^storage[\\/]|-store\.ts$|\.test\.ts$|[\\/]test[\\/]/.test(path),
  );
  const withSql = others.filter((path) => /\bsql(?:\.\w+)*`/.test(readFileSync(join(sources, path), "utf8")));
  assert.deepEqual(withSql, []);
  assert.ok(others.length > 0);
});
