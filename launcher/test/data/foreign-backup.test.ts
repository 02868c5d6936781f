// Tests of restoring another Kit's database: its events are there, but its sign-ins, accounts and programs have no effect.
// Kit's own backups keep them.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Backup, type LibraryGame, sessionCookie } from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { type OwnLauncher, startOwnLauncher } from "../support/own-launcher.ts";
import { reopenedOf, startsOf } from "./games-folder.ts";

let launcher: OwnLauncher;
let event: string;
let genuine: string;
/** A program and a folder of the OS: Kit proposes none that is temporary, as this checkout may be. */
const command =
  process.platform === "win32"
    ? { program: "C:\\Windows\\System32\\cmd.exe", arguments: ["/c", "exit"], folder: "C:\\Windows" }
    : { program: "/bin/sh", arguments: ["-c", "exit"], folder: "/bin" };
const backupAt = (name: string) => join(launcher.dataDir, "backups", name);
const get = async <T>(path: string) => (await launcher.api("GET", path)).json<T>();
async function restore(name: string): Promise<void> {
  const began = await startsOf(launcher);
  const reply = await launcher.api("POST", `/api/backups/${name}/restore`);
  assert.equal(reply.status, 202, reply.text);
  await reopenedOf(launcher, began);
}
const saga = async () =>
  (await get<{ games: LibraryGame[] }>("/api/library")).games.find(({ game }) => game === "saga") ?? assert.fail();
const noticesNow = async () => (await launcher.health()).storage.notices;

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
const stolen = { cookie: "c".repeat(43), token: "t".repeat(43) };
const asThief = async () => {
  const headers = { cookie: `${sessionCookie(launcher.port)}=${stolen.cookie}`, "x-kit-session": stolen.token };
  return (await fetch(`http://127.0.0.1:${launcher.port}/api/events`, { headers })).status;
};

beforeAll(async () => {
  launcher = await startOwnLauncher();
  event = await launcher.trigger("saga_first", "social");
  assert.equal((await launcher.api("PUT", "/api/library", { game: "saga", command })).status, 200);
  assert.equal((await launcher.api("PUT", "/api/services", { recording: false })).status, 200);
  genuine = (await launcher.api("POST", "/api/backups")).json<Backup>().name;
});
afterAll(() => launcher?.[Symbol.asyncDispose]());

/** Adds everything harmful that a foreign file could have. */
function arm(path: string): void {
  const database = new DatabaseSync(path);
  const now = Date.now();
  const run = (text: string, ...values: (string | number)[]) => database.prepare(text).run(...values);
  run("INSERT INTO session VALUES (?, ?, ?)", hashOf(stolen.cookie), now, now);
  run("INSERT INTO origin VALUES ('https://evil.example', '30-days', 1, ?)", now + 1e9);
  run(
    "INSERT INTO account (id, network, name, host, limits, kept, added_ms) VALUES ('a', 'webhook', 'evil', 'evil.example', '{}', 'file', 1)",
  );
  run("INSERT INTO forward_target (id, kind, host, access, created_ms) VALUES ('f', 'otlp', 'evil.example', 'a', 1)");
  run("INSERT INTO game_source VALUES ('saga', '/', 'vscode')");
  run("INSERT INTO service VALUES ('recording', 1) ON CONFLICT DO UPDATE SET enabled = 1");
  run("INSERT INTO recorder_setting VALUES ('obsUrl', '\"ws://evil.example:4455\"')");
  run(`INSERT INTO post_rule (id, pattern, accounts, text, attach, without, alt_text, content_warning, visibility, approval, cooldown_s,
    enabled, created_ms) VALUES ('r', '*', '["a"]', 'x', 'none', 'post', '', '', 'public', 'automatic', 0, 1, 1)`);
  const post =
    database.prepare(`INSERT INTO post (id, event, event_seq, event_id, rule, state, text, alt_text, content_warning, attach,
    without, visibility, footage, automatic, happened_ms, created_ms, sends_ms) VALUES (?, ?, 1, 'x', 'r', ?, 'x', '', '', 'none', 'post', 'public', ?, ?, 1, 1, ?)`);
  post.run("approved", "e1", "approved", "none", 0, now);
  post.run("automatic", "e2", "draft", "pending", 1, null);
  post.run("sending", "e3", "sending", "none", 0, now);
  run(
    "INSERT INTO delivery (post_seq, account, network, name, state, key) SELECT seq, 'a', 'webhook', 'evil', iif(state = 'sending', 'sending', 'waiting'), id FROM post",
  );
  run("DELETE FROM hand_over");
  database.close();
}

