// Tests that the bundle preserves what bundlers tend to break: import.meta.url, threads, and files read at run time.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, test } from "vitest";
import { bundleLauncher } from "./launcher.ts";
import { writeTree } from "./test/fixture-tree.ts";

const root = writeTree({
  "package.json": `{ "type": "module" }`,
  LICENSE: "Kit's own",
  "launcher/src/main.ts": `await (await import("./cli/start.ts")).start();`,
  "launcher/src/cli/start.ts": `
    import { migrations, threadSays } from "../storage/storage.ts";
    import { readdirSync } from "node:fs";
    import classic from "../../classic.cjs";
    export async function start(): Promise<void> {
      const said = { here: import.meta.url, migrations: readdirSync(migrations), thread: await threadSays("writer") };
      console.log(JSON.stringify({ ...said, classic }));
    }`,
  "launcher/classic.cjs": `module.exports = require("node:path").sep;`,
  "launcher/src/storage/storage.ts": `
    import { once } from "node:events";
    import { Worker } from "node:worker_threads";
    const extension = import.meta.url.endsWith(".ts") ? ".ts" : ".js";
    export const migrations = new URL("./migrations/", import.meta.url);
    export const threadSays = async (name: string) =>
      (await once(new Worker(new URL("./threads/" + name + extension, import.meta.url)), "message"))[0];`,
  "launcher/src/storage/threads/writer.ts": `
    import { parentPort } from "node:worker_threads";
    import { migrations } from "../storage.ts";
    parentPort?.postMessage([import.meta.url, migrations.href]);
    parentPort?.close();`,
  "launcher/src/storage/migrations/0001-events.sql": "SELECT 1;",
});
const target = join(root, "dist/launcher");
afterAll(() => rmSync(root, { recursive: true }));

const urlOf = (path: string) => pathToFileURL(join(target, path)).href;

test("a bundled launcher runs from another folder and finds its thread, its files and its own addresses", async () => {
  await bundleLauncher(root, target);
  const output = execFileSync(process.execPath, [join(target, "main.js")], { cwd: "/", encoding: "utf8" });
  assert.deepEqual(JSON.parse(output), {
    here: urlOf("cli/start.js"),
    migrations: ["0001-events.sql"],
    thread: [urlOf("storage/threads/writer.js"), urlOf("storage/migrations/")],
    classic: join("/"),
  });
  assert.ok(existsSync(join(target, "storage/threads/writer.js")));
});
