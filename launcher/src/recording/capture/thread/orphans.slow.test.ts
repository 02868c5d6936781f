// Tests of orphans: however the launcher ends, its ffmpeg ends too, by the broken pipe or at the next start.
import assert from "node:assert/strict";
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, test } from "vitest";
import { cannot } from "../../../../../tools/engines/cannot.ts";
import { pathOf, skipWithout } from "../../../../../tools/engines/locate.ts";
import { addProcessRecord, killOrphans, removeProcessRecord } from "./orphans.ts";
import { until } from "./test/fixture.ts";

const rounds = Number(process.env.KIT_FAULT_ROUNDS ?? 1);
const skip = cannot.readProc || skipWithout("ffmpeg");
const folder = mkdtempSync(join(tmpdir(), "kit-orphans-"));
afterAll(() => rmSync(folder, { recursive: true }));
const captureFile = join(folder, "capture.json");

/** Returns true for a running or stopped process, but not for a zombie. */
function isThere(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return !"ZX".includes(stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3));
  } catch {
    return false;
  }
}

const pidsOf = (ended: readonly { pid: number }[]) => ended.map(({ pid }) => pid);

async function startLauncher(): Promise<{ launcher: ChildProcess; ffmpegPid: number }> {
  const launcher = fork(new URL("./test/launcher-stand-in.ts", import.meta.url), [pathOf("ffmpeg"), folder], {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  afterAll(() => launcher.kill("SIGKILL"));
  const [answer] = await Promise.race([once(launcher, "message"), once(launcher, "exit")]);
  assert.equal(answer, "records");
  const records = JSON.parse(readFileSync(captureFile, "utf8")) as { pid: number }[];
  assert.equal(records.length, 1);
  return { launcher, ffmpegPid: records[0]?.pid ?? 0 };
}

async function killLauncher(launcher: ChildProcess): Promise<void> {
  launcher.kill("SIGKILL");
  await once(launcher, "exit");
}

describe("after the launcher was killed", { skip }, () => {
  test("the launcher's ffmpeg ends by itself", async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { launcher, ffmpegPid } = await startLauncher();
      assert.equal(isThere(ffmpegPid), true);
      await killLauncher(launcher);
      await until("ffmpeg has ended", () => !isThere(ffmpegPid));
      assert.deepEqual(await killOrphans(captureFile), []);
      assert.equal(existsSync(captureFile), false, "the process record is removed");
    }
  });

  test("a stopped ffmpeg is killed at the next start", async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { launcher, ffmpegPid } = await startLauncher();
      process.kill(ffmpegPid, "SIGSTOP");
      await killLauncher(launcher);
      assert.equal(isThere(ffmpegPid), true, "a stopped process does not notice the broken pipe");
      assert.deepEqual(pidsOf(await killOrphans(captureFile)), [ffmpegPid]);
      await until("ffmpeg has ended", () => !isThere(ffmpegPid));
    }
  });
});

test("a process that reuses the recorded pid is not killed", { skip }, async () => {
  const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  const pid = other.pid as number;
  await addProcessRecord(captureFile, pid);
  const records = JSON.parse(readFileSync(captureFile, "utf8")) as { pid: number; began: string }[];
  writeFileSync(captureFile, JSON.stringify(records.map((one) => ({ ...one, began: `${one.began}1` }))));
  assert.deepEqual(await killOrphans(captureFile), []);
  assert.equal(isThere(pid), true);
  await addProcessRecord(captureFile, pid);
  assert.deepEqual(pidsOf(await killOrphans(captureFile)), [pid], "the recorded process itself is killed");
  await once(other, "exit");
});

test("during a handover, both processes are recorded, and each record is removed alone", { skip }, async () => {
  const sleeper = () => spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  const before = sleeper();
  const next = sleeper();
  const failed = sleeper();
  const [beforePid, nextPid, failedPid] = [before, next, failed].map(({ pid }) => pid as number) as [
    number,
    number,
    number,
  ];
  for (const pid of [beforePid, failedPid, nextPid]) await addProcessRecord(captureFile, pid);
  removeProcessRecord(captureFile, failedPid);
  assert.deepEqual(pidsOf(await killOrphans(captureFile)), [beforePid, nextPid]);
  assert.equal(isThere(failedPid), true);
  assert.equal(existsSync(captureFile), false);
  await addProcessRecord(captureFile, failedPid, () => true);
  assert.equal(existsSync(captureFile), false, "a process that has ended by then is not recorded");
  failed.kill("SIGKILL");
});

test("a missing, incomplete or foreign file kills nothing", async () => {
  const foreign = ['[{"pid":1,"began":"x"}]', '[{"pid":-1,"began":"x"}]', '[{"pid":"7"}]', "[null, 7]", '{"pid":7}'];
  for (const text of ["", "[", '"pid"', ...foreign]) {
    writeFileSync(captureFile, text);
    assert.deepEqual(await killOrphans(captureFile), [], text);
  }
  rmSync(captureFile);
  assert.deepEqual(await killOrphans(captureFile), []);
});
