// Tests of the clips of a time span, and of the position of an event in a clip.
import assert from "node:assert/strict";
import { afterAll, beforeAll, test } from "vitest";
import { openStorageFolder, type StorageFolder } from "../../../test/support/storage-folder.ts";
import { sql } from "../../storage/sql.ts";
import { createClipSpanStore } from "./clip-data-store.ts";

let folder: StorageFolder;
beforeAll(async () => {
  folder = await openStorageFolder();
});
afterAll(() => folder?.[Symbol.asyncDispose]());

test("clips are found by game and time or by event, never in the trash, and an event has its second in the clip", async () => {
  const { storage } = folder;
  const made = (id: string, game: string | null, fromMs: number, deletedAtMs: number | null = null) => [
    sql`
      INSERT INTO clip (id, kind, state, title, game, from_ms, to_ms, priority, poster, deleted_at_ms)
      VALUES (${id}, 'clip', 'saved', 'A title', ${game}, ${fromMs}, ${fromMs + 10_000}, 0, 1, ${deletedAtMs})`,
    sql`
      INSERT INTO clip_moment (event, event_seq, clip_seq, kind, event_id, label, at_ms)
      SELECT ${`event of ${id}`}, 1, seq, 'recording', 'saga_a', 'a', ${fromMs + 2_500} FROM clip WHERE id = ${id}`,
  ];
  await storage.write(
    ...[made("before", "saga", 0), made("within", "saga", 45_000), made("other", "quest", 46_000)].flat(),
    ...[made("after", "saga", 90_001), made("trashed", "saga", 50_000, 1), made("unsorted", null, 200_000)].flat(),
  );
  const spans = createClipSpanStore(storage);
  const found = async (game: string | null, events: string[] = []) =>
    (await spans.clipsBetween(game, 50_000, 90_000, events)).map(({ id }) => id);
  assert.deepEqual(await found("saga"), ["within"]);
  assert.deepEqual(await found("saga", ["event of unsorted", "event of trashed"]), ["within", "unsorted"]);
  assert.deepEqual(await found(null), []);
  const [one] = await spans.clipsBetween("saga", 50_000, 90_000, []);
  assert.deepEqual([one?.from, one?.poster], [new Date(45_000).toISOString(), true]);
  const where = await spans.clipsOf(["event of within", "event of trashed", "none"]);
  assert.deepEqual([...where], [["event of within", { clip: "within", second: 2.5 }]]);
  await storage.write(...made("part", "saga", 47_000), sql`UPDATE clip SET trimmed_from = 'within' WHERE id = 'part'`);
  assert.deepEqual(await found("saga"), ["within"], "a trim is left out while its whole clip is there");
  await storage.write(sql`UPDATE clip SET deleted_at_ms = 1 WHERE id = 'within'`);
  assert.deepEqual(await found("saga"), ["part"]);
});
