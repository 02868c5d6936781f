// Tests of the export and of the data commands with a launcher in its own process.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Backup, DiskUsage, KitEvent, PreviousData } from "@kit/contract";
import { test } from "vitest";
import { cannot } from "../../../tools/engines/cannot.ts";
import { exitCodes } from "../../src/cli/exit-codes.ts";
import { kitOn } from "../support/kit-command.ts";
import { residentBytesOf } from "../support/launcher-process.ts";
import { launcherOfFile, startOwnLauncher } from "../support/own-launcher.ts";
import { until } from "../support/until.ts";
import { entriesOf } from "../support/zip-reader.ts";
import { findsSenders, play, reopenedOf, startsOf } from "./games-folder.ts";

/** The number of events of each game. */
const sent = { wanderlust: 0, nightfall: 0 };
const launcher = await launcherOfFile(findsSenders);

const { run, succeeds } = kitOn(launcher);
const linesOf = <T>(bytes: Buffer | undefined): T[] =>
  String(bytes)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
const secretsOf = () => [launcher.secret(), "Hush-hush-9000"];

test("an export has every event, issue, clip and session with a file that explains them, and no secret", async () => {
  sent.wanderlust = await play(launcher, "wanderlust");
  sent.nightfall = await play(launcher, "nightfall");
  const target = {
    kind: "otlp",
    address: "https://127.0.0.1:9/v1/logs",
    headers: { authorization: "Hush-hush-9000" },
    game: null,
  };
  assert.equal((await launcher.api("POST", "/api/forwarding", target)).status, 201);
  await until("both games have their issues", async () => {
    const { games } = (await launcher.api("GET", "/api/usage")).json<DiskUsage>();
    return games.filter(({ issues, clips, sessions }) => issues === 3 && clips === 1 && sessions === 1).length === 2;
  });
  await launcher.restart("SIGTERM", () => {
    mkdirSync(join(launcher.dataDir, "clips"), { recursive: true });
    writeFileSync(join(launcher.dataDir, "clips", "wanderlust.mp4"), "video ".repeat(50_000));
    const database = new DatabaseSync(join(launcher.dataDir, "kit.db"));
    database.exec("UPDATE clip SET file = game || '.mp4', state = 'saved', bytes = 300000");
    database.close();
  });
  const file = join(launcher.dataDir, "..", "all.zip");
  const result = (await succeeds("api", "exportEverything", "files=true", "--out", file, "--json")).json<{
    file: string;
    bytes: number;
  }>();
  const zip = readFileSync(file);
  assert.deepEqual(result, { file, bytes: zip.length });
  const entries = entriesOf(zip);
  assert.deepEqual(
    [...entries.keys()].toSorted(),
    [
      ...["README.txt", "clips.jsonl", "clips/wanderlust.mp4", "error-reports.jsonl", "events.jsonl", "issues.jsonl"],
      ...["missing-files.txt", "posts.jsonl", "rules.json", "sessions.jsonl", "settings.json"],
    ].toSorted(),
  );
  const ofGame = (game: string) =>
    linesOf<KitEvent>(entries.get("events.jsonl")).filter((event) => event.game === game).length;
  assert.deepEqual([ofGame("wanderlust"), ofGame("nightfall")], [sent.wanderlust, sent.nightfall]);
  assert.deepEqual(
    ["issues.jsonl", "error-reports.jsonl", "sessions.jsonl", "clips.jsonl"].map(
      (name) => linesOf(entries.get(name)).length,
    ),
    [6, 6, 2, 2],
  );
  assert.match(String(entries.get("README.txt")), /^Everything Kit keeps, exported by Kit/);
  assert.equal(String(entries.get("missing-files.txt")), "clips/nightfall.mp4\n");
  assert.equal(entries.get("clips/wanderlust.mp4")?.length, 300_000);
  const everything = Buffer.concat([zip, ...entries.values()]);
  for (const secret of secretsOf()) assert.equal(everything.includes(secret), false);
  assert.equal(everything.includes(launcher.dataDir), false, "the export has no path of this machine");
});

