// Tests of the check of documents: a path in a document is found in the tree, and a missing one is reported.
import assert from "node:assert/strict";
import { test } from "vitest";
import { missingIn } from "./check-documents.ts";

const paths = ["launcher/", "launcher/src/", "launcher/src/inbox/", "launcher/src/inbox/inbox.ts"];
const missing = (text: string) => missingIn("README.md", text, paths);

test("a file or folder is found by the end of its path", () => {
  assert.deepEqual(missing("`inbox/inbox.ts`, `inbox/` and `launcher/src/inbox/inbox.ts`"), []);
});

test("a missing path is reported once, from a code span and from a tree", () => {
  const tree = "```\ngone/gone.ts   what it did\n```";
  assert.deepEqual(missing(`\`old.ts\`, \`old.ts\`\n\n${tree}\n`), [
    "README.md: there is no gone/gone.ts",
    "README.md: there is no old.ts",
  ]);
});

test("commands, prose and names inside other words are not treated as paths", () => {
  assert.deepEqual(missing("gone.ts, `npm run x`, `https://a.b/c.ts`\n\n```sh\nnode gone.ts\n```"), []);
});
