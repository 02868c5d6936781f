// Tests of backups: complete, checked, readable by their owner only, and limited in number.

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, test } from "vitest";
import { cannot } from "../../../tools/engines/cannot.ts";
import { makeDataDir, removeDataDir } from "../../test/support/storage-folder.ts";
import {
  backupCreatedMs,
  createBackup,
  isOwnBackup,
  listBackups,
  newestBackupMs,
  ownBackupsFile,
  passesDatabaseCheck,
  recordOwnBackup,
} from "./backup.ts";

const { path } = makeDataDir();
afterAll(() => removeDataDir({ path } as never));

function database(name: string, rows: number): DatabaseSync {
  const made = new DatabaseSync(join(path, name));
  made.exec("PRAGMA journal_mode = WAL; CREATE TABLE event (text TEXT)");
  const insert = made.prepare("INSERT INTO event VALUES (?)");
  for (let row = 0; row < rows; row += 1) insert.run("x".repeat(100));
  return made;
}
const rowsIn = (file: string) => {
  const opened = new DatabaseSync(file, { readOnly: true });
  const rows = opened.prepare("SELECT count(*) AS rows FROM event").get()?.rows;
  opened.close();
  return rows;
};

test("a backup has everything, also what is only in the write-ahead log", async () => {
  const folder = join(path, "whole");
  const source = database("whole.db", 500);
  await createBackup(source, folder, new Date("2026-01-01T00:00:00Z"));
  source.close();
  const [file = ""] = listBackups(folder);
  assert.equal(rowsIn(file), 500);
  assert.equal(passesDatabaseCheck(file), true);
  const modes = [file, folder].map((each) => statSync(each).mode & 0o777);
  // On Windows, a file has the permissions of its folder, and Node.js makes up the modes.
  if (!cannot.setFileModes) assert.deepEqual(modes, [0o600, 0o700]);
  assert.ok(newestBackupMs(folder) > 0);
});

test("a backup requested during a transaction is made after the transaction", async () => {
  const folder = join(path, "busy");
  const source = database("busy.db", 500);
  source.exec("BEGIN IMMEDIATE; INSERT INTO event VALUES ('y')");
  const taken = createBackup(source, folder, new Date("2026-01-01T00:00:00Z"));
  // Node takes the first step in another thread while this one is blocked.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  source.exec("COMMIT");
  await taken;
  source.close();
  assert.equal(rowsIn(listBackups(folder)[0] ?? ""), 501);
});

test("the newest three backups are kept, whenever they were made", async () => {
  const folder = join(path, "three");
  const source = database("three.db", 1);
  for (const day of [1, 2, 3, 4, 5]) await createBackup(source, folder, new Date(`2026-01-0${day}T00:00:00Z`));
  source.close();
  assert.deepEqual(
    listBackups(folder).map((file) => file.slice(folder.length + 1, folder.length + 11)),
    ["2026-01-05", "2026-01-04", "2026-01-03"],
  );
  assert.equal(readdirSync(folder).filter((name) => name !== ownBackupsFile).length, 3, "no unfinished backup is left");
});

test("the newest ten backups of a person are kept, and do not displace those of the launcher, nor the reverse", async () => {
  const folder = join(path, "own");
  const source = database("own.db", 1);
  for (let day = 10; day < 22; day += 1)
    await createBackup(source, folder, new Date(`2026-01-${day}T00:00:00Z`), "person");
  for (const day of [1, 2, 3, 4]) await createBackup(source, folder, new Date(`2026-01-0${day}T00:00:00Z`));
  source.close();
  assert.deepEqual([listBackups(folder, "person").length, listBackups(folder, "launcher").length], [10, 3]);
  const [newest = ""] = listBackups(folder);
  assert.equal(newest.slice(folder.length + 1), "2026-01-21T00-00-00.000Z-own.db");
  assert.equal(backupCreatedMs(newest), Date.parse("2026-01-21T00:00:00Z"));
});

test("a failed backup leaves no file behind and keeps the older backups", async () => {
  const folder = join(path, "fails");
  const source = database("fails.db", 1);
  await createBackup(source, folder, new Date("2026-01-01T00:00:00Z"));
  source.close();
  await assert.rejects(createBackup(source, folder, new Date("2026-01-02T00:00:00Z")));
  assert.equal(readdirSync(folder).filter((name) => name !== ownBackupsFile).length, 1);
});

test("a missing backup folder has no backups", () => {
  assert.deepEqual(listBackups(join(path, "nowhere")), []);
  assert.equal(newestBackupMs(join(path, "nowhere")), 0);
});

const damages: readonly (readonly [damage: string, harm: (file: string) => void])[] = [
  ["that is missing", () => {}],
  ["of garbage", (file) => writeFileSync(file, "no database at all".repeat(500))],
  ["that was truncated", (file) => writeFileSync(file, readFileSync(join(path, "sound.db")).subarray(0, 20_000))],
  [
    "with a page of zeros",
    (file) => {
      const bytes = readFileSync(join(path, "sound.db"));
      writeFileSync(file, bytes.fill(0, 4_096 * 3, 4_096 * 4));
    },
  ],
];
for (const [damage, harm] of damages) {
  test(`a file ${damage} does not pass the check`, () => {
    const sound = join(path, "sound.db");
    if (!readdirSync(path).includes("sound.db")) {
      const made = database("sound.db", 1_000);
      made.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      made.close();
    }
    assert.equal(passesDatabaseCheck(sound), true);
    mkdirSync(join(path, "harmed"), { recursive: true });
    const file = join(path, "harmed", `${damage.replaceAll(" ", "-")}.db`);
    harm(file);
    assert.equal(passesDatabaseCheck(file), false);
  });
}

test("a backup is recognised as the launcher's own by its content, whatever its name, and the record of them is bounded", async () => {
  const folder = join(path, "made");
  const source = database("made.db", 1);
  const made = await createBackup(source, folder, new Date("2026-01-01T00:00:00Z"));
  source.close();
  const elsewhere = join(path, "elsewhere.db");
  writeFileSync(elsewhere, readFileSync(made));
  assert.equal(await isOwnBackup(folder, elsewhere), true);
  writeFileSync(elsewhere, Buffer.concat([readFileSync(made), Buffer.from([0])]));
  assert.equal(await isOwnBackup(folder, elsewhere), false);
  const digest = (number: number) => number.toString(16).padStart(64, "0");
  for (let number = 0; number < 3_000; number += 1) recordOwnBackup(folder, digest(number));
  const noted = readFileSync(join(folder, ownBackupsFile), "utf8").split("\n");
  assert.ok(noted.length < 1_020 && noted.includes(digest(2_999)) && noted.includes(digest(2_600)), `${noted.length}`);
});
