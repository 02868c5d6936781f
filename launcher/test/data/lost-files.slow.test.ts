// Tests in which database files are deleted, moved, replaced or overwritten while games send: no acknowledged event is lost.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { type Backup, type MessageOrText, textOf } from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { insertEvent } from "../../src/inbox/inbox-store.ts";
import { dataDirAt } from "../../src/storage/data-dir.ts";
import { liveCopyBytesMax } from "../../src/storage/guard/live-copy.ts";
import { sql } from "../../src/storage/sql.ts";
import { openStorage, type Storage } from "../../src/storage/storage.ts";
import { startLauncherProcess } from "../support/own-launcher.ts";
import { migrations } from "../support/storage-folder.ts";
import { until } from "../support/until.ts";
import { reopenedOf, startsOf } from "./games-folder.ts";
import { type Mishap, mishaps, overwritings, removeFolder, type Surroundings } from "./lost-files.ts";

let folder: string;
let foreign: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "kit-lost-"));
  const dir = join(folder, "foreign");
  const storage = await opened(dir);
  await writeEvents(storage, 300);
  foreign = join(folder, "foreign.db");
  spawnSync("cp", [join(dir, "kit.db-wal"), `${foreign}-wal`]);
  await storage.close();
  copyFileSync(join(dir, "kit.db"), foreign);
});
afterAll(async () => {
  // A failed test may have left a storage open.
  for (const { close } of storages) await close();
  rmSync(folder, { recursive: true, force: true });
});

const storages: Storage[] = [];

async function opened(
  dataDir: string,
  onFailing?: (reason: MessageOrText | null) => void,
  onNotice: (notice: MessageOrText) => void = () => undefined,
): Promise<Storage> {
  mkdirSync(dataDir, { recursive: true });
  const storage = await openStorage(dataDirAt(dataDir), migrations, onNotice, onFailing);
  storages.push(storage);
  return storage;
}

const eventOf = (id: string) => ({
  ...({ id, kind: "recording", eventId: "e", payload: "{}", actsOnMs: 1, receivedAtMs: 1 } as const),
  ...({ status: "accepted", reason: null, notes: [], origin: null, client: null } as const),
});

/** Writes that many events. Returns the ids of those that were acknowledged. */
async function writeEvents(storage: Storage, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  const done = await Promise.allSettled(ids.map((id) => storage.write(insertEvent(eventOf(id)))));
  return ids.filter((_, index) => done[index]?.status === "fulfilled");
}

/** Writes like `lanes` simultaneous senders until it is stopped. */
function load(storage: Storage, lanes: number) {
  const acknowledged: string[] = [];
  const refused = new Set<string>();
  let isStopping = false;
  const send = async () => {
    while (!isStopping) {
      const id = randomUUID();
      await storage.write(insertEvent(eventOf(id))).then(
        () => acknowledged.push(id),
        (error) => refused.add(error.message),
      );
    }
  };
  const sending = Array.from({ length: lanes }, send);
  return {
    acknowledged,
    refused,
    more(count: number) {
      const target = acknowledged.length + count;
      return until(`${count} more are acknowledged`, () => acknowledged.length >= target);
    },
    async stop() {
      isStopping = true;
      await Promise.all(sending);
    },
  };
}

/** The ids that are not in the journal exactly once. */
function lostIn(dataDir: string, ids: readonly string[]): string[] {
  const database = new DatabaseSync(join(dataDir, "kit.db"));
  const rows = database.prepare("SELECT id, count(*) AS times FROM event GROUP BY id").all();
  database.close();
  const kept = new Map(rows.map(({ id, times }) => [id, times]));
  return ids.filter((id) => kept.get(id) !== 1);
}

const eventsIn = (path: string): number => {
  try {
    // Opens the file without creating files beside it.
    const frozen = pathToFileURL(path);
    frozen.searchParams.set("immutable", "1");
    using database = new DatabaseSync(frozen, { readOnly: true });
    return Number(database.prepare("SELECT count(*) AS events FROM event").get()?.events);
  } catch {
    return 0;
  }
};
const liveCopiesIn = (dataDir: string) => {
  const copies = join(dataDir, "live-copy");
  return existsSync(copies) ? readdirSync(copies).map((name) => join(copies, name)) : [];
};

/** Resolves when the live copy exists and has an event that came after its creation. */
async function isFollowed(storage: Storage, dataDir: string): Promise<void> {
  const held = () => Math.max(0, ...liveCopiesIn(dataDir).map(eventsIn));
  await storage.write(insertEvent(eventOf(randomUUID())));
  await until("the live copy is made", () => held() > 0);
  const made = held();
  await until("the live copy has a later event", async () => {
    await storage.write(insertEvent(eventOf(randomUUID())));
    return held() > made + 1;
  });
}

