// Tests of the storage threads: an opening uses prestarted ones, which keep nothing alive, and they load little code.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { test } from "vitest";
import { makeDataDir, migrations, removeDataDir } from "../../../test/support/storage-folder.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { patienceMs } from "../../../test/support/until.ts";
import { sql } from "../sql.ts";
import { openStorage } from "../storage.ts";
import { prestartStorageThreads, startStorageThread } from "./thread.ts";

test("prestarted threads touch no file, and the next opening uses them", async (t) => {
  const dir = makeDataDir();
  t.onTestFinished(() => removeDataDir(dir));
  const options = { path: dir.path, migrations };
  const before = readdirSync(dir.path);
  prestartStorageThreads(options);
  for (const name of ["writer", "reader"] as const) {
    const thread = startStorageThread(name, options);
    thread.postMessage({ type: "close" });
    await once(thread, "exit");
  }
  assert.deepEqual(readdirSync(dir.path), before);

  prestartStorageThreads(options);
  const storage = await openStorage(dir, migrations, () => undefined);
  await storage.write(sql`CREATE TABLE thing (name TEXT)`, sql`INSERT INTO thing VALUES ('one')`);
  assert.deepEqual(await storage.read(sql`SELECT name FROM thing`), [{ name: "one" }]);
  await storage.close();
});

test("prestarted threads do not keep a failed start alive", async () => {
  const thread = JSON.stringify(join(import.meta.dirname, "thread.ts"));
  const script = `
    const { prestartStorageThreads } = await import(${thread});
    prestartStorageThreads({ path: "/nowhere", migrations: "/nowhere" });`;
  const { stderr } = await promisify(execFile)(process.execPath, ["-e", script], {
    timeout: patienceMs,
  });
  assert.doesNotMatch(stderr, /Error/);
});

test("the threads load no schemas, which would take longer than the rest of their start", async (t) => {
  const coverage = temporaryFolder("threads", t);
  const script = `
    const { startStorageThread } = await import(${JSON.stringify(join(import.meta.dirname, "thread.ts"))});
    for (const name of ["writer", "reader"])
      startStorageThread(name, { path: "/nowhere", migrations: "/nowhere" }).postMessage({ type: "close" });`;
  await promisify(execFile)(process.execPath, ["-e", script], {
    env: { ...process.env, NODE_V8_COVERAGE: coverage },
  });
  const files = readdirSync(coverage).map((name) => readFileSync(join(coverage, name), "utf8"));
  const loaded = files.flatMap((text) =>
    (JSON.parse(text) as { result: { url: string }[] }).result.map(({ url }) => url),
  );
  for (const thread of ["/writer.ts", "/reader.ts"])
    assert.ok(
      loaded.some((url) => url.endsWith(thread)),
      thread,
    );
  assert.deepEqual(
    loaded.filter((url) => url.includes("/typebox/")),
    [],
  );
});
