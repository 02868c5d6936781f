// Tests of games: learned from their first event, corrected and switched off, all of it also after a restart.
import assert from "node:assert/strict";
import type { EventKind } from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { openStorageFolder, type StorageFolder } from "../../test/support/storage-folder.ts";
import { sql } from "../storage/sql.ts";
import { loadPrograms, saveProgram } from "./game-store.ts";
import { GameRegistry } from "./games.ts";

let folder: StorageFolder;
beforeAll(async () => {
  folder = await openStorageFolder();
});
afterAll(() => folder?.[Symbol.asyncDispose]());

let nowMs = Date.UTC(2026, 0, 1);
let changes = 0;

/** The registry as a launcher loads it when it starts on what is on disk now. */
async function restarted(): Promise<GameRegistry> {
  const { storage } = folder;
  const onChanged = () => {
    changes += 1;
  };
  const games = new GameRegistry({
    storage,
    now: () => nowMs,
    onChanged,
    onSeen: onChanged,
  });
  await games.load();
  return games;
}

/** The registry of a launcher that starts with an empty database. */
async function fresh(): Promise<GameRegistry> {
  const tables = [sql`DELETE FROM game`, sql`DELETE FROM rule`, sql`DELETE FROM service`, sql`DELETE FROM event_look`];
  await folder.storage.write(...tables);
  changes = 0;
  return restarted();
}

/** An event arrives and becomes durable. */
async function arrives(games: GameRegistry, kind: EventKind, eventId: string | null) {
  const verdict = games.judge(kind, eventId);
  await folder.storage.write(...verdict.writes, sql`SELECT 1`);
  verdict.committed?.();
  return verdict.ignored;
}

test("the first event with an id creates its rule and guesses its game", async () => {
  const games = await fresh();
  assert.equal(await arrives(games, "recording", "saga_boss"), null);
  const { games: known, rules } = games.list();
  assert.deepEqual(
    known.map(({ game, registered }) => [game, registered]),
    [["saga", false]],
  );
  const firstSeenAt = new Date(nowMs).toISOString();
  const plain = { label: null, icon: null, postText: null, similarTo: null };
  const seen = { kind: "recording", eventId: "saga_boss", game: "saga", assigned: false, enabled: true, firstSeenAt };
  const rule = { ...seen, ...plain };
  assert.deepEqual(rules, [rule]);
  assert.equal(changes, 1);
});

test("the second event with an id writes nothing", async () => {
  const games = await fresh();
  await arrives(games, "recording", "saga_boss");
  nowMs += 1_000;
  assert.deepEqual(games.judge("recording", "saga_boss").writes, []);
  assert.equal(games.list().rules.length, 1);
});

test("the same id in another service has its own rule", async () => {
  const games = await fresh();
  await arrives(games, "recording", "saga_boss");
  await arrives(games, "social", "saga_boss");
  assert.deepEqual(
    games
      .list()
      .rules.map(({ kind }) => kind)
      .toSorted(),
    ["recording", "social"],
  );
  await games.changeRule("social", "saga_boss", { enabled: false });
  assert.equal(games.judge("recording", "saga_boss").ignored, null);
  assert.equal(games.judge("social", "saga_boss").ignored, "event_off");
});

test("a monitor report has no id, so it creates no rule and belongs to no game", async () => {
  const games = await fresh();
  assert.equal(await arrives(games, "monitor", null), null);
  assert.deepEqual([games.list().rules, games.list().games], [[], []]);
  assert.equal(games.gameOf("monitor", null), null);
});

test("Kit learns nothing from an event that did not become durable", async () => {
  const games = await fresh();
  games.judge("recording", "saga_boss");
  assert.deepEqual([games.list().rules, games.list().games], [[], []]);
});

test("registering a prefix reassigns events that Kit already saw, and deleting the game reverts that", async () => {
  const games = await fresh();
  await arrives(games, "recording", "my_game_boss");
  assert.equal(games.gameOf("recording", "my_game_boss"), "my");
  await games.registerGame("my_game", {});
  assert.equal(games.gameOf("recording", "my_game_boss"), "my_game");
  assert.deepEqual(games.eventIdsOf("my_game"), ["my_game_boss"]);
  await games.deleteGame("my_game");
  assert.equal(games.gameOf("recording", "my_game_boss"), "my");
});

test("deleting a game deletes the programs it ran as", async () => {
  const games = await fresh();
  for (const game of ["my_game", "other"]) {
    await games.registerGame(game, {});
    await folder.storage.write(...saveProgram({ game, path: `/games/${game}`, command: game }, nowMs, 200));
  }
  await games.deleteGame("my_game");
  assert.deepEqual(
    (await loadPrograms(folder.storage)).map(({ game }) => game),
    ["other"],
  );
});

test("an event that fits two registered prefixes belongs to the longer one", async () => {
  const games = await fresh();
  await games.registerGame("my", {});
  await games.registerGame("my_game", {});
  assert.equal(games.gameOf("social", "my_game_boss"), "my_game");
  assert.equal(games.gameOf("social", "my_boss"), "my");
});

