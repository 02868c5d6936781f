// Tests of backups, restores, wipes and exports with a whole launcher, including the files on disk afterwards.
import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Backup, DiskUsage, PreviousData, Wipe } from "@kit/contract";
import { test } from "vitest";
import { ownBackupsFile } from "../../src/storage/backup.ts";
import { type OwnLauncher, type Reply, startOwnLauncher } from "../support/own-launcher.ts";
import { until } from "../support/until.ts";
import { filesWith, findsSenders, play, reopenedOf, setDue, startsOf } from "./games-folder.ts";

const isThere = async (launcher: OwnLauncher, id: string) =>
  (await launcher.api("GET", `/api/events/${id}`)).status === 200;
const done = <T>(reply: Reply, status: number): T => {
  assert.equal(reply.status, status, reply.text);
  return reply.json<T>();
};
const usageOf = async (launcher: OwnLauncher) => done<DiskUsage>(await launcher.api("GET", "/api/usage"), 200);
const heldOf = async (launcher: OwnLauncher, game: string | null) =>
  (await usageOf(launcher)).games.find((one) => one.game === game);
const asides = async (launcher: OwnLauncher) =>
  done<{ aside: PreviousData[] }>(await launcher.api("GET", "/api/aside"), 200).aside;

/** Sends the request, and waits until the launcher has reopened its data. */
async function reopening(launcher: OwnLauncher, method: string, path: string, body?: unknown): Promise<string> {
  const began = await startsOf(launcher);
  const { aside } = done<{ aside: string }>(await launcher.api(method, path, body), 202);
  await reopenedOf(launcher, began);
  return aside;
}

