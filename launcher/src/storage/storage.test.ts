// Tests of the storage: a finished write is durable, there is one writer, a damaged database is repaired, and upkeep runs regularly.

import assert from "node:assert/strict";
import { once } from "node:events";
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { textOf } from "@kit/contract";
import { test, vi } from "vitest";
import {
  makeDataDir,
  migrations,
  openStorageFolder,
  openStorageIn,
  removeDataDir,
} from "../../test/support/storage-folder.ts";
import { insertEvent } from "../inbox/inbox-store.ts";
import { recordOwnBackup, sha256OfFile } from "./backup.ts";
import { type DataDir, takeDataDirLock } from "./data-dir.ts";
import { DataDirInUse, UnknownSchema } from "./failure.ts";
import { markDatabaseOpen } from "./opening.ts";
import { sql } from "./sql.ts";
import { openStorage, type Storage, startUpkeepTimer } from "./storage.ts";
import { startStorageThread } from "./threads/thread.ts";

const event = (id: string, payload = `{"message":"${"m".repeat(2_000)}"}`) =>
  insertEvent({
    id,
    kind: "monitor",
    eventId: null,
    payload,
    actsOnMs: 0,
    receivedAtMs: 0,
    status: "accepted",
    reason: null,
    notes: [],
    origin: null,
    client: null,
  });
const idsIn = async (storage: Storage) =>
  (await storage.read(sql`SELECT id FROM event ORDER BY seq`)).map(({ id }) => id);

test("written rows can be read in order, with every character", async () => {
  await using folder = await openStorageFolder();
  const { storage } = folder;
  const payload = '{"a":"\\ud800 \\u0000 \u2028 😀"}';
  await Promise.all([storage.write(event("a", payload)), storage.write(event("b"))]);
  assert.deepEqual(await idsIn(storage), ["a", "b"]);
  assert.deepEqual(await storage.read(sql`SELECT payload FROM event WHERE id = ${"a"}`), [{ payload }]);
});

test("the connection that commits events waits for the disk with each commit: WAL, synchronous FULL and fullfsync", async () => {
  await using folder = await openStorageFolder();
  const { storage } = folder;
  // The thread that commits evaluates the pragmas, so they are those of its own connection.
  await storage.write(sql`
    INSERT INTO notice_setting SELECT 'syncs', concat_ws(' ', journal_mode, synchronous, fullfsync, checkpoint_fullfsync)
    FROM pragma_journal_mode, pragma_synchronous, pragma_fullfsync, pragma_checkpoint_fullfsync`);
  const [row] = await storage.read(sql`SELECT value FROM notice_setting WHERE name = 'syncs'`);
  assert.equal(row?.value, "wal 2 1 1");
});

test("only the faulty ones of many simultaneous writes fail, each completely", async () => {
  await using folder = await openStorageFolder();
  const { storage } = folder;
  const outcomes = await Promise.allSettled([
    storage.write(event("a")),
    storage.write(event("b"), event("a")),
    storage.write(event("c"), sql`INSERT INTO nowhere (x) VALUES (1)`),
    storage.write(event("d"), event("e")),
  ]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ["fulfilled", "rejected", "rejected", "fulfilled"],
  );
  assert.deepEqual(await idsIn(storage), ["a", "d", "e"]);
  assert.equal(storage.state().failing, null, "a faulty statement does not count as a failing disk");
});

test("closing commits waiting writes, and leaves one complete file", async () => {
  using dir = await used();
  let writes: Promise<void>[] = [];
  {
    await using folder = await openStorageIn(dir);
    writes = Array.from({ length: 50 }, (_, index) => folder.storage.write(event(`late-${index}`)));
  }
  await Promise.all(writes);
  assert.deepEqual([dir.openMarker, `${dir.database}-wal`].filter(existsSync), []);
  const database = new DatabaseSync(dir.database, { readOnly: true });
  assert.deepEqual({ ...database.prepare("SELECT count(*) AS events FROM event").get() }, { events: 90 });
  database.close();
});

test("a storage that is closed while it opens leaves no open marker and no log", async () => {
  const dir = makeDataDir();
  const writer = startStorageThread("writer", { path: dir.path, migrations });
  const ended = once(writer, "exit");
  for (const type of ["open", "close", "try"]) writer.postMessage({ type });
  await ended;
  assert.deepEqual([dir.openMarker, `${dir.database}-wal`].filter(existsSync), []);
  removeDataDir(dir);
});

test("a data directory can be used by one launcher at a time", async () => {
  await using folder = await openStorageFolder();
  await assert.rejects(
    openStorage(folder.dir, migrations, () => {}),
    DataDirInUse,
  );
  assert.throws(() => takeDataDirLock(folder.dir.lock), DataDirInUse);
});

