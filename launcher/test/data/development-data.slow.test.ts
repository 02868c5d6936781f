// Tests with the data of a development build older than 0.1.0: Kit refuses it, says why, and changes none of its files.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { textOf } from "@kit/contract";
import { test } from "vitest";
import { freePort } from "../../../tools/engines/free-port.ts";
import { type DataDir, dataDirAt } from "../../src/storage/data-dir.ts";
import { openStorage } from "../../src/storage/storage.ts";
import { kit } from "../support/kit-command.ts";
import { problemIn, startOwnLauncher } from "../support/own-launcher.ts";
import { makeDataDir, migrations, removeDataDir } from "../support/storage-folder.ts";

const backupName = "2026-01-01T00-00-00.000Z.db";
const startMessage = ({ path }: DataDir) =>
  `The data directory ${path} was written by a development build before Kit 0.1.0, which this Kit cannot read. Nothing was changed. To keep the data, rename or move that directory, or start with another --data-dir.`;
const restoreMessage =
  "The restore is not possible: Its schema number is 20. Only development builds before Kit 0.1.0 used that number, and this Kit cannot read their data. Nothing was changed.";

const text = "x".repeat(100);
function addRows(database: DatabaseSync): void {
  const insert = database.prepare("INSERT INTO event (id) VALUES (?)");
  for (let row = 0; row < 500; row += 1) insert.run(text);
}

function makeOld(path: string, version = 20): void {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = WAL; CREATE TABLE event (id TEXT); PRAGMA user_version = ${version}`);
  addRows(database);
  database.close();
}

/** Leaves the files of a killed build, a log beside the database. If `isNumberInFile`, the database too has the schema number. */
function makeKilled({ path, database: place }: DataDir, isNumberInFile: boolean): void {
  const made = join(path, "made.db");
  const database = new DatabaseSync(made);
  const number = "PRAGMA user_version = 20";
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE event (id TEXT);`);
  if (isNumberInFile) database.exec(`${number}; PRAGMA wal_checkpoint(TRUNCATE)`);
  addRows(database);
  database.exec(number);
  for (const end of ["", "-wal", "-shm"]) copyFileSync(made + end, place + end);
  database.close();
  writeFileSync(join(path, "open"), "");
}

/** Keeps the first page, which has the schema number. */
function damage(path: string): void {
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(8_192, 0xff), 0, 8_192, 4_096);
  closeSync(file);
}

/** The digest of every file in the directory. */
function filesIn({ path }: DataDir): Record<string, string> {
  const files = readdirSync(path, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(join(path, name)).isFile(),
  );
  const digest = (name: string) =>
    createHash("sha256")
      .update(readFileSync(join(path, name)))
      .digest("hex");
  return Object.fromEntries(files.toSorted().map((name) => [name, digest(name)]));
}

const ways: readonly (readonly [name: string, make: (dir: DataDir) => void])[] = [
  ["after a clean end", ({ database }) => makeOld(database)],
  ["of the first development schema", ({ database }) => makeOld(database, 1)],
  ["after a kill, with a log", (dir) => makeKilled(dir, true)],
  ["after a kill, with its number in the log only", (dir) => makeKilled(dir, false)],
  [
    "damaged, after a crash",
    ({ database, openMarker }) => {
      makeOld(database);
      damage(database);
      writeFileSync(openMarker, "");
    },
  ],
];

for (const [name, make] of ways) {
  test(`data of a development build, ${name}, is refused by start, doctor and other commands, and no file changes`, async (t) => {
    const dir = makeDataDir();
    t.onTestFinished(() => removeDataDir(dir));
    make(dir);
    mkdirSync(dir.backups);
    makeOld(join(dir.backups, backupName));
    const before = filesIn(dir);
    const here = ["--data-dir", dir.path, "--port", String(await freePort())];
    const started = await kit("start", "--no-open", ...here);
    assert.equal(started.code, 1, started.stderr);
    assert.equal(started.stderr, `${startMessage(dir)}\n`);
    assert.deepEqual(filesIn(dir), before);
    const health = await kit("api", "getHealth", ...here);
    assert.equal(health.code, 3, health.stderr);
    assert.equal(health.stderr, `${startMessage(dir)}\n`);
    const doctor = await kit("doctor", "--json", ...here);
    const { checks } = doctor.json<{ checks: { name: string; detail: string }[] }>();
    assert.equal(checks.find(({ name: check }) => check === "storage")?.detail, startMessage(dir));
    assert.deepEqual(filesIn(dir), before);
  });
}

test("the storage refuses data of a development build and does not treat it as damaged", async (t) => {
  const dir = makeDataDir();
  t.onTestFinished(() => removeDataDir(dir));
  makeKilled(dir, false);
  const opened = openStorage(dir, migrations, () => undefined);
  await assert.rejects(opened, { name: "UnknownSchema", message: startMessage(dir) });
  assert.equal(existsSync(dir.quarantine), false);
});

for (const [name, spoil] of [
  ["undamaged", () => undefined],
  ["damaged", damage],
] as const) {
  test(`a ${name} backup of a development build is refused for that reason, by command and by API, and is not changed`, async () => {
    await using launcher = await startOwnLauncher();
    const { backups } = dataDirAt(launcher.dataDir);
    mkdirSync(backups, { recursive: true });
    const [file, own] = [join(launcher.dataDir, "..", "theirs.db"), join(backups, backupName)];
    for (const path of [file, own]) {
      makeOld(path);
      spoil(path);
    }
    const before = readFileSync(own);
    const restored = await kit("restore", file, "--yes", "--data-dir", launcher.dataDir);
    assert.equal(restored.code, 4, restored.stderr);
    assert.ok(restored.stderr.includes(restoreMessage), restored.stderr);
    const reply = await launcher.api("POST", `/api/backups/${backupName}/restore`);
    assert.equal(problemIn(reply).code, "payload_invalid");
    assert.ok(reply.text.includes(restoreMessage), reply.text);
    assert.ok(before.equals(readFileSync(own)), "the backup was changed");
    assert.ok(before.equals(readFileSync(file)), "the file was changed");
    assert.equal((await launcher.health()).storage.state, "ok");
  });
}

test("previous data of a development build is refused and not changed", async () => {
  await using launcher = await startOwnLauncher();
  const name = "2026-01-01T00-00-00.000Z-restored";
  const folder = join(dataDirAt(launcher.dataDir).previousData, name);
  mkdirSync(folder, { recursive: true });
  makeOld(join(folder, "kit.db"));
  const before = filesIn(dataDirAt(folder));
  const reply = await launcher.api("POST", `/api/aside/${name}/restore`);
  assert.equal(reply.status, 422, reply.text);
  assert.ok(reply.text.includes(restoreMessage), reply.text);
  assert.deepEqual(filesIn(dataDirAt(folder)), before);
});

test("a damaged database is not replaced by a backup of a development build", async (t) => {
  const dir = makeDataDir();
  t.onTestFinished(() => removeDataDir(dir));
  mkdirSync(dir.backups);
  makeOld(join(dir.backups, backupName));
  writeFileSync(dir.database, "no database at all, but long enough to be checked. ".repeat(200));
  const notices: string[] = [];
  const storage = await openStorage(dir, migrations, (notice) => notices.push(textOf(notice)));
  assert.match(notices.join(), /no good backup/);
  await storage.close();
});
