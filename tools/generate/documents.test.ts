// Tests of the generated documents: they cover the whole contract, and outdated files are reported.
import assert from "node:assert/strict";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { operations, problemsByCode } from "@kit/contract";
import { test } from "vitest";
import { bindings } from "../../bindings/bindings.ts";
import { repositoryRoot } from "../check/findings.ts";
import { writeTree } from "../check/fixture-tree.ts";
import { withBlock } from "./bindings.ts";
import { driftedFiles } from "./documents.ts";
import { readLimits, withUnit } from "./limits.ts";
import { openapiText } from "./openapi.ts";
import { protocolText } from "./protocol.ts";

type OpenApi = {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, { description: string }> }>>;
};

test("OpenAPI has every operation with every problem it may answer", () => {
  const { paths } = JSON.parse(openapiText("1.2.3")) as OpenApi;
  for (const operation of operations) {
    const written = paths[operation.path]?.[operation.method.toLowerCase()];
    assert.equal(written?.operationId, operation.id);
    for (const code of operation.errors) {
      assert.match(written?.responses[problemsByCode[code].status]?.description ?? "", new RegExp(`\`${code}\``));
    }
  }
});

test("the protocol has every operation, problem and limit", () => {
  const page = protocolText(repositoryRoot);
  for (const { method, path, says } of operations) {
    assert.ok(page.includes(`### ${method} ${path}\n\n${says}`), path);
  }
  for (const [code, { status, title }] of Object.entries(problemsByCode)) {
    assert.ok(page.includes(`| ${status} | \`${code}\` | ${title} |`), code);
  }
  for (const limit of readLimits(repositoryRoot)) {
    assert.ok(page.includes(`| \`${limit.name}\` | ${withUnit(limit)} | ${limit.says} |`), limit.name);
  }
});

test("every link inside the protocol leads to a heading", () => {
  const page = protocolText(repositoryRoot);
  const anchor = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, "")
      .replaceAll(" ", "-");
  const anchors = new Set([...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchor(heading)));
  for (const [link, target = ""] of page.matchAll(/\]\(#([^)]*)\)/g)) assert.ok(anchors.has(target), link);
});

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
    "docs/protocol.md",
    "docs/limits.md",
    "docs/kit.events.schema.json",
    "bindings/README.md",
    "contract/src/messages/described.ja.json",
  ];
  for (const path of [
    "contract",
    "launcher/src",
    "tools/generate/protocol-frame.md",
    "tools/generate/limits-frame.md",
    ...documents,
    ...blocks,
  ])
    cpSync(join(repositoryRoot, path), join(root, path), { recursive: true });
  const drifted = () => driftedFiles(root).map(({ path }) => path);
  const before = drifted();

  const page = join(root, "docs/protocol.md");
  writeFileSync(page, `${readFileSync(page, "utf8")}and more\n`);
  rmSync(join(root, "contract/openapi.json"));
  for (const path of blocks) {
    const block = join(root, path);
    writeFileSync(block, readFileSync(block, "utf8").replace("/api/social/trigger", "/api/social"));
  }
  const after = drifted();
  rmSync(root, { recursive: true });

  assert.deepEqual(before, []);
  assert.deepEqual(after, ["contract/openapi.json", "docs/protocol.md", ...blocks]);
});
