// Tests of a database that was damaged while the launcher was off: the next start recovers all that is still readable.

import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { textOf } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { afterAll, beforeAll, test } from "vitest";
import { listBackups } from "../../src/storage/backup.ts";
import type { DataDir } from "../../src/storage/data-dir.ts";
import {
  findPendingSalvage,
  markDatabaseOpen,
  quarantineDatabase,
  recordSalvageAttempt,
} from "../../src/storage/opening.ts";
import { unknownOutcomeMessage } from "../../src/storage/salvage/uncertain-posts.ts";
import { sql, toMessageColumn } from "../../src/storage/sql.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { openStorageIn } from "../support/storage-folder.ts";
import {
  type DamagedFolder,
  damage,
  makeUsedFolder,
  pageBytes,
  readableEvents,
  withDatabase,
} from "./damaged-folder.ts";

const eventsBefore = 500;
const eventsAfter = 1_000;
const events = eventsBefore + eventsAfter;
/** Numbers begin with 1, and every third event is a social trigger. */
const lastSocial = events - (events % 3);
const damages = 40;
const atOnce = 2;
const startMsMax = 10_000;

let folder: DamagedFolder;
beforeAll(async () => {
  folder = await makeUsedFolder(eventsBefore, eventsAfter);
});
afterAll(() => folder?.[Symbol.dispose]());

type Shown = {
  readonly ids: Set<string>;
  readonly wrong: number;
  readonly notices: readonly string[];
  readonly startMs: number;
};

async function shownAfterStart(dir: Parameters<typeof openStorageIn>[0]): Promise<Shown> {
  const beganMs = performance.now();
  await using opened = await openStorageIn(dir);
  const startMs = performance.now() - beganMs;
  const rows = await opened.storage.read(
    sql`SELECT id, checksum(payload) = checksum AS intact FROM event ORDER BY seq`,
  );
  return {
    ids: new Set(rows.map(({ id }) => String(id))),
    wrong: rows.filter(({ intact }) => intact !== 1).length,
    notices: opened.storage.state().notices.map(textOf),
    startMs,
  };
}

type Outcome = {
  readonly line: string;
  readonly isSetAside: boolean;
  readonly isWorse: boolean;
  readonly shown: number;
  readonly readable: number;
};

async function outcomeOf(seed: number): Promise<Outcome> {
  using dir = folder.copy();
  const what = damage(dir.database, seed);
  const readable = readableEvents(dir);
  const [backup = ""] = listBackups(dir.backups);
  const inBackup = withDatabase(backup, (database) =>
    database
      .prepare("SELECT id FROM event")
      .all()
      .map(({ id }) => String(id)),
  );
  const { ids, wrong, notices, startMs } = await shownAfterStart(dir);
  const missing = [...readable, ...inBackup].filter((id) => !ids.has(id)).length;
  const isSetAside = notices.length > 0;
  const line = `${seed}: ${what}: ${ids.size} shown, ${readable.size} readable, ${startMs.toFixed(0)} ms. ${notices.join(" ")}`;
  // Damage that SQLite does not notice is not quarantined, and the checksum finds it.
  const isWorse =
    startMs > startMsMax || (isSetAside && (missing + wrong > 0 || !isHonest(notices.join(" "), ids.size)));
  return { line, isSetAside, isWorse, shown: ids.size, readable: readable.size };
}

/** Returns true if the notice has the true number of lost events. */
function isHonest(notice: string, shown: number): boolean {
  const [, lost] = /Lost events: (\d+)\./.exec(notice) ?? [];
  return notice.includes("No event is lost.") ? shown === events : Number(lost) === events - shown;
}

