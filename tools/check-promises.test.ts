// Tests of the check of promises: each promise needs a proof that exists.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, test } from "vitest";
import { unprovenIn } from "./check-promises.ts";

const root = mkdtempSync(join(tmpdir(), "kit-promises-"));
afterAll(() => rmSync(root, { recursive: true }));
mkdirSync(join(root, "inbox"));
writeFileSync(
  join(root, "inbox/kept.test.ts"),
  'test("it is \\"kept\\"", () => {});\ntest(\n  `${way} it is kept`,\n  () => {},\n);\n',
);

const pageWith = (...proofs: string[]) =>
  [
    "| promise | proof |",
    "|---|---|",
    `| Nothing is lost. | ${proofs.map((each) => `\`${each}\``).join(" · ")} |`,
  ].join("\n");

test("an existing proof is found, with a plain name or a template", () => {
  const proofs = ['inbox/kept.test.ts: "it is "kept""', 'inbox/kept.test.ts: "${way} it is kept"'];
  assert.deepEqual(unprovenIn(pageWith(...proofs), root), []);
});

test("a missing file, a missing test and a promise without a proof are reported", () => {
  const findings = unprovenIn(
    [
      pageWith('inbox/gone.test.ts: "it is kept"', 'inbox/kept.test.ts: "it is lost"'),
      "| Nobody proves this. | |",
    ].join("\n"),
    root,
  );
  assert.equal(findings.length, 3);
  assert.match(findings.join("\n"), /no inbox\/gone\.test\.ts\n.*no test "it is lost"\n.*Nobody proves this/);
});
