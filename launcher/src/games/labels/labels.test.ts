// Tests of labels, with real SQLite: an event's label and icon, and the id that a misspelled one was probably meant to be.
import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import type { EventKind } from "@kit/contract";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import { openStorageFolder, type StorageFolder } from "../../../test/support/storage-folder.ts";
import { patienceMs } from "../../../test/support/until.ts";
import { sql } from "../../storage/sql.ts";
import { GameRegistry } from "../games.ts";

let folder: StorageFolder;
beforeAll(async () => {
  folder = await openStorageFolder();
});
afterAll(() => folder?.[Symbol.asyncDispose]());
beforeEach(() => folder.storage.write(sql`DELETE FROM game`, sql`DELETE FROM rule`, sql`DELETE FROM event_look`));

let nowMs = Date.UTC(2026, 0, 1);

/** The registry as a launcher loads it when it starts on what is on disk now. */
async function restarted(): Promise<GameRegistry> {
  const { storage } = folder;
  const ignored = () => undefined;
  const now = () => nowMs;
  const games = new GameRegistry({
    storage,
    now,
    onChanged: ignored,
    onSeen: ignored,
  });
  await games.load();
  return games;
}

async function arrives(games: GameRegistry, kind: EventKind, eventId: string) {
  nowMs += 1;
  const { writes, committed } = games.judge(kind, eventId);
  await folder.storage.write(...writes, sql`SELECT 1`);
  committed?.();
}

/** Waits until `isSo`; hints are computed in the background. */
async function eventually(isSo: () => boolean) {
  const deadlineMs = performance.now() + patienceMs;
  while (!isSo()) {
    assert.ok(performance.now() < deadlineMs, "the hint never appeared");
    await turn();
  }
}

test("a label and icon that a person sets count in every service and after a restart, until the person removes them", async () => {
  const games = await restarted();
  await arrives(games, "recording", "saga_boss_down");
  await arrives(games, "social", "saga_boss_down");
  assert.equal(games.eventName("saga_boss_down", "saga"), "Boss down");
  const named = await games.changeRule("recording", "saga_boss_down", { label: " Boss down! ", icon: "skull" });
  assert.deepEqual([named.label, named.icon, named.enabled], ["Boss down!", "skull", true]);
  const again = await restarted();
  assert.equal(again.eventName("saga_boss_down", "saga"), "Boss down!");
  const social = again.list().rules.find(({ kind }) => kind === "social");
  assert.deepEqual([social?.label, social?.icon], ["Boss down!", "skull"]);
  await again.changeRule("social", "saga_boss_down", { enabled: false });
  assert.equal(again.eventName("saga_boss_down", "saga"), "Boss down!", "a switch keeps the label");
  const bare = await again.changeRule("social", "saga_boss_down", { label: null, icon: null });
  assert.deepEqual([bare.label, bare.icon, bare.enabled], [null, null, false]);
  assert.equal((await restarted()).eventName("saga_boss_down", "saga"), "Boss down");
  assert.deepEqual(await folder.storage.read(sql`SELECT * FROM event_look`), []);
});

test("a misspelled id gets an older id of its game and service as a hint, until a person labels it", async () => {
  const games = await restarted();
  await arrives(games, "recording", "saga_boss_defeated");
  await arrives(games, "recording", "saga_bos_defeated");
  await arrives(games, "social", "saga_bos_defeatd");
  await arrives(games, "recording", "quest_boss_defeated");
  const meant = (known: GameRegistry) =>
    Object.fromEntries(known.list().rules.map(({ kind, eventId, similarTo }) => [`${kind} ${eventId}`, similarTo]));
  const expected = {
    "recording saga_boss_defeated": null,
    "recording saga_bos_defeated": "saga_boss_defeated",
    "social saga_bos_defeatd": null,
    "recording quest_boss_defeated": null,
  };
  const found = (known: GameRegistry) => eventually(() => meant(known)["recording saga_bos_defeated"] !== null);
  await found(games);
  assert.deepEqual(meant(games), expected);
  const again = await restarted();
  await found(again);
  assert.deepEqual(meant(again), expected);
  await again.changeRule("recording", "saga_bos_defeated", { label: "The boss of the bus" });
  assert.equal(meant(again)["recording saga_bos_defeated"], null);
});
