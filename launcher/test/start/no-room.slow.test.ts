// Tests of a launcher that starts where it cannot write: it says so at once, answers, and continues when it can write.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Acknowledgement, type Receipt, textOf } from "@kit/contract";
import { test } from "vitest";
import { addClips } from "../recording/added-clips.ts";
import { kitCommand } from "../support/launcher-process.ts";
import { type LauncherProcess, problemIn, startLauncherProcess, timestamp } from "../support/own-launcher.ts";
import { fill, notMounted, readOnly, smallDisk } from "../support/small-disk.ts";
import { patienceMs, until } from "../support/until.ts";

const report = () => ({ message: "m", stackTrace: "", timestamp: timestamp() });

/** Asserts that the first output contains the address, the link and the reason. */
async function assertSaid(launcher: LauncherProcess, says: RegExp): Promise<void> {
  await until("the launcher says where it listens", () => launcher.process().output().includes("Stop with"));
  const said = launcher.process().output();
  assert.match(said, new RegExp(`listens on http://127\\.0\\.0\\.1:${launcher.port}`));
  assert.match(said, new RegExp(`http://127\\.0\\.0\\.1:${launcher.port}/#t=[\\w-]{43}&page=storage`));
  assert.match(said, says);
  assert.doesNotMatch(said, /\n\s+at |\\n\s+at /, "the output for a person contains no stack");
}

async function assertRefuses(launcher: LauncherProcess, says: RegExp): Promise<void> {
  const refused = await launcher.send("monitor", report());
  assert.equal(refused.status, 503, refused.text);
  assert.equal(problemIn(refused).code, "storage_unavailable");
  assert.match(refused.text, says);
  const { storage } = await launcher.health();
  assert.equal(storage.state, "failing");
  assert.match(textOf(storage.detail ?? ""), says);
}

/** Nothing is sent meanwhile, so the launcher must notice the change by itself. */
async function assertGoesOn(launcher: LauncherProcess): Promise<void> {
  await until("storage is well again", async () => (await launcher.health()).storage.state === "ok");
  const reply = await launcher.send("monitor", report());
  assert.equal(reply.status, 202, reply.text);
  const { id } = reply.json<Acknowledgement>();
  await launcher.restart("SIGKILL");
  assert.equal((await launcher.receipt(id)).event.intact, true);
}

const full = /The disk is full\. Free up space/;
const unwritable = /The data directory is read-only\. Make it writable/;

for (const [what, says, take] of [
  ["a full disk", full, fill],
  ["a read-only disk", unwritable, readOnly],
] as const) {
  for (const end of ["SIGTERM", "SIGKILL"] as const) {
    test(`a start on ${what} after ${end} says so at once, shows stored data, and continues when the disk is writable`, async (t) => {
      using disk = smallDisk(12);
      if (disk === undefined) return t.skip(notMounted);
      await using launcher = await startLauncherProcess({ dataDir: join(disk.path, "data") });
      const kept = (await launcher.send("monitor", report())).json<Acknowledgement>().id;
      let giveBack: (() => void) | undefined;
      await launcher.restart(end, () => {
        giveBack = take(disk.path);
      });
      await assertSaid(launcher, says);
      await assertRefuses(launcher, says);
      const shown = await launcher.api("GET", `/api/events/${kept}`);
      assert.equal(shown.status, 200, shown.text);
      assert.equal(shown.json<Receipt>().event.intact, true);
      for (const path of ["/api/clips", "/api/usage", "/api/backups"]) {
        const reply = await launcher.api("GET", path);
        assert.equal(reply.status, 200, `${path}: ${reply.text}`);
      }
      giveBack?.();
      await assertGoesOn(launcher);
    });
  }
}

for (const when of ["before the start", "during the run"] as const) {
  test(`on a disk that was full ${when} deleting clips frees enough space`, async (t) => {
    using disk = smallDisk(16);
    if (disk === undefined) return t.skip(notMounted);
    await using launcher = await startLauncherProcess({ dataDir: join(disk.path, "data") });
    let ids: string[] = [];
    await launcher.restart("SIGTERM", async () => {
      ids = await addClips(launcher.dataDir, 20, 200_000);
      if (when === "before the start") fill(disk.path);
    });
    if (when === "during the run") fill(disk.path);
    await until("the disk is full", async () => (await launcher.send("monitor", report())).status === 503);
    const listed = await launcher.api("GET", "/api/clips");
    assert.equal(listed.json<{ clips: unknown[] }>().clips.length, ids.length, listed.text);
    for (const id of ids)
      assert.equal((await launcher.api("DELETE", `/api/clips/${id}`)).status, 204, "into the trash");
    await assertRefuses(launcher, full);
    for (const id of ids) {
      const removed = await launcher.api("DELETE", `/api/clips/${id}?forever=true`);
      assert.equal(removed.status, 204, removed.text);
    }
    await assertGoesOn(launcher);
    assert.equal(statSync(join(launcher.dataDir, "reserve")).size, 1024 * 1024, "the reserve is restored");
  });
}

test("a first start on a full disk says so, and stores events once there is space", async (t) => {
  using disk = smallDisk(12);
  if (disk === undefined) return t.skip(notMounted);
  const giveBack = fill(disk.path);
  await using launcher = await startLauncherProcess({ dataDir: join(disk.path, "data") });
  await assertSaid(launcher, full);
  const refused = await launcher.send("monitor", report());
  assert.equal(refused.status, 503, refused.text);
  giveBack();
  const secret = join(launcher.dataDir, "secret");
  await until("the install secret is kept", async () => existsSync(secret));
  await assertGoesOn(launcher);
});

test("a data directory that cannot be created on a read-only disk is reported", async (t) => {
  using disk = smallDisk(4);
  if (disk === undefined) return t.skip(notMounted);
  readOnly(disk.path);
  const [program, ...words] = kitCommand("start", "--no-open", "--data-dir", join(disk.path, "data"));
  const { status, stderr } = spawnSync(program, words, { encoding: "utf8", timeout: patienceMs });
  assert.equal(status, 1, stderr);
  assert.match(stderr, unwritable);
});
