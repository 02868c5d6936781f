// Tests of the check of workflows: a valid one is accepted, and a misspelt member and an unknown value are reported.
import assert from "node:assert/strict";
import { test } from "vitest";
import { findingsIn } from "./check-workflows.ts";

const workflow = (job: string) =>
  `on: push\njobs:\n  build:\n    runs-on: ubuntu-latest\n    ${job}\n    steps:\n      - run: echo \${{ github.ref }}\n`;

test("a workflow that GitHub accepts has no findings", async () => {
  assert.deepEqual(await findingsIn("valid.yml", workflow("timeout-minutes: 5")), []);
});

test("a misspelt member is reported with its line", async () => {
  assert.deepEqual(await findingsIn("member.yml", workflow("timeout: 5")), [
    "member.yml:5: Unexpected value 'timeout'",
  ]);
});

test("an unknown value in an expression is reported with its line", async () => {
  const found = await findingsIn("value.yml", workflow(`name: \${{ matrx.os }}`));
  assert.deepEqual(found, ["value.yml:5: Unrecognized named-value: 'matrx'"]);
});