test("an export of one game has nothing of another game", async () => {
  const reply = join(launcher.dataDir, "..", "one.zip");
  await succeeds("api", "exportEverything", "game=nightfall", "--out", reply);
  const entries = entriesOf(readFileSync(reply));
  const events = linesOf<KitEvent>(entries.get("events.jsonl"));
  assert.deepEqual([events.length, new Set(events.map(({ game }) => game))], [sent.nightfall, new Set(["nightfall"])]);
  assert.equal(Buffer.concat([...entries.values()]).includes("wanderlust"), false);
  const refused = await run("api", "exportEverything", "game=nobody", "--out", `${reply}.2`);
  assert.deepEqual([refused.code, /Kit has no data of a game nobody/.test(refused.stderr)], [exitCodes.refused, true]);
});

test("a reader that disconnects ends the export: no file stays open, and the next export is complete", {
  skip: cannot.readProc,
}, async () => {
  const clip = join(launcher.dataDir, "clips", "wanderlust.mp4");
  writeFileSync(clip, Buffer.alloc(200_000_000, 7));
  const { pid } = process;
  const isOpen = async () => {
    const { readdirSync, readlinkSync } = await import("node:fs");
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`) === clip;
      } catch {
        return false;
      }
    });
  };
  const before = residentBytesOf(pid);
  const download = request({
    host: "127.0.0.1",
    port: launcher.port,
    path: "/api/export?files=true",
    headers: { authorization: `Bearer ${secretsOf()[0]}` },
  });
  download.once("error", () => undefined);
  download.end();
  await until("the clip is being sent", isOpen);
  const grown = residentBytesOf(pid) - before;
  download.destroy();
  await until("the clip is closed", async () => !(await isOpen()));
  assert.ok(grown < 100_000_000, `${grown} bytes more for a file of 200 MB that nobody reads`);
  writeFileSync(clip, "short");
  const file = join(launcher.dataDir, "..", "again.zip");
  await succeeds("api", "exportEverything", "files=true", "--out", file);
  assert.equal(String(entriesOf(readFileSync(file)).get("clips/wanderlust.mp4")), "short");
});

test("a restore says what it will do, and does it only in a terminal or with --yes", async () => {
  // A launcher that has run for a while may have made a backup by itself.
  await using fresh = await startOwnLauncher();
  assert.match((await kitOn(fresh).succeeds("restore")).stdout, /No backups yet/);
  const made = (await succeeds("api", "makeBackup")).json<Backup>();
  assert.match((await succeeds("restore")).stdout, new RegExp(`${made.name} +[\\d.]+ .B +you`));
  const refused = await run("restore", made.name);
  assert.equal(refused.code, exitCodes.usage);
  assert.match(refused.stderr, /Nothing was changed, because there is no terminal to ask on\. Add --yes/);
});

test("a backup file from another folder is restored, and a complete wipe can be undone", async () => {
  const { name } = (await succeeds("api", "makeBackup")).json<Backup>();
  const file = join(launcher.dataDir, "..", "saved.db");
  writeFileSync(file, readFileSync(join(launcher.dataDir, "backups", name)));
  const broken = join(launcher.dataDir, "..", "broken.db");
  writeFileSync(broken, "nothing of the kind");
  const refused = await run("restore", broken, "--yes");
  assert.deepEqual([refused.code, /Nothing was changed/.test(refused.stderr)], [exitCodes.refused, true]);
  const restored = await succeeds("restore", file, "--yes");
  assert.match(restored.stdout, /^Restored\. .*kit restore \S+-restored( --data-dir .*)?\n$/);
  const games = async () => (await launcher.api("GET", "/api/usage")).json<DiskUsage>().games.map(({ game }) => game);
  const began = await startsOf(launcher);
  await succeeds("api", "wipeAll", "confirm=wipe all");
  await reopenedOf(launcher, began);
  assert.deepEqual(await games(), []);
  const { aside } = (await launcher.api("GET", "/api/aside")).json<{ aside: PreviousData[] }>();
  const wiped = aside.find(({ why }) => why === "wiped");
  await succeeds("restore", String(wiped?.name), "--yes");
  assert.ok((await games()).includes("wanderlust"));
  assert.ok(existsSync(join(launcher.dataDir, "clips", "wanderlust.mp4")));
  for (const one of (await succeeds("restore", "--json")).json<{ aside: PreviousData[] }>().aside)
    await succeeds("api", "deletePreviousData", `name=${one.name}`);
  assert.deepEqual((await launcher.api("GET", "/api/aside")).json(), { aside: [] });
});