test("a released lock can be taken again", () => {
  const dir = makeDataDir();
  takeDataDirLock(dir.lock).close();
  takeDataDirLock(dir.lock).close();
  removeDataDir(dir);
});

test("a database of a newer Kit is refused and not changed", async () => {
  const dir = makeDataDir();
  const database = new DatabaseSync(dir.database);
  database.exec("CREATE TABLE later (x); PRAGMA user_version = 9999");
  database.close();
  const before = readFileSync(dir.database);
  await assert.rejects(
    openStorage(dir, migrations, () => {}),
    UnknownSchema,
  );
  const reopened = new DatabaseSync(dir.database, { readOnly: true });
  assert.equal(reopened.prepare("PRAGMA user_version").get()?.user_version, 9999);
  reopened.close();
  assert.ok(before.length > 0 && !existsSync(dir.quarantine));
  removeDataDir(dir);
});

test("files and folders are accessible to their owner only", async () => {
  const before = process.umask(0);
  try {
    await using folder = await openStorageFolder();
    await folder.storage.write(event("a"));
    for (const name of readdirSync(folder.dir.path)) {
      assert.equal(statSync(join(folder.dir.path, name)).mode & 0o077, 0, name);
    }
  } finally {
    process.umask(before);
  }
});

/** A data directory with 40 events that was closed cleanly, with a good backup and a newer, broken one. */
async function used(): Promise<DataDir & Disposable> {
  const dir = makeDataDir();
  {
    await using folder = await openStorageIn(dir);
    for (let index = 0; index < 40; index += 1) await folder.storage.write(event(`event-${index}`));
  }
  mkdirSync(dir.backups, { mode: 0o700 });
  copyFileSync(dir.database, join(dir.backups, "2026-01-01T00-00-00.000Z.db"));
  writeFileSync(join(dir.backups, "2026-01-02T00-00-00.000Z.db"), "broken");
  return { ...dir, [Symbol.dispose]: () => removeDataDir(dir) };
}

const pageBytes = 4_096;
function overwrite(file: string, bytes: Buffer, at: number): void {
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, bytes, 0, bytes.length, at);
  closeSync(descriptor);
}
const zeroPage = (file: string) => overwrite(file, Buffer.alloc(pageBytes), statSync(file).size - pageBytes * 3);

const damages: readonly (readonly [damage: string, harm: (file: string) => void])[] = [
  ["a header of garbage", (file) => overwrite(file, Buffer.alloc(100, "garbage!"), 0)],
  ["its end cut off", (file) => truncateSync(file, pageBytes * 5 + 17)],
  ["a page of zeros", zeroPage],
  ["nothing but garbage", (file) => writeFileSync(file, Buffer.alloc(50_000, "x"))],
];
for (const [damage, harm] of damages) {
  test(`after a crash a file with ${damage} is quarantined, and the newest good backup is restored`, async () => {
    using dir = await used();
    markDatabaseOpen(dir);
    harm(dir.database);
    const damaged = readFileSync(dir.database);
    const notices: string[] = [];
    await using opened = await openStorageIn(dir, (notice) => notices.push(textOf(notice)));
    const { storage } = opened;
    assert.equal(storage.state().failing, null);
    assert.equal((await idsIn(storage)).length, 40);
    await storage.write(event("after"));
    assert.equal((await idsIn(storage)).at(-1), "after");
    assert.match(notices.join(), /damaged.*2026-01-01T00-00-00\.000Z\.db was restored/);
    assert.deepEqual(storage.state().notices.map(textOf), notices);
    const [place = ""] = readdirSync(dir.quarantine);
    const kept = readFileSync(join(dir.quarantine, place, "kit.db"));
    assert.ok(kept.subarray(pageBytes).equals(damaged.subarray(pageBytes)), "the quarantined file is unchanged");
  });
}

test("a foreign file among the backups replaces a damaged database only if the launcher made no backup itself", async () => {
  using dir = await used();
  const own = "2026-01-01T00-00-00.000Z.db";
  recordOwnBackup(dir.backups, await sha256OfFile(join(dir.backups, own)));
  const gift = join(dir.backups, "2099-01-01T00-00-00.000Z.db");
  writeFileSync(gift, readFileSync(join(dir.backups, own)));
  const database = new DatabaseSync(gift);
  database.exec("CREATE TRIGGER lost AFTER INSERT ON event BEGIN DELETE FROM event; END");
  database.close();
  writeFileSync(dir.database, "garbage".repeat(1_000));
  const notices: string[] = [];
  await using opened = await openStorageIn(dir, (notice) => notices.push(textOf(notice)));
  assert.match(notices.join(), new RegExp(`The backup ${own} was restored`));
  await opened.storage.write(event("after"));
  assert.equal((await idsIn(opened.storage)).length, 41);
});

