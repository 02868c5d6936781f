// Tests of the check of layers: each rule is violated once, to prove that the check finds it.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "vitest";
import { type FixtureTree, writeTree } from "./check/fixture-tree.ts";
import { brokenLayersIn } from "./check-layers.ts";

const readme = { "launcher/src/monitor/README.md": "", "launcher/src/social/README.md": "" };

function brokenIn(files: FixtureTree): string[] {
  const root = writeTree({ ...readme, ...files });
  try {
    return brokenLayersIn(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

function assertBroken(files: FixtureTree, ...expected: RegExp[]): void {
  const broken = brokenIn(files);
  assert.equal(broken.length, expected.length, broken.join("\n"));
  for (const [index, pattern] of expected.entries()) assert.match(broken[index] ?? "", pattern);
}

test("a tree that follows all rules has no finding", () => {
  assertBroken({
    "contract/src/index.ts": `import { Type } from "typebox"; export const a = Type;`,
    "launcher/src/main.ts": `await import("./cli/start.ts");`,
    "launcher/src/cli/start.ts": `import "../launcher.ts"; console.log(1);`,
    "launcher/src/launcher.ts": `import "./monitor/monitor.ts"; import "./social/social.ts"; import "./config.ts";`,
    "launcher/src/config.ts": "export const port = process.env.KIT_PORT;",
    "launcher/src/monitor/monitor.ts": `import "@kit/contract"; import "../storage/storage.ts";`,
    "launcher/src/monitor/issue-store.ts": "export const all = sql`SELECT 1`;",
    "launcher/src/social/social.ts": "export const a = 1;",
    "launcher/src/storage/storage.ts": `import "node:sqlite"; import "../log.ts";`,
    "launcher/src/log.ts": "export const out = process.stdout;",
    "dashboard/src/main.tsx": `import { useState } from "react"; import "@kit/contract"; import "./page.css";`,
  });
});

test("a slice that imports another slice is reported with the import", () => {
  assertBroken(
    { "launcher/src/monitor/a.ts": `import "../social/b.ts";`, "launcher/src/social/b.ts": "export {};" },
    /^launcher\/src\/monitor\/a\.ts: imports "\.\.\/social\/b\.ts": monitor may not import social/,
  );
});

test("an import is found in every form of the syntax", () => {
  const forms = [
    `import type { A } from "X"`,
    `export * from "X"`,
    `import("X")`,
    `type A = import("X").A`,
    `require("X")`,
  ];
  for (const form of forms) {
    assertBroken({ "launcher/src/http/a.ts": form.replace("X", "../monitor/b.ts") }, /http may not import monitor/);
  }
});

test("the wiring may import only the index of a slice", () => {
  assertBroken(
    { "launcher/src/wiring/a.ts": `import "../games/games.ts";` },
    /of games only its index\.ts may be imported/,
  );
});

test("storage may not import a slice", () => {
  assertBroken({ "launcher/src/storage/a.ts": `import "../social/b.ts";` }, /storage may not import social/);
});

test("a slice may not import the launcher's root or its settings", () => {
  assertBroken(
    { "launcher/src/monitor/a.ts": `import "../launcher.ts"; import "../config.ts";` },
    /monitor may not import launcher\.ts/,
    /monitor may not import config/,
  );
});

test("main may import only the command line and launcher.ts", () => {
  assertBroken({ "launcher/src/main.ts": `import "./storage/storage.ts";` }, /main may not import storage/);
});

test("the command line may not import a slice", () => {
  assertBroken({ "launcher/src/cli/a.ts": `import "../monitor/b.ts";` }, /cli may not import monitor/);
});

test("the contract may import no module of Node and no package except typebox", () => {
  assertBroken(
    { "contract/src/a.ts": `import "node:fs"; import "fs"; import "fastify"; import "../../launcher/src/log.ts";` },
    /contract runs without node: no node:fs/,
    /contract runs without node: no fs/,
    /contract may import typebox, not fastify/,
    /contract may not import log/,
  );
});

test("the dashboard may import only the contract", () => {
  assertBroken({ "dashboard/src/a.tsx": `import "../../launcher/src/log.ts";` }, /dashboard may not import log/);
  assertBroken({ "dashboard/src/a.tsx": `import "@kit/launcher";` }, /dashboard may not import main/);
});

test("a binding may import nothing, and its test may start an engine", () => {
  assertBroken(
    {
      "bindings/rpgmaker/KitSDK.js": `require("node:http"); require("../../contract/src/index.ts");`,
      "bindings/rpgmaker/KitSDK.test.ts": `import "node:fs"; import "../../tools/engines/pinned-npm.ts"; import "./KitSDK.js";`,
    },
    /bindings runs without node/,
    /bindings may not import contract/,
  );
});

test("a binding's test may not import the launcher", () => {
  assertBroken(
    { "bindings/godot/test/a.test.ts": `import "../../../launcher/src/log.ts";` },
    /the bindings' proof may not import log/,
  );
});

test("tools and benchmarks may import the contract, but not the launcher", () => {
  assertBroken(
    { "tools/a.ts": `import "../launcher/src/log.ts";`, "bench/a.ts": `import "../launcher/src/log.ts";` },
    /bench may not import log/,
    /tools may not import log/,
  );
});

test("a test may import everything", () => {
  assertBroken({
    "launcher/src/monitor/a.test.ts": `import "../launcher.ts"; console.log(process.env.HOME); sql\`SELECT 1\`;`,
  });
});

test("only config.ts may read the environment", () => {
  assertBroken({ "launcher/src/http/a.ts": "process.env.PORT;" }, /only config\.ts reads process\.env/);
});

test("only log.ts and the command line may write to the terminal", () => {
  assertBroken({ "launcher/src/http/a.ts": "console.log(1);" }, /only log\.ts and cli\/ write/);
  assertBroken({ "launcher/src/http/a.ts": "process.stdout.write('');" }, /only log\.ts and cli\/ write/);
});

test("a check whether there is a terminal is no write to it", () => {
  assertBroken({ "launcher/src/config.ts": "export const colour = process.stdout.isTTY;" });
});

test("SQL may be written only in stores", () => {
  assertBroken({ "launcher/src/monitor/monitor.ts": "sql`SELECT 1`;" }, /SQL is written only in <noun>-store\.ts/);
  assertBroken({ "launcher/src/monitor/monitor.ts": "sql.all`SELECT 1`;" }, /SQL is written only/);
});

test("a slice without a README is reported", () => {
  assertBroken({ "launcher/src/inbox/inbox.ts": "export {};" }, /^launcher\/src\/inbox\/: a slice has a README\.md/);
});

test("a folder that is not in the table is reported", () => {
  assertBroken(
    { "launcher/src/helpers/a.ts": "export {};" },
    /launcher\/src\/helpers\/a\.ts: this folder is in no row/,
  );
});

test("a circle of imports is reported with its path", () => {
  assertBroken(
    {
      "tools/a.ts": `import "./b.ts";`,
      "tools/b.ts": `import type { C } from "./c.ts";`,
      "tools/c.ts": `export * from "./a.ts";`,
    },
    /circle: tools\/a\.ts → tools\/b\.ts → tools\/c\.ts → tools\/a\.ts/,
  );
});