/** The ids that would be lost if the launcher were killed now, read from a copy of the files. */
function lostAfterKill(dataDir: string, ids: readonly string[]): string[] {
  const image = mkdtempSync(join(folder, "image-"));
  // Copied by another process, because closing the files here would release their locks.
  for (const file of readdirSync(dataDir).filter((name) => name.startsWith("kit.db")))
    spawnSync("cp", [join(dataDir, file), image]);
  return lostIn(image, ids);
}

function surroundings(): Surroundings {
  const place = mkdtempSync(join(folder, "run-"));
  const around = { dataDir: join(place, "data"), elsewhere: join(place, "elsewhere"), foreign };
  mkdirSync(around.elsewhere);
  return around;
}

async function outcomeOf({ happen }: Mishap) {
  const around = surroundings();
  const { dataDir } = around;
  const first = await opened(dataDir);
  const old = await writeEvents(first, 500);
  await first.close();
  // Old events are in the database file from here on, new ones in its log.
  const failings: (MessageOrText | null)[] = [];
  /** The failure that health reported at the time of each notice. */
  const failingAtNotice: (MessageOrText | null | undefined)[] = [];
  const storage = await opened(
    dataDir,
    (reason) => failings.push(reason),
    () => failingAtNotice.push(failings.at(-1)),
  );
  await isFollowed(storage, dataDir);
  const sending = load(storage, 32);
  try {
    await sending.more(200);
    happen(around);
    await sending.more(200);
  } finally {
    // Senders that are not stopped would keep this process busy for ever.
    await sending.stop();
  }
  await until("the notice appears", () => storage.state().notices.length > 0);
  const ids = sending.acknowledged;
  const read = (
    await storage.read(
      sql`SELECT count(*) AS events FROM event WHERE id IN (SELECT value FROM json_each(${JSON.stringify([...old, ...ids])}))`,
    )
  )[0]?.events;
  const { notices, failing } = storage.state();
  const killed = { lost: lostAfterKill(dataDir, ids).length, lostOld: lostAfterKill(dataDir, old).length };
  await storage.close();
  const ended = { lost: lostIn(dataDir, ids).length, lostOld: lostIn(dataDir, old).length };
  return {
    acknowledged: ids.length,
    read,
    notices: notices.map(textOf),
    failing,
    failings,
    failingAtNotice,
    refused: sending.refused,
    killed,
    ended,
    around,
  };
}

for (const mishap of [...mishaps, ...overwritings]) {
  test(`${mishap.name} under load: every acknowledged event is there at the next start, and a notice reports it`, async () => {
    const { acknowledged, read, notices, failing, killed, ended, refused, failings, failingAtNotice } =
      await outcomeOf(mishap);
    assert.deepEqual({ killed, ended }, { killed: { lost: 0, lostOld: 0 }, ended: { lost: 0, lostOld: 0 } });
    assert.equal(read, 500 + acknowledged, "lists show every event");
    assert.match(notices.join(), /deleted, moved, replaced or overwritten.*all \d+ events/);
    assert.match(textOf(failings[0] ?? ""), /deleted, moved, replaced or overwritten.*Do not stop Kit/);
    assert.deepEqual([...new Set(failingAtNotice)], [null], "the failure is withdrawn before the notice");
    assert.deepEqual([failing, ...refused], [null]);
  });
}

const whileIdle = /folder deleted|another database moved|database emptied|log emptied/;
for (const mishap of [...mishaps, ...overwritings].filter(({ name }) => whileIdle.test(name))) {
  test(`${mishap.name} without load is noticed and repaired`, async () => {
    const around = surroundings();
    const storage = await opened(around.dataDir);
    const ids = await writeEvents(storage, 50);
    await isFollowed(storage, around.dataDir);
    mishap.happen(around);
    await until("the notice appears", () => storage.state().notices.length > 0);
    assert.deepEqual(lostAfterKill(around.dataDir, ids), []);
    await storage.close();
  });
}

test("a database that was moved over Kit's is set aside unchanged", async () => {
  const { around } = await outcomeOf(mishaps.find(({ name }) => name.startsWith("another database moved")) as Mishap);
  const aside = join(around.dataDir, "aside");
  const [name = ""] = readdirSync(aside);
  assert.match(name, /-replaced$/);
  const database = new DatabaseSync(join(aside, name, "kit.db"));
  assert.deepEqual({ ...database.prepare("SELECT count(*) AS events FROM event").get() }, { events: 300 });
  database.close();
});

test("the content that another program wrote over the database is set aside", async () => {
  const { around } = await outcomeOf(overwritings[0] as Mishap);
  const aside = join(around.dataDir, "aside");
  const [name = ""] = readdirSync(aside);
  assert.match(name, /-replaced$/);
  assert.deepEqual(readFileSync(join(aside, name, "kit.db")), readFileSync(foreign));
  assert.deepEqual(liveCopiesIn(around.dataDir), [], "no live copy is left after the storage was closed");
});

