// Tests of sessions with real SQLite: each event is in one session, and sessions end, are corrected and are bounded.
import assert from "node:assert/strict";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import { openStorageFolder, type StorageFolder } from "../../../test/support/storage-folder.ts";
import { type Statement, sql } from "../../storage/sql.ts";
import type { RunIdentity } from "../senders.ts";
import { createGameSessionStore, createTimelineStore } from "./session-store.ts";
import { SessionTracker } from "./session-tracker.ts";
import { quietTimeMs, toGameSession } from "./stored-session.ts";

let folder: StorageFolder;
beforeAll(async () => {
  folder = await openStorageFolder();
});
afterAll(() => folder?.[Symbol.asyncDispose]());

const beganMs = Date.UTC(2026, 4, 1, 18);
let nowMs = beganMs;
let alive = new Set<number>();
let games: Record<number, string> = {};
let assignedGames: Record<string, string> = {};
beforeEach(async () => {
  const tables = [sql`DELETE FROM event`, sql`DELETE FROM game_session`, sql`DELETE FROM hand_over`];
  await folder.storage.write(...tables, sql`UPDATE game_session_gone SET sessions = 0`);
  [nowMs, alive, games, assignedGames] = [beganMs, new Set([11, 22]), { 1: "saga", 2: "quest" }, {}];
});

const factsOf = (sender: number): RunIdentity => ({
  by: "process",
  process: { pid: sender * 11, startedAt: `boot ${sender}` },
  run: null,
});
/** A tracker of a launcher that just started. */
async function started(more: { sessionsMax?: number; write?: (...all: Statement[]) => Promise<void> } = {}) {
  const tracker = new SessionTracker({
    store: createGameSessionStore(folder.storage),
    senders: { runIdentity: factsOf, gameOf: (sender) => games[sender ?? 0] ?? null },
    life: {
      isAlive: ({ pid }) => alive.has(pid),
      startedMs: () => undefined,
      look: async () => undefined,
    },
    gameOf: (_, id) => assignedGames[id] ?? id.split("_")[0] ?? null,
    write: folder.storage.write,
    now: () => nowMs,
    onChanged: () => undefined,
    ...more,
  });
  await tracker.load();
  return tracker;
}
let sent = 0;
async function arrives(sender: number | null, eventId: string | null, atMs = nowMs, of = "recording"): Promise<string> {
  sent += 1;
  const id = `event-${sent}`;
  const kind = eventId === null ? "monitor" : of;
  await folder.storage.write(sql`
    INSERT INTO event (id, kind, event_id, payload, acts_on_ms, received_at_ms, status, sender, checksum)
    VALUES (${id}, ${kind}, ${eventId}, '{"message":"it broke"}', ${atMs}, ${atMs}, 'accepted', ${sender}, '')`);
  return id;
}
const sessions = async () =>
  (await createGameSessionStore(folder.storage).list(null, null, 100)).reverse().map(toGameSession);
const summaries = async () => (await sessions()).map(({ game, events, ending }) => [game, events, ending]);
const eventsOf = async (place: number) => {
  const { id = "" } = (await sessions())[place] ?? {};
  return (await createTimelineStore(folder.storage).events(id, 0, 1_000)).map((event) => event.id);
};
const caughtUp = async (tracker: SessionTracker) => {
  while (await tracker.processNextBatch());
};

test("each event is in the session of its run, once, also if the launcher ends in between", async () => {
  const first = await started();
  const saga = [await arrives(1, "saga_a"), await arrives(1, null)];
  const quest = [await arrives(2, "quest_a")];
  await caughtUp(first);
  saga.push(await arrives(1, "saga_b"));
  const failing = await started({ write: () => Promise.reject(new Error("the disk is full")) });
  await assert.rejects(failing.processNextBatch());
  const second = await started();
  await caughtUp(second);
  quest.push(await arrives(2, null));
  await caughtUp(second);
  assert.deepEqual(await summaries(), [
    ["saga", 3, "running"],
    ["quest", 2, "running"],
  ]);
  assert.deepEqual([await eventsOf(0), await eventsOf(1)], [saga, quest]);
});

