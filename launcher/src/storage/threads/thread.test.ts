// Tests of prestarted threads: the next opening uses them, and they keep nothing else alive.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { makeDataDir, migrations, removeDataDir } from "../../../test/support/storage-folder.ts";
import { sql } from "../sql.ts";
import { openStorage } from "../storage.ts";
import { prestartStorageThreads, startStorageThread } from "./thread.ts";

test("prestarted threads touch no file, and the next opening uses them", async (t) => {
  const dir = makeDataDir();
  t.after(() => removeDataDir(dir));
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
  const { stderr } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
    timeout: 20_000,
  });
  assert.doesNotMatch(stderr, /Error/);
});
