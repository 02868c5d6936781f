// Tests of launchers that start together for the same data folder: one runs, and the others point to it.
import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { type TestContext, test, vi } from "vitest";
import { cannot } from "../../../tools/engines/cannot.ts";
import { freePort } from "../../../tools/engines/free-port.ts";
import { waitForOtherKit } from "../../src/cli/running-launcher.ts";
import { readConfig } from "../../src/config.ts";
import { type DataDir, ensureDataDir, takeDataDirLock } from "../../src/storage/data-dir.ts";
import { launcherCommand } from "../support/launcher-process.ts";
import { makeDataDir, removeDataDir } from "../support/storage-folder.ts";
import { until } from "../support/until.ts";

const skip = cannot.sendSignals;

type Started = { readonly child: ChildProcess; printed(): string; readonly ended: Promise<number | null> };

type Stage = { readonly dir: DataDir; start(port: number): Started };

/** A data folder and the launchers that a test starts in it. They end before the folder is removed; they would restore it. */
function openStage(t: TestContext): Stage {
  const dir = makeDataDir();
  const launchers: Started[] = [];
  t.onTestFinished(async () => {
    for (const { child } of launchers) child.kill("SIGKILL");
    await Promise.all(launchers.map(({ ended }) => ended));
    removeDataDir(dir);
  });
  return {
    dir,
    start(port) {
      const [program = "", ...words] = launcherCommand(port, dir.path);
      const child = spawn(program, words, {
        env: { ...process.env, CI: "1", KIT_SECRETS: "file" },
        stdio: ["ignore", "pipe", "pipe"],
      });
      let printed = "";
      for (const output of [child.stdout, child.stderr])
        output.on("data", (chunk: Buffer) => (printed += chunk.toString()));
      const ended = once(child, "close").then(([code]) => code as number | null);
      const launcher = { child, printed: () => printed, ended };
      launchers.push(launcher);
      return launcher;
    },
  };
}

const says = (launcher: Started, words: string) =>
  until(`a launcher says: ${words}`, async () => launcher.printed().includes(words));

/**
 * Starts a launcher that stops after taking the data's lock: it writes to a pipe that nobody reads. `goOn` reads it.
 */
async function heldInItsStart({ dir, start }: Stage, port: number) {
  execFileSync("mkfifo", [dir.openMarker]);
  const launcher = start(port);
  const isLocked = async () => {
    try {
      takeDataDirLock(dir.lock).close();
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
  const stage = openStage(t);
  const port = await freePort();
  const first = await heldInItsStart(stage, port);
  // On another port, because the port of the first is unknown before it listens.
  const second = stage.start(await freePort());
  await says(second, waits);
  assert.equal(second.child.exitCode, null);
  first.goOn();
  assert.equal(await second.ended, 0, second.printed());
  assert.match(second.printed(), new RegExp(`already runs on port ${port}\\.`));
  assert.match(second.printed(), new RegExp(`http://127\\.0\\.0\\.1:${port}/#t=[\\w-]{43}`));
  await says(first, "Stop with Ctrl-C.");
});

test("a launcher takes over from one that dies during its start", { skip }, async (t) => {
  const stage = openStage(t);
  const port = await freePort();
  const first = await heldInItsStart(stage, port);
  const second = stage.start(port);
  await says(second, waits);
  rmSync(stage.dir.openMarker);
  first.child.kill("SIGKILL");
  await says(second, `listens on http://127.0.0.1:${port}`);
  assert.equal(second.child.exitCode, null);
});

test("the wait for a starting launcher is limited, and ends at once if the lock is free", async (t) => {
  const { dir } = openStage(t);
  ensureDataDir(dir);
  const config = readConfig({ dataDir: dir.path, port: String(await freePort()) });
  const lock = takeDataDirLock(dir.lock);
  let waited = 0;
  const wait = () => waitForOtherKit(config, performance.now() + 300, () => (waited += 1));
  assert.equal(await wait(), "stays");
  assert.equal(waited, 1);
  lock.close();
  assert.equal(await wait(), "is gone");
});

test("a launcher that takes no signal, because another user or an administrator started it, counts as running", async (t) => {
  const { dir } = openStage(t);
  ensureDataDir(dir);
  const port = await freePort();
  const lock = takeDataDirLock(dir.lock);
  t.onTestFinished(() => lock.close());
  writeFileSync(dir.running, JSON.stringify({ pid: 4_711, port, version: "0.1.0" }));
  vi.spyOn(process, "kill").mockImplementation(() => {
    throw Object.assign(new Error("kill EPERM"), { code: "EPERM" });
  });
  const config = readConfig({ dataDir: dir.path, port: String(port) });
  const wait = waitForOtherKit(config, performance.now() + 60_000, () => assert.fail("it waited for the start"));
  assert.equal(await wait, "stays");
});

for (const count of [2, 4]) {
  test(`when ${count} launchers start together, one runs and the others point to it`, async (t) => {
    const { start } = openStage(t);
    const port = await freePort();
    const launchers = Array.from({ length: count }, () => start(port));
    const isOver = async () => launchers.filter(({ child }) => child.exitCode !== null).length === count - 1;
    await until("all but one have ended", isOver);
    const others = launchers.filter(({ child }) => child.exitCode !== null);
    for (const other of others) {
      assert.equal(await other.ended, 0, other.printed());
      assert.match(other.printed(), new RegExp(`already runs on port ${port}\\.`));
    }
    const [running] = launchers.filter(({ child }) => child.exitCode === null);
    assert.ok(running !== undefined);
    // It answers the others before it says so.
    await says(running, `listens on http://127.0.0.1:${port}`);
  });
}
