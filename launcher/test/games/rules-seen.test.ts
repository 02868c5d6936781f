// Tests of how often and when each event id was seen: exact even after the journal forgot events, and without scanning it.
import assert from "node:assert/strict";
import type { EventKind } from "@kit/contract";
import { test } from "vitest";
import { createRuleCountStore } from "../../src/games/game-store.ts";
import { GameRegistry } from "../../src/games/games.ts";
import { createInbox } from "../../src/inbox/inbox.ts";
import { deleteOldestEvents } from "../../src/inbox/inbox-store.ts";
import { type Statement, sql } from "../../src/storage/sql.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { openStorageFolder } from "../support/storage-folder.ts";

const atMs = (second: number) => Date.UTC(2026, 4, 1, 10) + second * 1_000;
const atIso = (second: number) => new Date(atMs(second)).toISOString();

/** The games and the inbox of a launcher, at a time that the test sets. */
async function openInbox(storage: Storage) {
  let second = 0;
  const now = () => atMs(second);
  const nothing = () => undefined;
  const games = new GameRegistry({ storage, now, onChanged: nothing, onSeen: nothing });
  await games.load();
  const floodLimiter = { countBySender: () => undefined, countOrAdmit: async () => undefined };
  const needs = {
    storage,
    floodLimiter,
    now,
    onGameEvent: nothing,
    onArrival: nothing,
    onStored: [],
  };
  const inbox = createInbox({
    ...needs,
    assignment: {
      judge: (kind, eventId) => games.judge(kind, eventId),
      findSender: () => null,
      buildOf: () => undefined,
      trackLateSender: nothing,
    },
  });
  const seen = createRuleCountStore(storage);
  return {
    games,
    at: (to: number) => {
      second = to;
    },
    send: (kind: EventKind, eventId: string) => {
      const body = { eventId, timestamp: new Date(now()).toISOString() };
      return inbox.accept({ kind, body, repeated: false, origin: null, client: null, socket: {} });
    },
    rules: async () =>
      (await seen.addCounts(games.list().rules)).map(({ kind, eventId, count, lastSeenAt }) => ({
        kind,
        eventId,
        count,
        lastSeenAt,
      })),
  };
}

/** Writes events directly into the journal. */
const arrived = (first: number, last: number, idBegins: string): Statement => sql`
  WITH RECURSIVE n (n) AS (SELECT ${first} UNION ALL SELECT n + 1 FROM n WHERE n < ${last})
  INSERT INTO event (seq, id, kind, event_id, payload, acts_on_ms, received_at_ms, status, checksum)
  SELECT n, 'e' || n, 'recording', ${idBegins} || CAST(n % 100 AS INTEGER), '{}', 0, ${atMs(0)} + n, 'accepted', '' FROM n`;

test("every event counts: the first, those of one commit, and ignored ones", async () => {
  await using folder = await openStorageFolder();
  const launcher = await openInbox(folder.storage);
  await Promise.all(Array.from({ length: 50 }, () => launcher.send("recording", "saga_won")));
  launcher.at(7);
  await launcher.send("social", "saga_won");
  await launcher.games.changeRule("recording", "saga_won", { enabled: false });
  launcher.at(9);
  assert.equal((await launcher.send("recording", "saga_won")).status, "ignored");
  await launcher.games.changeRule("recording", "saga_told", { enabled: true });
  assert.deepEqual(await launcher.rules(), [
    { kind: "recording", eventId: "saga_won", count: 51, lastSeenAt: atIso(9) },
    { kind: "social", eventId: "saga_won", count: 1, lastSeenAt: atIso(7) },
    { kind: "recording", eventId: "saga_told", count: 0, lastSeenAt: null },
  ]);
});

test("events deleted from the journal stay counted, and a restart counts no event twice", async () => {
  await using folder = await openStorageFolder();
  const launcher = await openInbox(folder.storage);
  await launcher.send("recording", "saga_won");
  await launcher.send("recording", "saga_won");
  await folder.storage.write(...deleteOldestEvents(2));
  const again = await openInbox(folder.storage);
  assert.deepEqual(await again.rules(), [{ kind: "recording", eventId: "saga_won", count: 2, lastSeenAt: atIso(0) }]);
});

test("a hundred thousand events do not slow the list down", async () => {
  await using folder = await openStorageFolder();
  const { storage } = folder;
  const { games, send, rules } = await openInbox(storage);
  for (let n = 0; n < 100; n += 1) await send("recording", `saga_${n}`);
  assert.equal(games.list().rules.length, 100);
  await storage.write(arrived(1_001, 101_000, "saga_"));
  const plan = await storage.read(sql`
    EXPLAIN QUERY PLAN SELECT kind, event_id, events, last_seen_ms FROM rule WHERE events > 0`);
  assert.deepEqual(
    plan.map(({ detail }) => detail),
    ["SCAN rule"],
  );
  const listed = await rules();
  assert.equal(
    listed.reduce((sum, { count }) => sum + count, 0),
    100_100,
  );
});