test("none of 40 damages loses a readable event, and the number of lost events is reported", async () => {
  const outcomes: Outcome[] = [];
  let seed = 0;
  const work = async () => {
    while (seed < damages) {
      seed += 1;
      outcomes.push(await outcomeOf(seed));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  for (const { line } of outcomes) console.log(line);
  const setAside = outcomes.filter((one) => one.isSetAside);
  const percent = (of: "shown" | "readable") =>
    ((100 * setAside.reduce((sum, one) => sum + one[of], 0)) / (events * setAside.length)).toFixed(1);
  console.log(`${setAside.length} set aside: ${percent("shown")} % shown, ${percent("readable")} % by a plain SELECT`);
  assert.ok(setAside.length > 10, "SQLite notices enough of the damage");
  assert.deepEqual(
    outcomes.filter(({ isWorse }) => isWorse).map(({ line }) => line),
    [],
  );
});

/** Fills a page with zeros that the WAL has no newer version of. */
function zero(file: string, page: number, bytes = pageBytes): void {
  const all = readFileSync(file);
  all.fill(0, (page - 1) * pageBytes, (page - 1) * pageBytes + bytes);
  writeFileSync(file, all);
}
/** Returns the pages of a table. Writes the WAL into the file. */
const pagesOf = (dir: DataDir, name: string): number[] => {
  const database = new DatabaseSync(dir.database);
  const rows = database.prepare("SELECT pageno FROM dbstat WHERE name = ? ORDER BY pageno").all(name);
  database.close();
  return rows.map(({ pageno }) => Number(pageno));
};

const schemaDamages: readonly (readonly [part: string, harm: (dir: DataDir) => void])[] = [
  ["its header", (dir) => zero(dir.database, pagesOf(dir, "sqlite_schema")[0] ?? 0, 100)],
  ["its first page", (dir) => zero(dir.database, pagesOf(dir, "sqlite_schema")[0] ?? 0)],
  ["a page of its schema", (dir) => zero(dir.database, pagesOf(dir, "sqlite_schema").at(-2) ?? 0)],
];
for (const [part, harm] of schemaDamages) {
  test(`a database without ${part} is recovered with every event, because the backup has the layout of the tables`, async () => {
    using dir = folder.copy();
    harm(dir);
    const { ids, wrong, notices } = await shownAfterStart(dir);
    assert.match(notices.join(), /was restored.*No event is lost/);
    assert.deepEqual([ids.size, wrong], [events, 0]);
  });
}

test("a database without its first page is recovered without any backup", async () => {
  using dir = folder.copy();
  for (const backup of listBackups(dir.backups)) rmSync(backup);
  zero(dir.database, pagesOf(dir, "sqlite_schema")[0] ?? 0);
  const { ids, wrong } = await shownAfterStart(dir);
  assert.deepEqual([ids.size, wrong], [events, 0]);
});

/** The totals that slices computed from the events. */
async function totalsOf(storage: Storage): Promise<object> {
  const [made] = await storage.read(sql`
    SELECT (SELECT sum(count) FROM issue) AS counted, (SELECT count(*) FROM clip) AS clips,
      (SELECT count(*) FROM receipt) AS receipts, (SELECT max(seq) FROM hand_over) AS reached,
      (SELECT issues FROM issue_size) AS issues`);
  return { ...made };
}

test("totals and cursors are recovered from the same file, so that no event is counted twice or left out", async () => {
  using sound = folder.copy();
  await using whole = await openStorageIn(sound);
  const expected = await totalsOf(whole.storage);
  for (const table of ["receipt_of_event", "issue_fingerprint", "hand_over", "issue"]) {
    using dir = folder.copy();
    const pages = pagesOf(dir, table);
    markDatabaseOpen(dir);
    zero(dir.database, pages.at(-1) ?? 0);
    await using opened = await openStorageIn(dir);
    const [monitor] = await opened.storage.read(sql`SELECT seq FROM hand_over WHERE slice = 'monitor'`);
    const [journal] = await opened.storage.read(
      sql`SELECT count(*) AS n FROM event WHERE kind = 'monitor' AND seq <= ${Number(monitor?.seq)}`,
    );
    const made = (await totalsOf(opened.storage)) as { counted: number };
    assert.equal(made.counted, journal?.n, "the count matches the events up to the monitor's cursor");
    if (table === "receipt_of_event") assert.deepEqual(made, expected);
  }
});

test("a recovery that was killed once is continued at the next start, and given up after the second time", async () => {
  using dir = folder.copy();
  zero(dir.database, pagesOf(dir, "issue").at(-1) ?? 0);
  const aside = await quarantineDatabase(dir, new Date(), () => true);
  recordSalvageAttempt(aside);
  const { ids, notices } = await shownAfterStart(dir);
  assert.equal(ids.size, events);
  assert.match(notices.join(), /No event is lost/);
  using other = folder.copy();
  zero(other.database, pagesOf(other, "issue").at(-1) ?? 0);
  const twice = await quarantineDatabase(other, new Date(), () => true);
  recordSalvageAttempt({ ...twice, attempts: 1 });
  const given = await shownAfterStart(other);
  assert.equal(given.ids.size, eventsBefore);
  assert.equal(findPendingSalvage(other), undefined);
});

test("events of another history than the backup's are not mixed with them", async () => {
  using dir = folder.copy();
  const [backup = ""] = listBackups(dir.backups);
  const database = new DatabaseSync(backup);
  database.exec("UPDATE event SET id = 'other ' || seq");
  database.close();
  zero(dir.database, pagesOf(dir, "sqlite_schema")[0] ?? 0);
  const { ids, notices } = await shownAfterStart(dir);
  assert.equal(ids.size, eventsBefore);
  assert.match(notices.join(), /0 events.*At least/);
});

/** A post of the backup that waits to be sent, and was sent afterwards. */
function addPost(path: string, state: "approved" | "sent"): void {
  const database = new DatabaseSync(path);
  database.exec(`
    INSERT INTO post (seq, id, event, event_seq, event_id, state, text, alt_text, content_warning, attach, without, visibility,
      footage, happened_ms, created_ms)
    VALUES (1, 'a post', 'an event', 3, 'castle_event', '${state}', 'Hello', '', '', 'none', 'post', 'public', 'none', 1, 1);
    INSERT INTO delivery (post_seq, account, network, name, state, key)
    VALUES (1, 'an account', 'discord', 'Castle', '${state === "sent" ? "sent" : "waiting"}', 'a key')`);
  database.close();
}

const postIn = async (storage: Storage) =>
  (
    await storage.read(
      sql`SELECT post.state AS post, delivery.state AS delivery FROM post JOIN delivery ON post_seq = post.seq`,
    )
  )[0];

test("a post that the backup has as waiting is not sent again: it counts as sent, or a person is asked", async () => {
  for (const [harmed, expected] of [
    ["receipt_of_event", { post: "sent", delivery: "sent" }],
    ["post", { post: "sent", delivery: "sent" }],
    ["delivery", { post: "unsure", delivery: "maybe" }],
  ] as const) {
    using dir = folder.copy();
    addPost(listBackups(dir.backups)[0] ?? "", "approved");
    addPost(dir.database, "sent");
    zero(dir.database, pagesOf(dir, harmed).at(-1) ?? 0);
    await using opened = await openStorageIn(dir);
    assert.deepEqual({ ...(await postIn(opened.storage)) }, expected, harmed);
  }
});

test("a forwarding target whose current switches are lost is switched off, and says why", async () => {
  using dir = folder.copy();
  for (const [path, enabled] of [
    [listBackups(dir.backups)[0] ?? "", 1],
    [dir.database, 0],
  ] as const) {
    const database = new DatabaseSync(path);
    database
      .prepare(
        "INSERT INTO forward_target (id, kind, host, access, installation, created_ms, enabled) VALUES ('t', 'otlp', 'h', 'a', 'i', 1, ?)",
      )
      .run(enabled);
    database.close();
  }
  zero(dir.database, pagesOf(dir, "forward_target").at(-1) ?? 0);
  await using opened = await openStorageIn(dir);
  const [target] = await opened.storage.read(sql`SELECT enabled, installation, fault FROM forward_target`);
  assert.deepEqual(
    { ...target },
    { enabled: 0, installation: null, fault: toMessageColumn(message("target.restored")) },
  );
});

test("if posted events are unknown, the recovery posts none of them, and their receipts have the reason", async () => {
  using dir = folder.copy();
  const database = new DatabaseSync(dir.database);
  // The newest event, accepted and perhaps posted.
  database.exec(`DELETE FROM receipt WHERE event_seq = ${lastSocial}`);
  database.close();
  zero(dir.database, pagesOf(dir, "hand_over")[0] ?? 0);
  await using opened = await openStorageIn(dir);
  const [place] = await opened.storage.read(sql`SELECT seq FROM hand_over WHERE slice = 'social'`);
  assert.equal(place?.seq, lastSocial);
  const [receipt] = await opened.storage.read(sql`SELECT state, reason FROM receipt WHERE event_seq = ${lastSocial}`);
  assert.deepEqual({ ...receipt }, { state: "failed", reason: toMessageColumn(unknownOutcomeMessage) });
});
