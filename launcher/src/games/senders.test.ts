// Tests of senders: a report belongs to the game of its sender's triggers, also if that game is corrected later.
import assert from "node:assert/strict";
import { afterAll, beforeAll, test } from "vitest";
import { openStorageFolder, type StorageFolder } from "../../test/support/storage-folder.ts";
import { sql } from "../storage/sql.ts";
import { EventAssignment } from "./event-assignment.ts";
import { GameRegistry } from "./games.ts";
import type { PeerProcess } from "./process-lookup/processes.ts";
import { SenderRegistry, sendersMax } from "./senders.ts";

let folder: StorageFolder;
beforeAll(async () => {
  folder = await openStorageFolder();
});
afterAll(() => folder?.[Symbol.asyncDispose]());

let nowMs = Date.UTC(2026, 0, 1);
const saga: PeerProcess = {
  pid: 4_001,
  path: "/games/saga",
  command: "/games/saga",
  arguments: [],
  folder: "/games",
  startedAt: "boot 1",
};
const again: PeerProcess = { ...saga, pid: 4_002, startedAt: "boot 2" };

/** The registries of a launcher that starts on what is on disk now. `peers` maps the port of a connection to its process. */
async function restarted(peers: ReadonlyMap<number, PeerProcess> = new Map()) {
  const { storage } = folder;
  const now = () => nowMs;
  const onChanged = () => senders.onGamesChanged();
  const games = new GameRegistry({
    storage,
    now,
    onChanged,
    onSeen: onChanged,
  });
  const senders = new SenderRegistry({
    games,
    storage,
    now,
    onGameChanged: onChanged,
  });
  const connections = { findPeer: ({ remotePort = 0 }) => peers.get(remotePort) };
  const filing = new EventAssignment({
    games,
    senders,
    connections,
    storage,
    senderFound: () => sql`SELECT 1`,
    onAssigned: onChanged,
    onFailure: (error) => assert.fail(`${error}`),
  });
  await Promise.all([games.load(), senders.load()]);
  const from = (origin: string | null, remotePort?: number) =>
    filing.findSender({ origin, client: "TestEngine/1", socket: { remotePort } }) as number | null;
  /** An event arrives and becomes durable. Returns the sender it was stored with. */
  const arrives = async (sender: number | null, eventId: string | null) => {
    const { writes, committed } = filing.judge(eventId === null ? "monitor" : "recording", eventId, sender);
    await storage.write(...writes, sql`SELECT 1`);
    committed();
    return sender;
  };
  const gameOf = (sender: number | null) => filing.gameOf("monitor", null, sender);
  return { games, senders, filing, from, arrives, gameOf };
}

/** The same with an empty database. */
async function fresh(peers?: ReadonlyMap<number, PeerProcess>) {
  const tables = [sql`DELETE FROM game`, sql`DELETE FROM rule`, sql`DELETE FROM service`, sql`DELETE FROM sender`];
  await folder.storage.write(...tables);
  return restarted(peers);
}

test("a report belongs to the game whose trigger the same program sent, also a report before it, and after a restart", async () => {
  const peers = new Map([[1, saga]]);
  const { from, arrives, gameOf } = await fresh(peers);
  const sender = await arrives(from(null, 1), null);
  assert.equal(gameOf(sender), null);
  await arrives(from(null, 1), "saga_boss");
  assert.equal(gameOf(sender), "saga");
  const after = await restarted(peers);
  assert.equal(after.gameOf(sender), "saga");
  assert.equal(after.from(null, 1), sender);
});

test("a report has the build of its run, or else the one that it names, or else the one of its game's file", async () => {
  const { games, senders, filing } = await fresh();
  const file = games.planBuild("saga", "1.4.2");
  await folder.storage.write(...file.statements);
  file.committed();
  const named = senders.startRun("run-1", "saga", "saga", "1.5");
  const unnamed = senders.startRun("run-2", "saga", "saga");
  for (const { committed } of [named, unnamed]) committed?.();
  assert.deepEqual(
    [named, unnamed].flatMap(({ id }) => ["1.0.0", undefined].map((reported) => filing.buildOf(id, "saga", reported))),
    ["1.5", "1.5", "1.0.0", "1.4.2"],
  );
  const unknown = [filing.buildOf(unnamed.id, "quest", undefined), filing.buildOf(null, null, undefined)];
  assert.deepEqual([filing.buildOf(null, "saga", undefined), ...unknown], ["1.4.2", undefined, undefined]);
});

test("a correction reassigns earlier reports", async () => {
  const { games, from, arrives, gameOf, filing } = await fresh(new Map([[1, saga]]));
  const sender = await arrives(from(null, 1), "my_game_boss");
  assert.equal(gameOf(sender), "my");
  await games.registerGame("my_game", {});
  assert.equal(gameOf(sender), "my_game");
  assert.deepEqual(filing.gameFilter("my_game"), { eventIds: ["my_game_boss"], senders: [sender] });
  await games.changeRule("recording", "my_game_boss", { game: "other" });
  assert.equal(gameOf(sender), "other");
  assert.deepEqual(filing.gameFilter(null), { eventIds: [], senders: [sender] });
});