test("a restored backup replaces the database, and the previous data is set aside and can be restored", async () => {
  await using launcher = await startOwnLauncher();
  const first = await launcher.trigger("saga_first", "social");
  const backup = done<Backup>(await launcher.api("POST", "/api/backups"), 201);
  assert.deepEqual([backup.by, backup.bytes > 10_000], ["person", true]);
  const later = await launcher.trigger("saga_later", "social");
  const aside = await reopening(launcher, "POST", `/api/backups/${backup.name}/restore`);
  assert.deepEqual([await isThere(launcher, first), await isThere(launcher, later)], [true, false]);
  const [one] = await asides(launcher);
  assert.deepEqual([one?.name, one?.why], [aside, "restored"]);
  const now = await launcher.trigger("saga_now", "social");
  await reopening(launcher, "POST", `/api/aside/${aside}/restore`);
  assert.deepEqual(
    [await isThere(launcher, first), await isThere(launcher, later), await isThere(launcher, now)],
    [true, true, false],
  );
  const [other] = await asides(launcher);
  assert.notEqual(other?.name, aside);
  assert.equal((await launcher.api("DELETE", `/api/aside/${other?.name}`)).status, 204);
  assert.deepEqual(await asides(launcher), []);
  const file = await launcher.api("GET", `/api/backups/${backup.name}/file`);
  assert.match(String(file.headers["content-disposition"]), /-own\.db"$/);
  assert.equal((await launcher.api("DELETE", `/api/backups/${backup.name}`)).status, 204);
  assert.equal((await launcher.api("DELETE", `/api/backups/${backup.name}`)).status, 404);
});

test("a file that cannot be the database is refused without a change, and a restored backup gives no origin access", async () => {
  await using launcher = await startOwnLauncher();
  const id = await launcher.trigger("saga_first", "social");
  const { name } = done<Backup>(await launcher.api("POST", "/api/backups"), 201);
  const backups = join(launcher.dataDir, "backups");
  const make = (named: string, change: (database: DatabaseSync) => void) => {
    copyFileSync(join(backups, name), join(backups, named));
    const database = new DatabaseSync(join(backups, named));
    change(database);
    database.close();
  };
  make("newer-own.db", (database) => database.exec("PRAGMA user_version = 9999"));
  writeFileSync(join(backups, "torn-own.db"), readFileSync(join(backups, name)).subarray(0, 40_000));
  writeFileSync(join(backups, "text-own.db"), "no database at all ".repeat(1_000));
  new DatabaseSync(join(backups, "foreign-own.db")).exec("CREATE TABLE other (a); INSERT INTO other VALUES (1)");
  make("older-own.db", (database) =>
    database.exec("INSERT INTO origin VALUES ('http://old.example', '30-days', 1, 4e12)"),
  );
  for (const refused of ["newer", "torn", "text", "foreign"]) {
    const reply = await launcher.api("POST", `/api/backups/${refused}-own.db/restore`);
    assert.equal(reply.status, 422, refused);
    assert.match(reply.text, /Nothing was changed/);
  }
  assert.equal((await launcher.api("POST", "/api/backups/..%2Fkit.db/restore")).status, 422);
  assert.deepEqual(await asides(launcher), []);
  assert.ok(await isThere(launcher, id));
  await reopening(launcher, "POST", "/api/backups/older-own.db/restore");
  const { origins } = (await launcher.api("GET", "/api/origins")).json<{ origins: unknown[] }>();
  assert.deepEqual(origins, [], "an old copy gives nobody access");
});

test("a wiped game is in no file any more, and other games keep everything", async () => {
  await using launcher = await startOwnLauncher(findsSenders);
  const events = await play(launcher, "wanderlust");
  await play(launcher, "nightfall");
  const target = { kind: "otlp", address: "https://127.0.0.1:9/v1/logs", game: "wanderlust" };
  done(await launcher.api("POST", "/api/forwarding", target), 201);
  const rule = { pattern: "wanderlust_*", accounts: [], text: "{{event}}" };
  assert.ok([201, 422].includes((await launcher.api("POST", "/api/post-rules", rule)).status));
  const held = { events, clips: 1, clipBytes: 0, pinned: 0, issues: 3, posts: 0, sessions: 1 };
  await until("both games are stored", async () => {
    const one = await heldOf(launcher, "wanderlust");
    const other = await heldOf(launcher, "nightfall");
    return [one, other].every((held) => held?.issues === 3 && held.sessions === 1 && held.clips === 1);
  });
  const before = await heldOf(launcher, "nightfall");
  const dry = done<Wipe>(await launcher.api("POST", "/api/wipes", { game: "wanderlust", dryRun: true }), 202);
  assert.deepEqual(dry.holdings, held);
  assert.equal((await launcher.api("POST", "/api/wipes", { game: "nobody" })).status, 404);
  done(await launcher.api("POST", "/api/wipes", { game: "wanderlust" }), 202);
  assert.equal((await launcher.api("DELETE", "/api/wipes?game=wanderlust")).status, 204);
  assert.equal((await launcher.api("DELETE", "/api/wipes?game=wanderlust")).status, 404);
  // A person's backup that contains the game.
  const { name } = done<Backup>(await launcher.api("POST", "/api/backups"), 201);
  done(await launcher.api("POST", "/api/wipes", { game: "wanderlust" }), 202);
  await launcher.restart("SIGTERM", () => {
    const own = name.replace("-own", "");
    copyFileSync(join(launcher.dataDir, "backups", name), join(launcher.dataDir, "backups", own));
    writeFileSync(join(launcher.dataDir, "backups", `${own}.part`), "wanderlust");
    mkdirSync(join(launcher.dataDir, "fitted"), { recursive: true });
    writeFileSync(join(launcher.dataDir, "fitted", "a.jpg"), "wanderlust");
    setDue(launcher.dataDir, Date.now() + 3_600_000);
  });
  assert.equal(
    (await launcher.api("GET", "/api/wipes")).json<{ wipes: Wipe[] }>().wipes.length,
    1,
    "the wipe survived the restart",
  );
  // It is due while the launcher runs, or on a busy machine as soon as it starts.
  await launcher.restart("SIGTERM", () => setDue(launcher.dataDir, Date.now() + 2_000));
  await until("the game is wiped", async () => {
    // Nothing answers while the launcher reopens its data.
    const usage = await launcher.api("GET", "/api/usage").catch(() => undefined);
    return usage?.status === 200 && usage.json<DiskUsage>().games.every(({ game }) => game !== "wanderlust");
  });
  const backups = () => readdirSync(join(launcher.dataDir, "backups")).filter((one) => one !== ownBackupsFile);
  await until(
    "a new backup is there",
    () => backups().length === 2 && backups().every((one) => !one.endsWith(".part")),
  );
  const files = filesWith(launcher.dataDir, "wanderlust");
  assert.deepEqual(files, [join("backups", name)], "only the person's backup still has the game");
  assert.equal(await heldOf(launcher, "wanderlust"), undefined);
  assert.deepEqual(await heldOf(launcher, "nightfall"), before);
  assert.deepEqual((await launcher.api("GET", "/api/wipes")).json(), { wipes: [] });
  // Its events were the newest of the journal. New events must get later positions, or slices would never see them.
  await play(launcher, "wanderlust");
  await until("the game is stored again", async () => (await heldOf(launcher, "wanderlust"))?.issues === 3);
  await launcher.restart("SIGTERM");
  const database = new DatabaseSync(join(launcher.dataDir, "kit.db"), { readOnly: true });
  assert.equal(database.prepare("PRAGMA integrity_check").get()?.integrity_check, "ok");
  const stray = database
    .prepare("SELECT count(*) AS n FROM receipt WHERE event_seq NOT IN (SELECT seq FROM event)")
    .get()?.n;
  database.close();
  assert.equal(stray, 0);
});

test("after a wipe of the only game, new events are dispatched", async () => {
  await using launcher = await startOwnLauncher(findsSenders);
  await play(launcher, "wanderlust");
  await until("the game is stored", async () => (await heldOf(launcher, "wanderlust"))?.issues === 3);
  done(await launcher.api("POST", "/api/wipes", { game: "wanderlust" }), 202);
  await launcher.restart("SIGTERM", () => setDue(launcher.dataDir, 1));
  assert.equal(await heldOf(launcher, "wanderlust"), undefined);
  const id = await launcher.trigger("other_start");
  await until("the event is dispatched", async () =>
    (await launcher.receipt(id)).states.some(({ state }) => state === "marked"),
  );
});

test("a complete wipe sets all data aside with the clips, and all of it can be restored", async () => {
  await using launcher = await startOwnLauncher();
  const id = await launcher.trigger("saga_first", "social");
  done(await launcher.api("POST", "/api/backups"), 201);
  const clip = join(launcher.dataDir, "clips", "a.mp4");
  mkdirSync(join(clip, ".."), { recursive: true });
  writeFileSync(clip, "a clip");
  const secret = readFileSync(join(launcher.dataDir, "secret"), "utf8");
  assert.equal((await launcher.api("POST", "/api/wipe-all", { confirm: "yes" })).status, 422);
  const aside = await reopening(launcher, "POST", "/api/wipe-all", { confirm: "wipe all" });
  const empty = await usageOf(launcher);
  assert.deepEqual([empty.games, empty.bytes.backups, existsSync(clip)], [[], 0, false]);
  assert.ok(empty.bytes.aside > 10_000);
  assert.equal(readFileSync(join(launcher.dataDir, "secret"), "utf8"), secret);
  assert.deepEqual(
    (await asides(launcher)).map(({ name, why }) => [name, why]),
    [[aside, "wiped"]],
  );
  await reopening(launcher, "POST", `/api/aside/${aside}/restore`);
  assert.deepEqual([await isThere(launcher, id), readFileSync(clip, "utf8")], [true, "a clip"]);
  assert.equal((await launcher.api("GET", "/api/backups")).json<{ backups: Backup[] }>().backups.length, 1);
});
