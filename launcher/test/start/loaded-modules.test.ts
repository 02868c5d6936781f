// Tests which modules the built launcher has loaded while games send: unused modules cost the player memory.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { getHealth, reportError } from "@kit/contract";
import { type TestContext, test } from "vitest";
import { freePort } from "../../../tools/engines/free-port.ts";
import { ask, launcherCommand, startServer } from "../support/launcher-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const parts = join(import.meta.dirname, "../../../dist/launcher/parts");

type Coverage = { readonly result: readonly { readonly url: string }[] };

/** The names of the bundle's files that ran before the launcher ended. */
async function loadedBy(t: TestContext, work: (port: number) => Promise<void>): Promise<Set<string>> {
  const folder = temporaryFolder("loaded", t);
  const coverage = join(folder, "coverage");
  const port = await freePort();
  const body = () => JSON.stringify({ message: "m", stackTrace: "s", timestamp: new Date().toISOString() });
  const isReady = async () => (await ask(port, { path: reportError.path, body: body() })).status === reportError.status;
  const command = launcherCommand(port, join(folder, "data"));
  const launcher = await startServer({ command, port, isReady, env: { NODE_V8_COVERAGE: coverage } });
  await work(port);
  await launcher.end("SIGTERM");
  const files = readdirSync(coverage).map((name) => readFileSync(join(coverage, name), "utf8"));
  return new Set(files.flatMap((text) => (JSON.parse(text) as Coverage).result.map(({ url }) => basename(url))));
}

/** A text in each library that the launcher needs only later. The bundler decides which file it is in. */
const lateLibraries = { fastify: "FST_ERR_DUPLICATED_ROUTE", mp4box: "MultiBufferStream" };

test("while only a game sends, the launcher loads neither its HTTP library nor its MP4 library", async (t) => {
  const loaded = await loadedBy(t, async () => undefined);
  assert.ok(loaded.has("main.js") && loaded.has("writer.js"), "the loaded files are unknown");
  const bundled = readdirSync(parts).map((name) => ({ name, code: readFileSync(join(parts, name), "utf8") }));
  for (const [library, mark] of Object.entries(lateLibraries)) {
    const names = bundled.filter(({ code }) => code.includes(mark)).map(({ name }) => name);
    assert.ok(names.length > 0, `no file has ${library}`);
    assert.deepEqual(
      names.filter((name) => loaded.has(name)),
      [],
      `${library} was loaded`,
    );
  }
});

test("the first request that is not ingest is answered, and loads the HTTP library", async (t) => {
  const loaded = await loadedBy(t, async (port) => {
    const answers = await Promise.all([1, 2, 3].map(() => ask(port, { method: "GET", path: getHealth.path })));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
  });
  assert.ok(loaded.has("operations.js"));
});