test("the next run of a program is the same game until it sends another game's trigger", async () => {
  const { from, arrives, gameOf } = await fresh(
    new Map([
      [1, saga],
      [2, again],
      [3, { ...again, folder: "/elsewhere" }],
    ]),
  );
  const first = await arrives(from(null, 1), "saga_boss");
  const second = await arrives(from(null, 2), null);
  assert.notEqual(first, second);
  assert.equal(gameOf(second), "saga");
  assert.equal(
    gameOf(await arrives(from(null, 3), null)),
    null,
    "the same command line in another folder is another program",
  );
  await arrives(from(null, 2), "quest_won");
  assert.deepEqual([gameOf(first), gameOf(second)], ["saga", "quest"]);
});

test("a sender of two games' ids belongs to neither, or to the one that is registered", async () => {
  const { games, from, arrives, gameOf } = await fresh(new Map([[1, saga]]));
  const sender = await arrives(from(null, 1), "boss_defeated");
  await arrives(sender, "level_won");
  assert.equal(gameOf(sender), null);
  await games.registerGame("level", {});
  assert.equal(gameOf(sender), "level");
});

test("a web page is recognised by its origin while it keeps sending", async () => {
  const { from, arrives, gameOf } = await fresh();
  const origin = "http://localhost:8000";
  const saga = await arrives(from(origin), "saga_boss");
  assert.equal(await arrives(from(origin), null), saga);
  nowMs += 600_000;
  const quest = await arrives(from(origin), null);
  assert.notEqual(quest, saga);
  assert.equal(gameOf(quest), "saga");
  await arrives(from(origin), "quest_won");
  assert.deepEqual([gameOf(saga), gameOf(quest)], ["saga", "quest"]);
});

for (const [sender, origin] of [
  ["an origin of many games", "https://html-classic.itch.zone"],
  ["an origin that any page can claim", "null"],
  ["a file", "file://"],
  ["NW.js without its process", "chrome-extension://jombgaaogancklkdjjnienlibgdomdhp"],
  ["a program whose process is hidden", null],
] as const) {
  test(`${sender} identifies no sender`, async () => {
    const { from, arrives } = await fresh();
    assert.equal(from(origin), null);
    await arrives(null, "saga_boss");
    assert.deepEqual(await folder.storage.read(sql`SELECT * FROM sender`), []);
  });
}

test("Kit looks up the process of an NW.js game, and never that of a browser", async () => {
  const { from } = await fresh(new Map([[1, saga]]));
  assert.notEqual(from("http://localhost:8000", 1), from(null, 1));
  assert.equal(from("chrome-extension://jombgaaogancklkdjjnienlibgdomdhp", 1), from(null, 1));
});

test("reports of a game whose monitor is off are ignored, others are not", async () => {
  const { games, filing, from, arrives } = await fresh(new Map([[1, saga]]));
  const sender = await arrives(from(null, 1), "saga_boss");
  await games.registerGame("saga", { monitor: false });
  assert.equal(filing.judge("monitor", null, sender).ignored, "game_off");
  assert.equal(filing.judge("monitor", null, null).ignored, null);
  assert.equal(filing.judge("recording", "saga_boss", sender).ignored, null);
});

test("Kit learns nothing from an event that is not durable, and stores only a digest of a command line", async () => {
  const secret = { ...saga, command: "/games/saga --key=hunter2" };
  const { from, arrives, gameOf, filing } = await fresh(new Map([[1, secret]]));
  filing.judge("recording", "saga_boss", from(null, 1));
  assert.equal(gameOf(from(null, 1)), null);
  await arrives(from(null, 1), "saga_boss");
  const rows = await folder.storage.read(sql`SELECT * FROM sender`);
  assert.equal(rows.length, 1);
  assert.ok(!JSON.stringify(rows).includes("hunter2"));
});

test("only the newest programs are known, in memory and on disk", async () => {
  const peers = new Map(
    Array.from({ length: sendersMax + 50 }, (_, pid) => [pid + 1, { ...saga, pid, command: `saga ${pid}` }]),
  );
  const { from, arrives, gameOf, filing } = await fresh(peers);
  const first = await arrives(from(null, 1), "saga_boss");
  const kept = await arrives(from(null, 2), "saga_boss");
  for (let port = 3; port <= sendersMax + 50; port += 1) {
    from(null, port);
    from(null, 2);
  }
  assert.deepEqual([gameOf(first), gameOf(kept)], [null, "saga"]);
  await arrives(from(null, 1), "saga_boss");
  const gone = sql`SELECT count(*) AS n FROM sender WHERE id = ${first}`;
  assert.equal((await folder.storage.read(gone))[0]?.n, 0);
  assert.deepEqual((await restarted(peers)).filing.gameFilter("saga"), filing.gameFilter("saga"));
});