test("a database too large for a live copy is quarantined when it is overwritten, and Kit restarts with a new one", async () => {
  const { dataDir } = surroundings();
  const first = await opened(dataDir);
  await writeEvents(first, 50);
  await first.close();
  // SQLite uses the number of pages in the header, so what follows them does not count.
  truncateSync(join(dataDir, "kit.db"), liveCopyBytesMax + 4096);
  const storage = await opened(dataDir);
  await writeEvents(storage, 1);
  // A copy makes its folder before the first commit, so the folder would be there by now.
  assert.equal(existsSync(join(dataDir, "live-copy")), false, "Kit makes no live copy");
  copyFileSync(foreign, join(dataDir, "kit.db"));
  await storage.damaged;
  await storage.close();
  const again = await opened(dataDir);
  assert.match(again.state().notices.map(textOf).join(), /database was damaged and moved to/);
  const ids = await writeEvents(again, 50);
  assert.equal(ids.length, 50);
  assert.deepEqual(lostAfterKill(dataDir, ids), []);
  await again.close();
});

test("after five changed file times without a change of content, Kit no longer treats them as an overwrite", async () => {
  const { dataDir } = surroundings();
  const storage = await opened(dataDir);
  const ids: string[] = [];
  const touched = async () => {
    await isFollowed(storage, dataDir);
    utimesSync(join(dataDir, "kit.db"), 1, 1);
    ids.push(...(await writeEvents(storage, 10)));
  };
  for (let time = 1; time <= 5; time += 1) {
    await touched();
    assert.equal(storage.state().notices.length, time);
  }
  await touched();
  assert.equal(storage.state().notices.length, 5);
  assert.deepEqual(lostAfterKill(dataDir, ids), []);
  await storage.close();
});

test("while the database cannot be restored nothing is acknowledged and the reason is reported, and it is restored as soon as possible", async () => {
  const { dataDir, elsewhere } = surroundings();
  const storage = await opened(dataDir);
  const ids = await writeEvents(storage, 50);
  const count = async () => (await storage.read(sql`SELECT count(*) AS events FROM event`))[0]?.events;
  assert.equal(await count(), 50);
  renameSync(dataDir, join(elsewhere, "moved"));
  // A link to nowhere, like a removed disk.
  symlinkSync(join(elsewhere, "away"), dataDir);
  await assert.rejects(
    storage.write(insertEvent(eventOf(randomUUID()))),
    /deleted, moved, replaced or overwritten.*Do not stop Kit/,
  );
  assert.match(textOf(storage.state().failing ?? ""), /Do not stop Kit/);
  assert.equal(await count(), 50, "lists still work");
  mkdirSync(join(elsewhere, "away"));
  await until("the storage works again", () => storage.state().failing === null);
  ids.push(...(await writeEvents(storage, 1)));
  assert.deepEqual(lostAfterKill(dataDir, ids), []);
  await storage.close();
  assert.ok(existsSync(join(elsewhere, "away", "kit.db")));
});

test("after a launcher's folder was deleted, the command line finds the launcher again, and health reports the recovery", async () => {
  const { dataDir } = surroundings();
  await using launcher = await startLauncherProcess({ dataDir });
  const send = () => launcher.trigger("e");
  const ids = [await send()];
  removeFolder({ dataDir });
  const answers = async () => {
    ids.push(await send());
    return existsSync(join(dataDir, "secret")) && existsSync(join(dataDir, "running.json"));
  };
  await until("the secret is there again", answers);
  const { storage } = await launcher.health();
  assert.equal(storage.state, "ok");
  assert.match(storage.notices.map(textOf).join(), /all \d+ events/);
  await launcher.restart("SIGKILL");
  for (const id of ids) assert.equal((await launcher.receipt(id)).event.intact, true);
});

test("a backup, its restore and a complete wipe cause no notice", async () => {
  const { dataDir } = surroundings();
  await using launcher = await startLauncherProcess({ dataDir });
  await launcher.trigger("e");
  const { name } = (await launcher.api("POST", "/api/backups")).json<Backup>();
  const replacing = { [`/api/backups/${name}/restore`]: undefined, "/api/wipe-all": { confirm: "wipe all" } };
  for (const [path, body] of Object.entries(replacing)) {
    const began = await startsOf(launcher);
    assert.equal((await launcher.api("POST", path, body)).status, 202, path);
    await reopenedOf(launcher, began);
    await until("the launcher answers", () =>
      launcher.health().then(
        () => true,
        () => false,
      ),
    );
    assert.deepEqual((await launcher.health()).storage, { state: "ok", notices: [] }, path);
  }
  assert.deepEqual(
    readdirSync(join(dataDir, "aside")).filter((aside) => aside.endsWith("-replaced")),
    [],
  );
});
