// Tests that every library in a bundle is distributed with its licence.
import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type OutputAsset, rolldown } from "rolldown";
import { afterAll, test } from "vitest";
import { repositoryRoot } from "../repository.ts";
import { gatherLicences, licencesFile } from "./licences.ts";
import { writeTree } from "./test/fixture-tree.ts";

const roots: string[] = [];
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true });
});

/** Bundles one module that imports `library`, which has these files besides its code, and returns the text of the licences. */
async function licencesOf(
  manifest: object,
  files: Record<string, string> = {},
  code = `import "library";`,
): Promise<string> {
  const inLibrary = Object.entries({
    "package.json": JSON.stringify({ name: "library", version: "1.2.3", main: "index.js", ...manifest }),
    "index.js": "console.log(1);",
    ...files,
  }).map(([name, text]) => [`node_modules/library/${name}`, text]);
  const root = writeTree({ LICENSE: "Kit's own words", "main.js": code, ...Object.fromEntries(inLibrary) });
  roots.push(root);
  const bundle = await rolldown({ input: join(root, "main.js"), cwd: root, plugins: [gatherLicences(root, "It")] });
  try {
    const { output } = await bundle.generate();
    return String((output.find(({ fileName }) => fileName === licencesFile) as OutputAsset).source);
  } finally {
    await bundle.close();
  }
}

test("after Kit's licence come each library's name, version, licence and all its licence texts", async () => {
  const text = await licencesOf({ license: "Apache-2.0" }, { "LICENSE.md": "Its licence", NOTICE: "Its notice" });
  assert.match(text, /^Kit\n\nKit's own words\n[\s\S]*library 1\.2\.3 \(Apache-2\.0\)\n\nIts licence\n\nIts notice\n$/);
});

test("an installed library that is not bundled is not listed", async () => {
  assert.doesNotMatch(await licencesOf({ license: "MIT" }, {}, "console.log(2);"), /library 1/);
});

test("a library under MIT without a licence text gets the standard text with its author's name", async () => {
  const text = await licencesOf({ license: "MIT", author: { name: "A. Uthor" } });
  assert.match(text, /Copyright \(c\) A\. Uthor\n\nPermission is hereby granted/);
});

for (const [what, manifest] of Object.entries({
  "under MIT without a text or an author": { license: "MIT" },
  "under another licence without a text": { license: "BSD-3-Clause", author: "A. Uthor" },
  "without a licence": {},
})) {
  test(`a library ${what} is an error with its name`, async () => {
    await assert.rejects(licencesOf(manifest), /library 1\.2\.3.* brings no licence text/);
  });
}

test("the built bundles have a licence for each library of the launcher and the dashboard", () => {
  const built = (name: string) => readFileSync(join(repositoryRoot, "dist", name, licencesFile), "utf8");
  for (const library of ["fastify", "undici", "zod"])
    assert.match(built("launcher"), new RegExp(`^${library} \\d`, "m"));
  for (const library of ["react", "@radix-ui/themes"])
    assert.match(built("dashboard"), new RegExp(`^${library} \\d`, "m"));
});
