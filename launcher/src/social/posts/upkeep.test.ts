// Tests of upkeep: drafts expire, and the number of stored posts is limited.
import assert from "node:assert/strict";
import { test } from "vitest";
import { openPostsFolder, triggerOf } from "../../../test/social/posts-folder.ts";
import { sql } from "../../storage/sql.ts";

test("an undecided draft expires after the set hours, and undo makes it a draft again", async () => {
  await using folder = await openPostsFolder();
  await folder.settings.change({ expireHours: 2 });
  await folder.addRule({ attach: "none" });
  const entry = triggerOf("saga_boss");
  await folder.take(entry);
  const { id } = await folder.only();
  folder.clock.ms += 2 * 3_600_000 - 1;
  await folder.upkeep.run();
  assert.equal((await folder.only()).state, "draft");
  folder.clock.ms += 1;
  await folder.upkeep.run();
  assert.equal((await folder.only()).state, "expired");
  assert.deepEqual((await folder.receiptOf(entry)).at(-1), {
    state: "ignored",
    reason: "nobody decided on it within 2 hours",
  });
  assert.equal((await folder.posts.undo(id)).state, "draft");
});

test("an approved post does not expire", async () => {
  await using folder = await openPostsFolder();
  await folder.addRule({ attach: "none" });
  await folder.take(triggerOf("saga_boss"));
  await folder.posts.approve((await folder.only()).id);
  folder.clock.ms += 1_000 * 3_600_000;
  await folder.upkeep.run();
  assert.equal((await folder.only()).state, "approved");
});

test("above the limit the oldest finished posts are deleted with their deliveries", async () => {
  await using folder = await openPostsFolder();
  await folder.settings.change({ hourlyMax: 60 });
  const entries = Array.from({ length: 24 }, (_, index) => triggerOf(`e${index}`));
  for (const { event } of entries) await folder.addRule({ pattern: event.eventId ?? "", attach: "none" });
  await folder.take(...entries);
  await folder.storage.write(sql`UPDATE post SET state = 'sent' WHERE event_id IN ('e1', 'e2', 'e5', 'e6', 'e7')`);
  await folder.upkeep.run();
  const left = (await folder.all()).map(({ eventId }) => eventId);
  assert.deepEqual([left.length, left.at(-1), left.includes("e7")], [20, "e0", true]);
  assert.ok(!left.some((id) => ["e1", "e2", "e5", "e6"].includes(id ?? "")));
  const [row] = await folder.storage.read(sql`SELECT count(*) AS deliveries FROM delivery`);
  assert.equal(row?.deliveries, 40);
});