test("a game set for one id takes precedence over every prefix until it is removed", async () => {
  const games = await fresh();
  await arrives(games, "recording", "saga_boss");
  assert.equal((await games.changeRule("recording", "saga_boss", { game: "other" })).game, "other");
  assert.deepEqual([games.eventIdsOf("saga"), games.eventIdsOf("other")], [[], ["saga_boss"]]);
  assert.equal(games.list().games.find(({ game }) => game === "other")?.registered, true);
  assert.equal((await games.changeRule("recording", "saga_boss", { game: null })).game, "saga");
});

test("an id without a game is unassigned until a person sets its game", async () => {
  const games = await fresh();
  await arrives(games, "social", "victory");
  assert.deepEqual(games.eventIdsOf(null), ["victory"]);
  await games.changeRule("social", "victory", { game: "saga" });
  assert.deepEqual([games.eventIdsOf(null), games.eventIdsOf("saga")], [[], ["victory"]]);
});

test("an unknown game cannot be deleted", async () => {
  const games = await fresh();
  await assert.rejects(games.deleteGame("nobody"), { code: "not_found" });
});

const switches: readonly (readonly [
  subject: string,
  turnOff: (games: GameRegistry) => Promise<unknown>,
  reason: string,
])[] = [
  ["the service", (games) => games.switchServices({ recording: false }), "service_off"],
  ["the game", (games) => games.registerGame("saga", { recording: false }), "game_off"],
  ["the event", (games) => games.changeRule("recording", "saga_boss", { enabled: false }), "event_off"],
];
for (const [subject, turnOff, reason] of switches) {
  test(`while ${subject} is off, its events are ignored, also after a restart, and no others`, async () => {
    const games = await fresh();
    await arrives(games, "recording", "saga_boss");
    await turnOff(games);
    assert.equal(games.judge("recording", "saga_boss").ignored, reason);
    const again = await restarted();
    assert.equal(again.judge("recording", "saga_boss").ignored, reason);
    assert.equal(again.judge("social", "saga_boss").ignored, null);
    assert.equal(again.judge("recording", "other_boss").ignored, reason === "service_off" ? reason : null);
    assert.deepEqual(again.list(), games.list());
  });
}

test("an event id can be switched off before its first event", async () => {
  const games = await fresh();
  await games.changeRule("social", "saga_boss", { enabled: false });
  assert.equal(await arrives(games, "social", "saga_boss"), "event_off");
});

test("reports are ignored when their service is off", async () => {
  const games = await fresh();
  await games.switchServices({ monitor: false });
  assert.equal(games.judge("monitor", null).ignored, "service_off");
});

test("a change keeps every setting that it does not name", async () => {
  const games = await fresh();
  await games.registerGame("saga", { recording: false });
  const { switches: kept } = await games.registerGame("saga", { social: false });
  assert.deepEqual(kept, { recording: false, monitor: true, social: false });
  await games.changeRule("recording", "saga_boss", { enabled: false });
  assert.equal((await games.changeRule("recording", "saga_boss", { game: "saga" })).enabled, false);
});

test("the registry refuses to judge events before it has loaded", () => {
  const { storage } = folder;
  const games = new GameRegistry({
    storage,
    now: () => nowMs,
    onChanged: () => {},
    onSeen: () => {},
  });
  assert.throws(() => games.judge("recording", "saga_boss"), { code: "storage_unavailable" });
});

test("an id that is switched off while its first event arrives is still off after a restart", async () => {
  const games = await fresh();
  const change = games.changeRule("recording", "saga_boss", { enabled: false });
  await Promise.all([change, arrives(games, "recording", "saga_boss")]);
  assert.equal((await restarted()).judge("recording", "saga_boss").ignored, "event_off");
});

test("a game that is registered while its first event arrives is still registered after a restart", async () => {
  const games = await fresh();
  await Promise.all([games.registerGame("saga", { social: false }), arrives(games, "recording", "saga_boss")]);
  const [saga] = (await restarted()).list().games;
  assert.deepEqual([saga?.registered, saga?.switches.social], [true, false]);
});

test("two simultaneous changes both take effect", async () => {
  const games = await fresh();
  await Promise.all([games.switchServices({ recording: false }), games.switchServices({ social: false })]);
  await Promise.all([games.registerGame("saga", { recording: false }), games.registerGame("saga", { social: false })]);
  const off = { recording: false, monitor: true, social: false };
  for (const known of [games, await restarted()]) {
    assert.deepEqual(known.list().services, off);
    assert.deepEqual(known.list().games[0]?.switches, off);
  }
});

test("a game that invents ids without end creates at most 10,000 rules", async () => {
  const games = await fresh();
  for (let index = 0; index < 10_100; index += 1) games.judge("social", `saga_${index}`).committed?.();
  assert.ok(games.list().rules.length <= 10_000);
  assert.deepEqual(games.judge("social", "saga_new").writes, []);
  assert.equal(games.gameOf("social", "saga_new"), "saga");
});
