// Tests of launchers that start together for the same data folder: one runs, and the others point to it.
import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { freePort } from "../../../tools/engines/free-port.ts";
import { waitForHolder } from "../../src/cli/running-launcher.ts";
import { readConfig } from "../../src/config.ts";
import { type DataDir, ensureDataDir } from "../../src/storage/data-dir.ts";
import { takeLock } from "../../src/storage/lock.ts";
import { launcherCommand } from "../support/launcher-process.ts";
import { makeDataDir, removeDataDir } from "../support/storage-folder.ts";
import { until } from "../support/until.ts";

const skip = process.platform === "win32" && "not run: Windows has no named pipes in folders";

type Started = { readonly child: ChildProcess; printed(): string; readonly ended: Promise<number | null> };

function start(t: TestContext, dir: DataDir, port: number): Started {
  const [program = "", ...words] = launcherCommand(port, dir.path);
  const child = spawn(program, words, {
    env: { ...process.env, CI: "1", KIT_SECRETS: "file" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  t.after(() => child.kill("SIGKILL"));
  let printed = "";
  for (const output of [child.stdout, child.stderr])
    output.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  return { child, printed: () => printed, ended: once(child, "close").then(([code]) => code as number | null) };
}

function folder(t: TestContext): DataDir {
  const dir = makeDataDir();
  t.after(() => removeDataDir(dir));
  return dir;
}

const says = (launcher: Started, words: string) =>
  until(`a launcher says: ${words}`, async () => launcher.printed().includes(words));

/**
 * Starts a launcher that stops after taking the data's lock: it writes to a pipe that nobody reads. `goOn` reads it.
 */
async function heldInItsStart(t: TestContext, dir: DataDir, port: number) {
  execFileSync("mkfifo", [dir.openMarker]);
  const launcher = start(t, dir, port);
  const isLocked = async () => {
    try {
      takeLock(dir.lock).close();
      return false;
    } catch {
      return true;
    }
  };
  await until("the first launcher has the lock", isLocked);
  return { ...launcher, goOn: () => readFileSync(dir.openMarker) };
}

const waits = "Waiting for another Kit that is starting with the same data.";

test("a launcher waits for another that is still starting, and then points to it", { skip }, async (t) => {
  const dir = folder(t);
  const port = await freePort();
  const first = await heldInItsStart(t, dir, port);
  // On another port, because the port of the first is unknown before it listens.
  const second = start(t, dir, await freePort());
  await says(second, waits);
  assert.equal(second.child.exitCode, null);
  first.goOn();
  assert.equal(await second.ended, 0, second.printed());
  assert.match(second.printed(), new RegExp(`already runs on port ${port}\\.`));
  assert.match(second.printed(), new RegExp(`http://127\\.0\\.0\\.1:${port}/#t=[\\w-]{43}`));
  await says(first, "Stop with Ctrl-C.");
});

test("a launcher takes over from one that dies during its start", { skip }, async (t) => {
  const dir = folder(t);
  const port = await freePort();
  const first = await heldInItsStart(t, dir, port);
  const second = start(t, dir, port);
  await says(second, waits);
  rmSync(dir.openMarker);
  first.child.kill("SIGKILL");
  await says(second, `listens on http://127.0.0.1:${port}`);
  assert.equal(second.child.exitCode, null);
});

test("the wait for a starting launcher is limited, and ends at once if the lock is free", async (t) => {
  const dir = folder(t);
  ensureDataDir(dir);
  const config = readConfig({ dataDir: dir.path, port: String(await freePort()) });
  const lock = takeLock(dir.lock);
  let waited = 0;
  const wait = () => waitForHolder(config, performance.now() + 300, () => (waited += 1));
  assert.equal(await wait(), "stays");
  assert.equal(waited, 1);
  lock.close();
  assert.equal(await wait(), "is gone");
});

for (const count of [2, 4]) {
  test(`when ${count} launchers start together, one runs and the others point to it`, async (t) => {
    const dir = folder(t);
    const port = await freePort();
    const launchers = Array.from({ length: count }, () => start(t, dir, port));
    const isOver = async () => launchers.filter(({ child }) => child.exitCode !== null).length === count - 1;
    await until("all but one have ended", isOver);
    const others = launchers.filter(({ child }) => child.exitCode !== null);
    for (const other of others) {
      assert.equal(await other.ended, 0, other.printed());
      assert.match(other.printed(), new RegExp(`already runs on port ${port}\\.`));
    }
    const [running] = launchers.filter(({ child }) => child.exitCode === null);
    assert.match(running?.printed() ?? "", new RegExp(`listens on http://127\\.0\\.0\\.1:${port}`));
  });
}
