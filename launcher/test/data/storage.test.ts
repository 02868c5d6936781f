// Tests of failing storage: the launcher reports it, stays reachable, loses no acknowledged event, and recovers.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Acknowledgement, textOf } from "@kit/contract";
import { test } from "vitest";
import { cannot } from "../../../tools/engines/cannot.ts";
import {
  type OwnLauncher,
  problemIn,
  startLauncherProcess,
  startOwnLauncher,
  timestamp,
} from "../support/own-launcher.ts";
import { requestBytes, sendRaw } from "../support/raw-http.ts";
import { fill, notMounted, smallDisk } from "../support/small-disk.ts";
import { until } from "../support/until.ts";

const report = (message: string) => ({ message, stackTrace: "", timestamp: timestamp() });

/** Sends reports and returns the ids that were acknowledged. */
async function acknowledged(launcher: OwnLauncher, count: number, message = "m"): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const reply = await launcher.send("monitor", report(message));
    if (reply.status === 202) ids.push(reply.json<Acknowledgement>().id);
  }
  return ids;
}

async function assertKept(launcher: OwnLauncher, ids: readonly string[]): Promise<void> {
  for (const id of ids) assert.equal((await launcher.receipt(id)).event.intact, true, id);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)));
}

function overwrite(path: string, from: number, bytes: number): void {
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(bytes), 0, bytes, from);
  closeSync(file);
}

/** Overwrites two pages with zeros, near the end, where the newest reports are. */
const damageEventsIn = (path: string): void => overwrite(path, statSync(path).size - 16_384, 8_192);

/** Overwrites the first page of a table with zeros. */
function zeroTable(path: string, table: string): void {
  const database = new DatabaseSync(path);
  const page = Number(database.prepare("SELECT rootpage FROM sqlite_master WHERE name = ?").get(table)?.rootpage);
  database.close();
  overwrite(path, (page - 1) * 4_096, 4_096);
}

test("under any umask, all of the data directory is accessible to its owner only", {
  skip: cannot.setFileModes,
}, async () => {
  const openToAll = (command: readonly string[]) => ["/bin/sh", "-c", 'umask 000; exec "$@"', "sh", ...command];
  await using launcher = await startLauncherProcess({ within: openToAll });
  await acknowledged(launcher, 3);
  await launcher.api("POST", "/api/tickets");
  const open = [launcher.dataDir, ...filesBelow(launcher.dataDir)].filter(
    // The launcher may have removed a file meanwhile.
    (path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0,
  );
  assert.deepEqual(open, []);
});

test("a data directory that was open to others is restricted to its owner", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "kit-open-"));
  spawnSync("chmod", ["755", dataDir]);
  {
    await using launcher = await startOwnLauncher({ dataDir });
    assert.equal(statSync(launcher.dataDir).mode & 0o777, 0o700);
  }
  rmSync(dataDir, { recursive: true });
});

test("acknowledged events survive a kill and a clean end", async () => {
  await using launcher = await startLauncherProcess();
  const ids = await acknowledged(launcher, 20);
  await launcher.restart("SIGKILL");
  await assertKept(launcher, ids);
  ids.push(...(await acknowledged(launcher, 20)));
  await launcher.restart("SIGTERM");
  await assertKept(launcher, ids);
  assert.deepEqual((await launcher.health()).storage, { state: "ok", notices: [] });
});

test("a database damaged in a crash is quarantined, the newest good backup is restored, and health reports it", async () => {
  await using launcher = await startLauncherProcess();
  const ids = await acknowledged(launcher, 30, "m".repeat(3_000));
  const database = join(launcher.dataDir, "kit.db");
  await launcher.restart("SIGTERM", () => {
    mkdirSync(join(launcher.dataDir, "backups"), { recursive: true, mode: 0o700 });
    copyFileSync(database, join(launcher.dataDir, "backups", "2026-01-01T00-00-00.000Z.db"));
  });
  await launcher.restart("SIGKILL", () => damageEventsIn(database));
  const { storage } = await launcher.health();
  assert.equal(storage.state, "ok");
  assert.match(storage.notices.map(textOf).join(), /damaged.*restored/);
  assert.ok(filesBelow(join(launcher.dataDir, "quarantine")).some((path) => path.endsWith("kit.db")));
  await assertKept(launcher, ids);
  await assertKept(launcher, await acknowledged(launcher, 1));
});

