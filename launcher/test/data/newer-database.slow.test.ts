// Tests with the data of a newer Kit: every command says so first and changes nothing.

import assert from "node:assert/strict";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { textOf } from "@kit/contract";
import { type TestContext, test } from "vitest";
import { freePort } from "../../../tools/engines/free-port.ts";
import { type DataDir, dataDirAt } from "../../src/storage/data-dir.ts";
import { openStorage } from "../../src/storage/storage.ts";
import { kit } from "../support/kit-command.ts";
import { problemIn, startLauncherProcess } from "../support/own-launcher.ts";
import { fill, notMounted, readOnly, smallDisk } from "../support/small-disk.ts";
import { makeDataDir, migrations, removeDataDir } from "../support/storage-folder.ts";
import { until } from "../support/until.ts";

const newerMessage =
  "This data was written by a newer Kit: it has schema 9999, and this Kit knows schemas up to \\d+\\. Use the newer Kit\\.";
/** The message is the first output. */
const first = new RegExp(`^${newerMessage}`);

function makeNewer(path: string): void {
  const database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = WAL; CREATE TABLE later (x); PRAGMA user_version = 9999");
  const insert = database.prepare("INSERT INTO later VALUES (?)");
  for (let row = 0; row < 500; row += 1) insert.run("x".repeat(100));
  database.close();
}

/** Keeps the first page, which has the schema number. */
function damage(path: string): void {
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(8_192, 0xff), 0, 8_192, 4_096);
  closeSync(file);
}

type Way = {
  readonly name: string;
  readonly on?: (path: string) => unknown;
  readonly prepare?: (dir: DataDir) => void;
};

const ended = (dir: DataDir) => writeFileSync(dir.openMarker, "");
const ways: readonly Way[] = [
  { name: "after a clean end" },
  { name: "after a crash", prepare: ended },
  {
    name: "damaged, after a crash",
    prepare(dir) {
      ended(dir);
      damage(dir.database);
    },
  },
  { name: "on a full disk", on: fill },
  { name: "on a read-only disk", on: readOnly },
];

/** Makes the data directory of the case. Returns undefined if that needs root. */
function dataOf({ prepare, on }: Way, t: TestContext): DataDir | undefined {
  const disk = on === undefined ? undefined : smallDisk(4);
  if (on !== undefined && disk === undefined) return undefined;
  const dir = disk === undefined ? makeDataDir() : dataDirAt(disk.path);
  t.onTestFinished(() => (disk === undefined ? removeDataDir(dir) : disk[Symbol.dispose]()));
  makeNewer(dir.database);
  prepare?.(dir);
  on?.(dir.path);
  return dir;
}

for (const way of ways) {
  test(`data of a newer Kit, ${way.name}, is refused first of all by start, doctor and other commands, and is not changed`, async (t) => {
    const dir = dataOf(way, t);
    if (dir === undefined) return t.skip(notMounted);
    const before = readFileSync(dir.database);
    const here = ["--data-dir", dir.path, "--port", String(await freePort())];
    const started = await kit("start", "--no-open", ...here);
    assert.equal(started.code, 1, started.stderr);
    assert.match(started.stderr, first);
    const doctor = await kit("doctor", "--json", ...here);
    const { checks } = doctor.json<{ checks: { name: string; detail: string }[] }>();
    assert.match(checks.find(({ name }) => name === "storage")?.detail ?? "", first);
    for (const words of [
      ["api", "getHealth"],
      ["restore", "any", "--yes"],
    ]) {
      const reply = await kit(...words, ...here);
      assert.equal(reply.code, 3, reply.stderr);
      assert.match(reply.stderr, first, words.join(" "));
    }
    assert.ok(before.equals(readFileSync(dir.database)), "the file was changed");
    assert.equal(existsSync(dir.quarantine), false);
  });
}

for (const [name, spoil] of [
  ["undamaged", () => undefined],
  ["damaged", damage],
] as const) {
  test(`a ${name} backup of a newer Kit is refused for that reason, by command and by API`, async () => {
    await using launcher = await startLauncherProcess();
    const file = join(launcher.dataDir, "..", "theirs.db");
    makeNewer(file);
    spoil(file);
    const refused = new RegExp(`The restore is not possible: ${newerMessage} Nothing was changed\\.`);
    const restored = await kit("restore", file, "--yes", "--data-dir", launcher.dataDir);
    assert.equal(restored.code, 4, restored.stderr);
    assert.match(restored.stderr, refused);
    const { backups } = dataDirAt(launcher.dataDir);
    mkdirSync(backups, { recursive: true });
    makeNewer(join(backups, "2026-01-01T00-00-00.000Z.db"));
    spoil(join(backups, "2026-01-01T00-00-00.000Z.db"));
    const reply = await launcher.api("POST", "/api/backups/2026-01-01T00-00-00.000Z.db/restore");
    assert.equal(problemIn(reply).code, "payload_invalid");
    assert.match(reply.text, refused);
    assert.equal((await launcher.health()).storage.state, "ok");
  });
}

test("a damaged database is not replaced by a backup of a newer Kit", async () => {
  const dir = makeDataDir();
  mkdirSync(dir.backups);
  makeNewer(join(dir.backups, "2026-01-01T00-00-00.000Z.db"));
  writeFileSync(dir.database, "no database at all, but long enough to be checked. ".repeat(200));
  const notices: string[] = [];
  const storage = await openStorage(dir, migrations, (notice) => notices.push(textOf(notice)));
  assert.equal(storage.state().failing, null);
  assert.match(notices.join(), /no good backup/);
  await storage.close();
  removeDataDir(dir);
});

test("health reports a database of a newer Kit that was put in place while the storage was failing", async (t) => {
  using disk = smallDisk(8);
  if (disk === undefined) return t.skip(notMounted);
  await using launcher = await startLauncherProcess({ dataDir: join(disk.path, "data") });
  let giveBack: (() => void) | undefined;
  const { database } = dataDirAt(launcher.dataDir);
  await launcher.restart("SIGTERM", () => {
    rmSync(database);
    giveBack = readOnly(disk.path);
  });
  assert.equal((await launcher.health()).storage.state, "failing");
  // Placed between two attempts of the launcher, and under another name at first.
  const theirs = join(disk.path, "theirs.db");
  process.kill(launcher.process().pid, "SIGSTOP");
  giveBack?.();
  makeNewer(theirs);
  writeFileSync(database, readFileSync(theirs));
  process.kill(launcher.process().pid, "SIGCONT");
  await until("health reports it", async () => first.test(textOf((await launcher.health()).storage.detail ?? "")));
  assert.ok(readFileSync(theirs).equals(readFileSync(database)), "the file was changed");
});
