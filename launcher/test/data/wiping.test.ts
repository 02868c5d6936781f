// Tests of a wipe across restarts: the next start finishes what failed, and merged issues of two games are separated.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { demoGame, demoSocialId } from "@kit/contract";
import { test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { insertWipe } from "../../src/data/wipe-store.ts";
import { Wipes } from "../../src/data/wipes.ts";
import { createSecrets } from "../../src/secrets/secrets.ts";
import type { DataDir } from "../../src/storage/data-dir.ts";
import { type Statement, sql } from "../../src/storage/sql.ts";
import { openDataDir } from "../../src/wiring/open-data-dir.ts";
import { makeDataDir, removeDataDir } from "../support/storage-folder.ts";
import { until } from "../support/until.ts";
import { filesWith } from "./games-folder.ts";

const opened = async (dir: DataDir) =>
  openDataDir({ config: readConfig({ dataDir: dir.path }, { KIT_SECRETS: "file" }), dir, now: Date.now });

/** Opens the data directory, writes the statements, and closes it. */
async function writeInto(dir: DataDir, ...statements: Statement[]): Promise<void> {
  const storage = await opened(dir);
  await storage.write(...statements);
  await storage.close();
}

const due = (game: string) => insertWipe({ game, dueMs: 1 });
const clip = (id: string, game: string, file: string) => sql`
  INSERT INTO clip (id, kind, state, title, game, from_ms, to_ms, file, bytes, priority)
  VALUES (${id}, 'clip', 'saved', ${`${game} wins`}, ${game}, 1, 2, ${file}, 5, 500)`;
const issue = (seq: number, game: string, count: number, mergedInto: number | null = null): Statement[] => [
  sql`
    INSERT INTO issue (seq, id, title, game, lane, dialect, why, state_since_ms, created_ms, first_seen_ms, last_seen_ms, count,
      merged_into)
    VALUES (${seq}, ${`issue-${seq}`}, ${`${game} broke`}, ${game}, ${game}, 'none', '"why"', 1, 1, ${seq}, ${seq}, ${count}, ${mergedInto})`,
  sql`
    INSERT INTO issue_fingerprint (seq, issue_seq, home_seq, game, version, key, count, first_seen_ms, last_seen_ms, sampling)
    VALUES (${seq}, ${mergedInto ?? seq}, ${seq}, ${game}, 1, ${`key-${seq}`}, ${count}, ${seq}, ${seq}, '{}')`,
];
const rowsOf = (dir: DataDir, query: string) => {
  const database = new DatabaseSync(dir.database, { readOnly: true });
  const rows = database
    .prepare(query)
    .all()
    .map((row) => ({ ...row }));
  database.close();
  return rows;
};

test("a file that cannot be deleted delays nothing else, and is deleted at the next opening", async () => {
  const dir = makeDataDir();
  const stuck = join(dir.path, "clips", "wanderlust.mp4");
  mkdirSync(stuck, { recursive: true });
  writeFileSync(join(dir.path, "clips", "other.mp4"), "stays");
  await writeInto(dir, clip("a", "wanderlust", "wanderlust.mp4"), clip("b", "other", "other.mp4"), due("wanderlust"));
  await (await opened(dir)).close();
  assert.ok(existsSync(dir.pendingWipe), "the rest is recorded");
  assert.deepEqual(filesWith(dir.path, "wanderlust"), ["wiping.json"]);
  assert.deepEqual(rowsOf(dir, "SELECT id FROM clip"), [{ id: "b" }]);
  rmSync(stuck, { recursive: true });
  writeFileSync(stuck, "wanderlust");
  await (await opened(dir)).close();
  assert.equal(existsSync(dir.pendingWipe), false);
  assert.deepEqual(filesWith(dir.path, "wanderlust"), []);
  assert.ok(existsSync(join(dir.path, "clips", "other.mp4")));
  removeDataDir(dir);
});

test("deleting a clip in the trash keeps another file that has its former name", async () => {
  const dir = makeDataDir();
  mkdirSync(join(dir.path, "clips", ".bin"), { recursive: true });
  for (const name of ["won.mp4", ".bin/a.mp4"]) writeFileSync(join(dir.path, "clips", name), "video");
  const trashed = sql`UPDATE clip SET deleted_at_ms = 1 WHERE id = 'a'`;
  await writeInto(dir, clip("a", "wanderlust", "won.mp4"), trashed, clip("b", "other", "won.mp4"), due("wanderlust"));
  await (await opened(dir)).close();
  assert.deepEqual(
    ["won.mp4", ".bin/a.mp4"].map((name) => existsSync(join(dir.path, "clips", name))),
    [true, false],
  );
  removeDataDir(dir);
});

test("issues merged from two games are separated: the other game keeps its issues and their own counts", async () => {
  const dir = makeDataDir();
  const all = [
    issue(1, "other", 7),
    issue(2, "wanderlust", 5, 1),
    issue(3, "wanderlust", 4),
    issue(4, "other", 3, 3),
  ].flat();
  const sums = [sql`UPDATE issue SET count = 12 WHERE seq = 1`, sql`UPDATE issue SET count = 7 WHERE seq = 3`];
  await writeInto(dir, ...all, ...sums, due("wanderlust"));
  await (await opened(dir)).close();
  assert.deepEqual(rowsOf(dir, "SELECT seq, count, merged_into FROM issue ORDER BY seq"), [
    { seq: 1, count: 7, merged_into: null },
    { seq: 4, count: 3, merged_into: null },
  ]);
  assert.deepEqual(rowsOf(dir, "SELECT seq, issue_seq FROM issue_fingerprint ORDER BY seq"), [
    { seq: 1, issue_seq: 1 },
    { seq: 4, issue_seq: 4 },
  ]);
  assert.deepEqual(rowsOf(dir, "SELECT issues FROM issue_size"), [{ issues: 2 }]);
  assert.deepEqual(filesWith(dir.path, "wanderlust"), []);
  removeDataDir(dir);
});

test("a post that is being sent stays until its result is known, and other posts are deleted", async () => {
  const dir = makeDataDir();
  const post = (seq: number, state: string): Statement[] => [
    sql`
      INSERT INTO post (seq, id, event, event_seq, event_id, game, state, text, alt_text, content_warning, attach, without,
        visibility, footage, happened_ms, created_ms)
      VALUES (${seq}, ${`post-${seq}`}, ${`event-${seq}`}, ${seq}, 'wanderlust_won', 'wanderlust', 'sending', 'Won', '', '', 'none',
        'post', 'public', 'none', 1, 1)`,
    sql`
      INSERT INTO delivery (post_seq, account, network, name, state, key)
      VALUES (${seq}, 'account', 'webhook', 'hook', ${state}, ${`key-${seq}`})`,
  ];
  await writeInto(dir, ...post(1, "sending"), ...post(2, "waiting"), due("wanderlust"));
  await (await opened(dir)).close();
  assert.deepEqual(rowsOf(dir, "SELECT id FROM post"), [{ id: "post-1" }]);
  assert.deepEqual(rowsOf(dir, "SELECT post_seq FROM delivery"), [{ post_seq: 1 }]);
  removeDataDir(dir);
});

test("the demo's account is deleted with the demo and its secret, even if a remaining rule names it, and other accounts stay", async () => {
  const account = (id: string, isDemo: boolean) => sql`
    INSERT INTO account (id, network, name, host, limits, kept, added_ms, demo)
    VALUES (${id}, 'webhook', 'Hook', 'localhost', '{}', 'file', 1, ${Number(isDemo)})`;
  const rule = (id: string, pattern: string) => sql`
    INSERT INTO post_rule (id, pattern, accounts, text, attach, without, alt_text, content_warning, visibility, approval, cooldown_s, enabled, created_ms)
    VALUES (${id}, ${pattern}, '["demo"]', '', 'none', 'post', '', '', 'public', 'ask', 0, 1, 1)`;
  const demo = [
    sql`INSERT INTO game (game, registered, first_seen_at_ms) VALUES (${demoGame}, 1, 1)`,
    ...[account("demo", true), account("mine", false), rule("own", demoSocialId), due(demoGame)],
  ];
  const leftOf = async (...more: Statement[]) => {
    const dir = makeDataDir();
    await writeInto(dir, ...demo, ...more);
    const secrets = createSecrets({ folder: dir.credentials, keyring: undefined, onFailure: () => undefined });
    await secrets.write("account-demo", "opens it");
    await (await opened(dir)).close();
    const left = [rowsOf(dir, "SELECT id FROM account ORDER BY id"), rowsOf(dir, "SELECT id FROM post_rule")];
    const secret = await secrets.read("account-demo");
    removeDataDir(dir);
    return { left: left.map((rows) => rows.map(({ id }) => id)), secret };
  };
  assert.deepEqual(await leftOf(), { left: [["mine"], []], secret: undefined });
  assert.deepEqual(await leftOf(rule("other", "saga_won")), {
    left: [["mine"], ["other"]],
    secret: undefined,
  });
});

test("a wipe that becomes due while Kit starts is carried out, and one that failed at the start waits", async () => {
  const dir = makeDataDir();
  const storage = await opened(dir);
  const deps = { storage, storedAmounts: async () => new Map(), hasGame: () => true, onChanged: () => undefined };
  let reopened = 0;
  const onDue = () => {
    reopened += 1;
  };
  const startAt = (openedAtMs: number, nowMs: number) => new Wipes({ ...deps, openedAtMs, now: () => nowMs, onDue });
  await storage.write(insertWipe({ game: "wanderlust", dueMs: 1_000 }));
  await startAt(900, 1_100).scheduleNext();
  await until("the launcher reopens", () => reopened === 1);
  await storage.write(insertWipe({ game: "other", dueMs: 3_600_000 }));
  const failedAtStart = startAt(1_000, 1_100);
  await failedAtStart.scheduleNext();
  // A timer that is due at once would fire before this one.
  await pause(5);
  assert.equal(reopened, 1, "it waits for the next opening, not for the other game's hour");
  failedAtStart.stop();
  await storage.close();
  removeDataDir(dir);
});