test("while one game plays, its thousands of events are stored as one stretch", async () => {
  const tracker = await started();
  await folder.storage.write(sql`
    WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 2500)
    INSERT INTO event (id, kind, event_id, payload, acts_on_ms, received_at_ms, status, sender, checksum)
    SELECT 'many-' || n, 'recording', 'saga_a', '{}', ${beganMs} + n, ${beganMs} + n, 'accepted', 1, '' FROM many`);
  await caughtUp(tracker);
  const [parts] = await folder.storage.read(sql`SELECT count(*) AS parts FROM game_session_part`);
  assert.deepEqual([await summaries(), parts?.parts], [[["saga", 2_500, "running"]], 1]);
});

test("a session ends when its program is found gone, or at its last event if no launcher ran then", async () => {
  const first = await started();
  await arrives(1, "saga_a");
  await arrives(2, "quest_a");
  await caughtUp(first);
  await first.endFinishedSessions();
  nowMs += 60_000;
  alive.delete(11);
  await first.endFinishedSessions();
  alive.delete(22);
  nowMs += 60_000;
  const second = await started();
  await caughtUp(second);
  await second.endFinishedSessions();
  const [saga, quest] = await sessions();
  assert.deepEqual([saga?.ending, saga?.endedAt], ["ended", new Date(beganMs + 60_000).toISOString()]);
  assert.deepEqual([quest?.ending, quest?.endedAt], ["unseen", quest?.lastEventAt]);
});

test("without a process, a session ends after ten minutes of silence, at its last event", async () => {
  const tracker = await started();
  await arrives(null, "mine_a");
  await caughtUp(tracker);
  nowMs += quietTimeMs - 1;
  await tracker.endFinishedSessions();
  assert.deepEqual(await summaries(), [["mine", 1, "running"]]);
  nowMs += 1;
  await tracker.endFinishedSessions();
  const [mine] = await sessions();
  assert.deepEqual([mine?.ending, mine?.endedAt], ["quiet", mine?.lastEventAt]);
});

test("a correction reassigns earlier sessions, of a process and of an id without a sender", async () => {
  const tracker = await started();
  await arrives(1, "my_game_a");
  await arrives(null, "other_game_a");
  await caughtUp(tracker);
  games[1] = "my_game";
  assignedGames = { other_game_a: "other_game" };
  await tracker.reassignGames();
  assert.deepEqual(await summaries(), [
    ["my_game", 1, "running"],
    ["other_game", 1, "running"],
  ]);
});

test("beyond the limit the oldest sessions are deleted and counted, and a later event of a deleted one does no harm", async () => {
  const tracker = await started({ sessionsMax: 3 });
  for (let count = 0; count < 6; count += 1) {
    await arrives(null, `game${count}_a`);
    await caughtUp(tracker);
  }
  await arrives(null, "game0_b");
  await caughtUp(tracker);
  assert.deepEqual(
    (await summaries()).map(([game]) => game),
    ["game3", "game4", "game5"],
  );
  assert.equal(await createGameSessionStore(folder.storage).countDeleted(), 3);
});

test("a session counts its events that the journal has deleted", async () => {
  const tracker = await started();
  for (let count = 0; count < 4; count += 1) await arrives(1, "saga_a");
  await caughtUp(tracker);
  await folder.storage.write(sql`DELETE FROM event WHERE seq <= (SELECT min(seq) + 2 FROM event)`);
  const [saga] = await sessions();
  assert.deepEqual([saga?.events, await createTimelineStore(folder.storage).countStored(saga?.id ?? "")], [4, 1]);
});

test("moments, errors and posts are counted separately, and stay correct when sessions merge or change their game", async () => {
  const tracker = await started();
  await arrives(null, "saga_a");
  await caughtUp(tracker);
  await arrives(1, "saga_b");
  await arrives(1, "saga_b", nowMs, "social");
  await arrives(1, null);
  await caughtUp(tracker);
  games = { 1: "tale" };
  await tracker.reassignGames();
  await arrives(1, "saga_c", nowMs, "social");
  await caughtUp(await started());
  const counts = (await sessions()).map(({ game, events, moments, errors, posts }) => [
    game,
    events,
    moments,
    errors,
    posts,
  ]);
  assert.deepEqual(counts, [["tale", 5, 2, 1, 2]]);
});