test("a damaged database without a good backup is quarantined, and Kit starts with an empty one", async () => {
  using dir = await used();
  for (const name of readdirSync(dir.backups)) writeFileSync(join(dir.backups, name), "broken");
  writeFileSync(dir.database, "garbage".repeat(1_000));
  const notices: string[] = [];
  await using opened = await openStorageIn(dir, (notice) => notices.push(textOf(notice)));
  assert.match(notices.join(), /no good backup.*empty database/);
  await opened.storage.write(event("after"));
  assert.deepEqual(await idsIn(opened.storage), ["after"]);
});

test("a database without content is damaged if Kit had stored data in it, and not if it is new or was moved away", async () => {
  for (const [how, isDamage] of [
    ["emptied after a clean end", true],
    ["emptied after a crash", true],
    ["gone after a crash", true],
    ["moved away after a clean end", false],
  ] as const) {
    using dir = await used();
    if (how.endsWith("crash")) markDatabaseOpen(dir);
    if (how.startsWith("emptied")) writeFileSync(dir.database, "");
    else rmSync(dir.database);
    const notices: string[] = [];
    await using opened = await openStorageIn(dir, (notice) => notices.push(textOf(notice)));
    assert.equal((await idsIn(opened.storage)).length, isDamage ? 40 : 0, how);
    assert.match(notices.join(), isDamage ? /The backup .* was restored.*At least/ : /^$/, how);
  }
});

test("an undamaged database is checked after a crash and used without a notice", async () => {
  using dir = await used();
  markDatabaseOpen(dir);
  await using opened = await openStorageIn(dir, (notice) => assert.fail(textOf(notice)));
  assert.equal((await idsIn(opened.storage)).length, 40);
  assert.equal(existsSync(dir.quarantine), false);
});

test("damage that only a read finds after a clean end is repaired by the next opening, and nothing is written before", async () => {
  using dir = await used();
  zeroPage(dir.database);
  const readAll = (storage: Storage) => storage.read(sql`SELECT payload FROM event`);
  {
    await using opened = await openStorageIn(dir, (notice) => assert.fail(textOf(notice)));
    const { storage } = opened;
    await assert.rejects(readAll(storage));
    await storage.damaged;
    await assert.rejects(storage.write(event("between")), /Kit moves it to quarantine, restarts/);
  }
  const notices: string[] = [];
  await using opened = await openStorageIn(dir, (notice) => notices.push(textOf(notice)));
  assert.match(notices.join(), /damaged/);
  assert.ok((await readAll(opened.storage)).length >= 40);
  await opened.storage.write(event("after"));
});

test("a search index that refuses every write although the tables are intact is damage, and the next opening rebuilds it", async () => {
  using dir = await used();
  const addText = (row: number) =>
    sql`INSERT INTO issue_text (rowid, title, place, note, game) VALUES (${row}, ${`Nil has no hp ${row}`}, '', '', '')`;
  {
    await using opened = await openStorageIn(dir);
    for (let row = 0; row < 20; row += 1) await opened.storage.write(addText(row));
  }
  const database = new DatabaseSync(dir.database);
  database.enableDefensive(false);
  // The record that names the index's segments.
  database.exec("UPDATE issue_text_data SET block = zeroblob(length(block)) WHERE id = 10");
  database.close();
  {
    await using opened = await openStorageIn(dir);
    await assert.rejects(opened.storage.write(addText(20)), /constraint failed/);
    opened.storage.verify();
    await opened.storage.damaged;
  }
  await using opened = await openStorageIn(dir);
  assert.equal((await idsIn(opened.storage)).length, 40);
  await opened.storage.write(addText(20));
});

test("a disk that damages every file is given up after three times", async () => {
  using dir = await used();
  let opened = 0;
  for (let round = 0; round < 5; round += 1) {
    writeFileSync(dir.database, "garbage".repeat(1_000));
    await using folder = await openStorageIn(dir);
    const { failing } = folder.storage.state();
    if (failing === null) opened += 1;
    else assert.match(textOf(failing), /Check the disk/);
  }
  assert.equal(opened, 3);
  assert.equal(readdirSync(dir.quarantine).length, 3);
});

test("upkeep runs every minute while the database is in use, every hour while it is idle, and never after the stop", () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  let runs = 0;
  let isResting = false;
  const stop = startUpkeepTimer({ run: () => (runs += 1), isResting: () => isResting });
  const runsIn = (minutes: number) => {
    const before = runs;
    for (let minute = 0; minute < minutes; minute += 1) vi.advanceTimersByTime(60_000);
    return runs - before;
  };
  assert.equal(runsIn(5), 5);
  isResting = true;
  assert.deepEqual([runsIn(59), runsIn(1), runsIn(120)], [0, 1, 2]);
  isResting = false;
  assert.equal(runsIn(2), 2);
  stop();
  assert.equal(runsIn(2), 0);
});