test("damage that is found while Kit runs is repaired by a restart, and every acknowledged report is counted", async () => {
  await using launcher = await startLauncherProcess();
  const database = join(launcher.dataDir, "kit.db");
  const counted = async () => {
    const { issues } = (await launcher.api("GET", "/api/issues")).json<{ issues: { count: number }[] }>();
    return issues.reduce((sum, { count }) => sum + count, 0);
  };
  const untilCounted = (reports: number) => until(`${reports} are counted`, async () => (await counted()) === reports);
  await acknowledged(launcher, 5);
  await launcher.restart("SIGTERM", () => {
    mkdirSync(join(launcher.dataDir, "backups"), { recursive: true, mode: 0o700 });
    copyFileSync(database, join(launcher.dataDir, "backups", "2026-01-01T00-00-00.000Z.db"));
  });
  await acknowledged(launcher, 5);
  await untilCounted(10);
  // After a clean end, the next start does not check the file. The salvage takes the issues, and how far they were counted, from the backup.
  await launcher.restart("SIGTERM", () => zeroTable(database, "issue"));
  await until("the database was repaired", async () => {
    const response = await launcher.api("GET", "/api/issues").catch(() => undefined);
    return response?.status === 200 && (await launcher.health()).storage.notices.length > 0;
  });
  await acknowledged(launcher, 5);
  await untilCounted(15);
});

test("a busy launcher that is stopped acknowledges an event or closes the connection, and keeps what it acknowledged", async () => {
  await using launcher = await startOwnLauncher();
  const answers = Array.from({ length: 200 }, () =>
    launcher.send("monitor", report("m")).then(
      (reply) => (reply.status === 202 ? reply.json<Acknowledgement>().id : undefined),
      () => undefined,
    ),
  );
  await Promise.race(answers);
  await launcher.restart("SIGTERM");
  const ids = (await Promise.all(answers)).filter((id) => id !== undefined);
  assert.ok(ids.length > 0);
  await assertKept(launcher, ids);
});

async function assertReachable(launcher: OwnLauncher): Promise<void> {
  const page = await sendRaw(launcher.port, requestBytes(launcher.port, { target: "/" }));
  assert.equal(page?.status, 200, "the dashboard's page is still served");
  assert.equal((await launcher.health()).product, "kit");
}

test("on a full disk no event is acknowledged, everything else answers, and events are accepted again when there is space", async (t) => {
  using disk = smallDisk(8);
  if (disk === undefined) return t.skip(notMounted);
  await using launcher = await startLauncherProcess({ dataDir: join(disk.path, "data") });
  const ids = await acknowledged(launcher, 5);
  for (let round = 0; round < 3; round += 1) {
    const makeRoom = fill(disk.path);
    let refused = await launcher.send("monitor", report("m".repeat(8_000)));
    for (let sent = 0; refused.status === 202 && sent < 2_000; sent += 1) {
      ids.push(refused.json<Acknowledgement>().id);
      refused = await launcher.send("monitor", report("m".repeat(8_000)));
    }
    assert.equal(refused.status, 503, refused.text);
    assert.equal(problemIn(refused).code, "storage_unavailable");
    assert.match(refused.text, /disk is full.*Free up space/i);
    assert.ok(Number(refused.headers["retry-after"]) > 0);
    await assertReachable(launcher);
    const { storage } = await launcher.health();
    assert.equal(storage.state, "failing");
    assert.match(textOf(storage.detail ?? ""), /full/);
    await assertKept(launcher, ids);

    makeRoom();
    await until("events are accepted again", async () => {
      const reply = await launcher.send("monitor", report("again"));
      if (reply.status === 202) ids.push(reply.json<Acknowledgement>().id);
      return reply.status === 202;
    });
    assert.equal((await launcher.health()).storage.state, "ok");
  }
  await launcher.restart("SIGKILL");
  await assertKept(launcher, ids);
});

test("a launcher that stops while the disk is full keeps what it acknowledged", async (t) => {
  using disk = smallDisk(6);
  if (disk === undefined) return t.skip(notMounted);
  await using launcher = await startOwnLauncher({ dataDir: join(disk.path, "data") });
  const ids = await acknowledged(launcher, 20, "m".repeat(8_000));
  const makeRoom = fill(disk.path);
  await acknowledged(launcher, 5, "m".repeat(8_000)).then((more) => ids.push(...more));
  await launcher.restart("SIGTERM", makeRoom);
  await assertKept(launcher, ids);
});

test("a data directory that cannot be used is named in the error, without a stack", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kit-file-"));
  const file = join(folder, "data");
  writeFileSync(file, "a file");
  await assert.rejects(startLauncherProcess({ dataDir: file }), (error: Error) => {
    assert.match(error.message, /data/);
    assert.doesNotMatch(error.message, /\n\s+at /, "a person reads this, so it has no stack");
    return true;
  });
  rmSync(folder, { recursive: true });
});
