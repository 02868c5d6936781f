// Backups are whole, checked, for their owner's eyes, and only the newest three.
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { makeDataDir, removeDataDir } from "../../../test/support/storage-folder.ts";
import { createBackup, passesCheck } from "./backup.ts";
import { createdAtMs, listBackups, newestBackupMs } from "./backup-names.ts";
import { isOwnBackup, ownBackupsFile, recordOwnBackup } from "./own-backups.ts";

const { path } = makeDataDir();
after(() => removeDataDir({ path } as never));

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

test("a backup holds everything, also what is not yet written back into the file", async () => {
  const folder = join(path, "whole");
  const source = database("whole.db", 500);
  await createBackup(source, folder, new Date("2026-01-01T00:00:00Z"));
  source.close();
  const [file = ""] = listBackups(folder);
  assert.equal(rowsIn(file), 500);
  assert.equal(passesCheck(file), true);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.ok(newestBackupMs(folder) > 0);
});

test("a backup that begins in the middle of a transaction is taken when the transaction is over", async () => {
  const folder = join(path, "busy");
  const source = database("busy.db", 500);
  source.exec("BEGIN IMMEDIATE; INSERT INTO event VALUES ('y')");
  const taken = createBackup(source, folder, new Date("2026-01-01T00:00:00Z"));
  // Node takes the first step in another thread, while this one does nothing else.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  source.exec("COMMIT");
  await taken;
  source.close();
  assert.equal(rowsIn(listBackups(folder)[0] ?? ""), 501);
});

test("the newest three are kept, whenever they were made", async () => {
  const folder = join(path, "three");
  const source = database("three.db", 1);
  for (const day of [1, 2, 3, 4, 5]) await createBackup(source, folder, new Date(`2026-01-0${day}T00:00:00Z`));
  source.close();
  assert.deepEqual(
    listBackups(folder).map((file) => file.slice(folder.length + 1, folder.length + 11)),
    ["2026-01-05", "2026-01-04", "2026-01-03"],
  );
  assert.equal(readdirSync(folder).filter((name) => name !== ownBackupsFile).length, 3, "nothing unfinished is left");
});

test("of a person's the newest ten are kept, and neither maker's push out the other's", async () => {
  const folder = join(path, "own");
  const source = database("own.db", 1);
  for (let day = 10; day < 22; day += 1)
    await createBackup(source, folder, new Date(`2026-01-${day}T00:00:00Z`), "person");
  for (const day of [1, 2, 3, 4]) await createBackup(source, folder, new Date(`2026-01-0${day}T00:00:00Z`));
  source.close();
  assert.deepEqual([listBackups(folder, "person").length, listBackups(folder, "launcher").length], [10, 3]);
  const [newest = ""] = listBackups(folder);
  assert.equal(newest.slice(folder.length + 1), "2026-01-21T00-00-00.000Z-own.db");
  assert.equal(createdAtMs(newest), Date.parse("2026-01-21T00:00:00Z"));
});

test("a backup that fails leaves nothing behind, and the older ones alone", async () => {
  const folder = join(path, "fails");
  const source = database("fails.db", 1);
  await createBackup(source, folder, new Date("2026-01-01T00:00:00Z"));
  source.close();
  await assert.rejects(createBackup(source, folder, new Date("2026-01-02T00:00:00Z")));
  assert.equal(readdirSync(folder).filter((name) => name !== ownBackupsFile).length, 1);
});

test("where there is no folder there are no backups", () => {
  assert.deepEqual(listBackups(join(path, "nowhere")), []);
  assert.equal(newestBackupMs(join(path, "nowhere")), 0);
});

const damages: readonly (readonly [says: string, harm: (file: string) => void])[] = [
  ["that is absent", () => {}],
  ["of garbage", (file) => writeFileSync(file, "no database at all".repeat(500))],
  ["that was cut", (file) => writeFileSync(file, readFileSync(join(path, "sound.db")).subarray(0, 20_000))],
  [
    "with a page of zeros",
    (file) => {
      const bytes = readFileSync(join(path, "sound.db"));
      writeFileSync(file, bytes.fill(0, 4_096 * 3, 4_096 * 4));
    },
  ],
];
for (const [says, harm] of damages) {
  test(`a file ${says} is not sound`, () => {
    const sound = join(path, "sound.db");
    if (!readdirSync(path).includes("sound.db")) {
      const made = database("sound.db", 1_000);
      made.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      made.close();
    }
    assert.equal(passesCheck(sound), true);
    mkdirSync(join(path, "harmed"), { recursive: true });
    const file = join(path, "harmed", `${says.replaceAll(" ", "-")}.db`);
    harm(file);
    assert.equal(passesCheck(file), false);
  });
}

test("a backup is known as made here by what is in it, whatever its name; the note of them is bounded", async () => {
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
