// Tests of the generated documents: they cover the whole contract, and outdated files are reported.
import assert from "node:assert/strict";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { bindings } from "../../bindings/bindings.ts";
import { repositoryRoot } from "../check/findings.ts";
import { writeTree } from "../check/fixture-tree.ts";
import { withBlock } from "./bindings.ts";
import { driftedFiles } from "./documents.ts";

test("a block of constants is replaced between its marks with their indentation, and nothing else changes", () => {
  const text = "a\n  // <kit-constants> generated\n  old\n  // </kit-constants>\nb\n";
  assert.equal(
    withBlock(text, ["var KIT = {", "};"]),
    "a\n  // <kit-constants> generated\n  var KIT = {\n  };\n  // </kit-constants>\nb\n",
  );
  assert.throws(() => withBlock("a\n", []), /no lines with <kit-constants>/);
});

test("a generated file that was edited or deleted is reported", () => {
  const root = writeTree({});
  const blocks = bindings.flatMap(({ constants }) => constants?.path ?? []);
  const documents = [
    "docs/kit.events.schema.json",
    "bindings/README.md",
    "conformance/results.json",
    "conformance/case.schema.json",
    "contract/src/messages/described.ja.json",
  ];
  for (const path of ["contract", "launcher/src", ...documents, ...blocks])
    cpSync(join(repositoryRoot, path), join(root, path), { recursive: true });
  const drifted = () => driftedFiles(root).map(({ path }) => path);
  const before = drifted();

  const page = join(root, "docs/kit.events.schema.json");
  writeFileSync(page, `${readFileSync(page, "utf8")}and more\n`);
  for (const path of blocks) {
    const block = join(root, path);
    writeFileSync(block, readFileSync(block, "utf8").replace("/api/social/trigger", "/api/social"));
  }
  const after = drifted();
  rmSync(root, { recursive: true });

  assert.deepEqual(before, []);
  assert.deepEqual(after, [...blocks, "docs/kit.events.schema.json"]);
});