test("a foreign database signs nobody in, sends nothing and starts nothing, and its events are restored", async () => {
  copyFileSync(backupAt(genuine), backupAt("gift-own.db"));
  arm(backupAt("gift-own.db"));
  await restore("gift-own.db");
  assert.equal((await launcher.api("GET", `/api/events/${event}`)).status, 200);
  assert.equal(await asThief(), 401);
  assert.deepEqual(await get("/api/origins"), { origins: [], dropped: 0 });
  assert.deepEqual((await get<{ accounts: unknown[] }>("/api/accounts")).accounts, []);
  assert.deepEqual((await get<{ targets: unknown[] }>("/api/forwarding")).targets, []);
  assert.deepEqual((await get<{ sources: unknown[] }>("/api/games/sources")).sources, []);
  const posts = (await get<{ posts: { id: string; state: string }[] }>("/api/posts")).posts;
  assert.deepEqual(posts.map(({ id, state }) => [id, state]).toSorted(), [
    ["approved", "skipped"],
    ["automatic", "skipped"],
    ["sending", "unsure"],
  ]);
  const { rules } = await get<{ rules: { approval: string }[] }>("/api/post-rules");
  assert.deepEqual(
    rules.map(({ approval }) => approval),
    ["ask"],
  );
  assert.equal(
    (await get<{ services: { recording: boolean } }>("/api/games")).services.recording,
    false,
    "recording stays off",
  );
  assert.equal((await get<{ settings: { obsUrl: string } }>("/api/recorder")).settings.obsUrl, "ws://127.0.0.1:4455");
  const entry = await saga();
  assert.deepEqual([entry.commandFrom, entry.command], ["backup", command]);
  const refused = await launcher.api("POST", "/api/library/saga/play");
  assert.equal(refused.status, 422);
  const [notice = ""] = await noticesNow();
  assert.equal(
    notice,
    "The restored data was made by another Kit, so it signs nobody in, sends nothing and starts no program. Left out or waiting for your decision: " +
      "sign-ins to the dashboard (1); decisions on web pages (1); accounts (1); forwarding targets (1); unsent posts (3); " +
      "rules that post without asking (1); commands that Play starts (1); folders of source code (1).",
  );
  // A person agrees to the command.
  assert.equal((await launcher.api("PUT", "/api/library", { game: "saga", command })).status, 200);
  assert.equal((await saga()).commandFrom, "person");
});

test("the launcher's own backup keeps its commands under any name, and one changed value makes it foreign", async () => {
  copyFileSync(backupAt(genuine), backupAt("was-on-a-stick-own.db"));
  await restore("was-on-a-stick-own.db");
  assert.deepEqual([(await saga()).commandFrom, await noticesNow()], ["person", []]);
  copyFileSync(backupAt(genuine), backupAt("changed-own.db"));
  const database = new DatabaseSync(backupAt("changed-own.db"));
  database.exec("UPDATE game_entry SET name = 'Saga'");
  database.close();
  await restore("changed-own.db");
  assert.equal((await saga()).commandFrom, "backup");
  assert.equal((await noticesNow()).length, 1);
});

test("a service that was switched off since an own backup was made stays off when it is restored", async () => {
  const services = async () => (await get<{ services: object }>("/api/games")).services;
  const { name } = (await launcher.api("POST", "/api/backups")).json<Backup>();
  assert.equal((await launcher.api("PUT", "/api/services", { social: false })).status, 200);
  await restore(name);
  assert.deepEqual(await services(), { recording: false, monitor: true, social: false });
});

test("a file with a number that Kit cannot count on from is refused, and everything stays as it is", async () => {
  for (const [name, change] of [
    ["largest-own.db", "UPDATE event SET seq = 9223372036854775807"],
    ["smallest-own.db", "UPDATE game SET first_seen_at_ms = -9223372036854775808"],
  ] as const) {
    copyFileSync(backupAt(genuine), backupAt(name));
    const database = new DatabaseSync(backupAt(name));
    assert.equal(database.prepare(change).run().changes, 1);
    database.close();
    const reply = await launcher.api("POST", `/api/backups/${name}/restore`);
    assert.equal(reply.status, 422);
    assert.match(reply.text, /A number in its table (event|game) is larger than any that Kit writes/);
  }
  await launcher.trigger("saga_still", "social");
});

test("a foreign file with the name of a launcher's backup is treated as foreign", async () => {
  copyFileSync(backupAt(genuine), backupAt("2099-01-01T00-00-00.000Z.db"));
  arm(backupAt("2099-01-01T00-00-00.000Z.db"));
  await restore("2099-01-01T00-00-00.000Z.db");
  assert.deepEqual([(await saga()).commandFrom, await asThief()], ["backup", 401]);
});

test("a session that was ended stays ended after any backup is restored", async () => {
  const { ticket } = (await launcher.api("POST", "/api/tickets")).json<{ ticket: string }>();
  const page = `http://127.0.0.1:${launcher.port}`;
  const json = { "content-type": "application/json", origin: page };
  const opened = await fetch(`${page}/api/session`, {
    method: "POST",
    headers: json,
    body: JSON.stringify({ ticket }),
  });
  const [cookie = ""] = (opened.headers.get("set-cookie") ?? "").split(";");
  const halves = { cookie, "x-kit-session": ((await opened.json()) as { token: string }).token };
  const statusNow = async () => (await fetch(`${page}/api/events`, { headers: halves })).status;
  assert.equal(await statusNow(), 200);
  const { name } = (await launcher.api("POST", "/api/backups")).json<Backup>();
  assert.equal(
    (await fetch(`${page}/api/session`, { method: "DELETE", headers: { ...halves, origin: page } })).status,
    204,
  );
  await restore(name);
  assert.equal(await statusNow(), 401);
});

test("if the record of own backups is missing or damaged, every backup counts as foreign, and nothing fails", async () => {
  for (const text of ["", "\0torn"]) {
    writeFileSync(join(launcher.dataDir, "backups", "made-here"), text);
    await restore(genuine);
    assert.equal((await saga()).commandFrom, "backup");
  }
});
