// Runs under Wine, with Node.js for Windows, the launcher's unit tests of files, paths and processes: all in one process.
import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { pathOf, skipWithout } from "../../engines/locate.ts";
import { openWindows } from "../../engines/windows-computer.ts";
import { repositoryRoot } from "../../repository.ts";

/** What they say must be true on Windows too. A file with tests that only another system can run does not belong here. */
const files = [
  "renames",
  "process/windows-hide",
  "storage/windows-permissions",
  "storage/place",
  "storage/data-swap",
  "storage/backup",
  "secrets/secrets",
  "recording/capture/thread/timeouts",
  "recording/clips/file-names",
  "recording/ffmpeg/install-codes",
  "games/programs",
  "games/sources",
  "games/library/library",
  "games/library/program-icon",
  "games/process-lookup/native/lookup-client",
  "games/process-lookup/native/windows-tables",
  "cli/running-launcher",
  "cli/commands/run",
].map((name) => `launcher/src/${name}.test.ts`);

/** The names of Vitest that these files use, on Node's own runner: Vite's native parts for Windows are not installed here. */
const vitest = `
  import * as node from "node:test";
  const contextOf = (t) => ({ onTestFinished: (work) => t.after(work), skip: () => t.skip() });
  const ran = (work) => (t) => work(contextOf(t));
  export const test = (name, ...rest) => node.test(name, ...rest.slice(0, -1), ran(rest.at(-1)));
  export const { describe, before: beforeAll, after: afterAll, beforeEach, afterEach } = node;
  const apis = (names) => names.filter((name) => !name.startsWith("clear"));
  export const vi = {
    useFakeTimers({ toFake }) {
      node.mock.timers.reset();
      node.mock.timers.enable({ apis: apis(toFake), now: Date.now() });
    },
    useRealTimers: () => node.mock.timers.reset(),
    advanceTimersByTime: (ms) => node.mock.timers.tick(ms),
  };`;

/** Wine shows links as the folders they lead to, and Node.js reads no TypeScript in node_modules. Child processes need this too. */
const hook = `
  import { registerHooks } from "node:module";
  const own = (url) => url.replace("/node_modules/@kit/contract/", "/contract/");
  registerHooks({ resolve: (name, context, next) => {
    if (name === "vitest") return { url: "file:///C:/vitest.mjs", shortCircuit: true };
    const found = next(name, context);
    return { ...found, url: own(found.url) };
  } });`;

/** A suite for each file, so that its hooks are only for its own tests. */
const runner = `
  import { describe } from "node:test";
  for (const file of ${JSON.stringify(files)}) describe(file, () => import("file:///Z:${repositoryRoot}/" + file));`;

test("the unit tests of files, paths and processes pass on Windows", {
  skip: skipWithout("Wine", "Node.js for Windows"),
}, async (t) => {
  assert.deepEqual(
    files.filter((file) => !existsSync(join(repositoryRoot, file))),
    [],
  );
  const windows = openWindows();
  t.onTestFinished(() => windows.close());
  writeFileSync(join(windows.drive, "vitest.mjs"), vitest);
  writeFileSync(join(windows.drive, "hook.mjs"), hook);
  writeFileSync(join(windows.drive, "runner.mjs"), runner);
  const options = ["--disable-warning=ExperimentalWarning", "--test-reporter=tap"];
  const run = windows.start(pathOf("Node.js for Windows"), [...options, "C:\\runner.mjs"], {
    NODE_OPTIONS: "--import=file:///C:/hook.mjs",
    // Otherwise, the results are for this process, not for a person.
    NODE_TEST_CONTEXT: undefined,
  });
  const code = await run.ended;
  const output = run.output();
  const named = (result: RegExp) => [...output.matchAll(result)].map(([, name]) => name);
  const passed = named(/^ {4}ok \d+ - (.*)/gm);
  const failed = named(/^ +not ok \d+ - (.*)/gm);
  const skipped = passed.filter((name) => name?.includes("# SKIP"));
  console.log(`${passed.length} unit tests passed`);
  assert.deepEqual({ failed, skipped, code }, { failed: [], skipped: [], code: 0 }, output);
  assert.ok(passed.length > 100, output);
});
