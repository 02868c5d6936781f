// Tests of the rule preview with a real journal: it shows what the recorder would have done, and changes nothing.

import assert from "node:assert/strict";
import { type RecordingRule, recordingRuleDefaults, rulePreviewMomentsMax, textOf } from "@kit/contract";
import { message } from "@kit/contract/messages";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import { openStorageFolder, type StorageFolder } from "../../../test/support/storage-folder.ts";
import { insertEvent } from "../../inbox/inbox-store.ts";
import { sql } from "../../storage/sql.ts";
import { createRulePreview, replayTriggers } from "./rule-preview.ts";
import { createPastTriggerStore, type PastTrigger } from "./rule-store.ts";
import { createRecordingRules } from "./rules.ts";

let folder: StorageFolder;
beforeAll(async () => {
  folder = await openStorageFolder();
});
afterAll(() => folder?.[Symbol.asyncDispose]());
beforeEach(() => folder.storage.write(sql`DELETE FROM event`, sql`DELETE FROM recording_rule`));

const beganMs = Date.UTC(2026, 4, 1, 20, 14);
const iso = (seconds: number) => new Date(beganMs + seconds * 1_000).toISOString();
let made = 0;

/** A trigger that arrived at that second, and happened `lateSeconds` earlier. */
const arrived = (
  eventId: string,
  second: number,
  more: { status?: "ignored"; lateSeconds?: number; kind?: "social" } = {},
) =>
  insertEvent({
    id: `event ${++made}`,
    kind: more.kind ?? "recording",
    eventId,
    payload: "{}",
    actsOnMs: beganMs + (second - (more.lateSeconds ?? 0)) * 1_000,
    receivedAtMs: beganMs + second * 1_000,
    status: more.status ?? "accepted",
    reason: null,
    notes: [],
    origin: null,
    client: null,
  });

async function begin() {
  const { storage } = folder;
  const rules = createRecordingRules({
    load: async () => [],
    write: storage.write,
    knownIds: () => [],
    bufferSeconds: () => 90,
    onChanged: () => undefined,
  });
  await rules.load();
  const gameOf = (eventId: string) => eventId.split("_")[0] ?? null;
  return { rules, preview: createRulePreview({ rules, past: createPastTriggerStore(storage), gameOf }) };
}

test("close moments share a clip, moments in the cooldown become markers, and others get their own clip", async () => {
  await folder.storage.write(
    arrived("saga_boss", 0),
    arrived("saga_boss", 4),
    arrived("saga_boss", 20),
    arrived("saga_boss", 300),
  );
  const { preview } = await begin();
  const { moments, clips } = await preview("saga_boss", { cooldownSeconds: 10 });
  assert.deepEqual(
    moments.map(({ at, became, clip }) => [at, became, clip]),
    [
      [iso(0), "clip", 0],
      [iso(4), "joined", 0],
      [iso(20), "clip", 1],
      [iso(300), "clip", 2],
    ],
  );
  assert.deepEqual(clips[0], { from: iso(-12), to: iso(5), seconds: 17, moments: 2, others: 0 });
  assert.deepEqual(clips[1], { from: iso(8), to: iso(25), seconds: 17, moments: 1, others: 0 });
  const apart = await preview("saga_boss", { cooldownSeconds: 60, mergeGapSeconds: 0 });
  assert.deepEqual(
    apart.moments.map(({ became }) => became),
    ["clip", "joined", "marker", "clip"],
  );
  assert.match(textOf(apart.moments[2]?.reason ?? ""), /20 s apart, within its cooldown of 60 s/);
  const longer = await preview("saga_boss", { preSeconds: 20, cooldownSeconds: 0, mergeGapSeconds: 0 });
  assert.match(textOf(longer.moments[2]?.reason ?? ""), /^1[0-9.]* of 20 s before: the rest is in the previous clip$/);
});

test("other ids of the same game take part with their own rules, and a preview changes no rule", async () => {
  await folder.storage.write(
    arrived("saga_chest", 0),
    arrived("saga_boss", 3),
    arrived("saga_note", 4),
    arrived("quest_end", 5),
  );
  const { rules, preview } = await begin();
  await rules.change("saga_note", { action: "nothing" });
  const { moments, clips } = await preview("saga_boss", {});
  assert.deepEqual([moments[0]?.became, clips.length], ["joined", 1]);
  assert.deepEqual(clips[0], { from: iso(-12), to: iso(8), seconds: 20, moments: 1, others: 1 });
  const picture = await preview("saga_boss", { action: "screenshot" });
  assert.deepEqual([picture.moments[0]?.became, picture.moments[0]?.clip, picture.clips], ["screenshot", null, []]);
  assert.equal((await preview("saga_boss", { action: "nothing" })).moments[0]?.became, "nothing");
  assert.equal((await preview("saga_boss", { action: "marker" })).moments[0]?.became, "marker");
  assert.equal(rules.ruleOf("saga_boss").changed, false);
  assert.deepEqual(await folder.storage.read(sql`SELECT event_id FROM recording_rule`), [{ event_id: "saga_note" }]);
});

test("a switched-off event became nothing, a late event counts at its own time, and social triggers do not count", async () => {
  await folder.storage.write(
    arrived("saga_boss", 0, { status: "ignored" }),
    arrived("saga_boss", 100, { lateSeconds: 3 }),
    arrived("saga_boss", 200, { kind: "social" }),
  );
  const { preview } = await begin();
  const { moments, clips } = await preview("saga_boss", {});
  assert.deepEqual(
    moments.map(({ at, became, reason }) => [at, became, reason]),
    [
      [iso(0), "nothing", message("event.was_switched_off")],
      [iso(97), "clip", null],
    ],
  );
  assert.deepEqual(
    clips.map(({ from }) => from),
    [iso(85)],
  );
});

test("an impossible rule is refused with each wrong member, and an unknown id has an empty preview", async () => {
  const { preview } = await begin();
  assert.deepEqual(await preview("saga_boss", {}), { moments: [], clips: [] });
  await assert.rejects(preview("saga_boss", { preSeconds: 120, longestSeconds: 30 }), (error: Error) => {
    const { errors } = error as Error & { errors: { path: string }[] };
    assert.deepEqual(
      errors.map(({ path }) => path),
      ["/longestSeconds", "/preSeconds"],
    );
    return true;
  });
});

test("the preview shows the newest of very many moments, and a flood of another id only hides older ones", async () => {
  const often = Array.from({ length: rulePreviewMomentsMax + 50 }, (_, index) => arrived("saga_boss", index * 100));
  await folder.storage.write(...often);
  const { preview } = await begin();
  const all = await preview("saga_boss", {});
  assert.equal(all.moments.length, rulePreviewMomentsMax);
  assert.equal(all.moments.at(-1)?.at, iso((rulePreviewMomentsMax + 49) * 100));
  const flood = Array.from({ length: 3_000 }, (_, index) => arrived("saga_step", 30_000 + index));
  await folder.storage.write(...flood, arrived("saga_boss", 40_000));
  const few = await preview("saga_boss", {});
  assert.deepEqual(
    few.moments.map(({ at }) => at),
    [iso(40_000)],
  );
});

const ruleWith = (change: Partial<RecordingRule>) => (eventId: string) => ({
  ...recordingRuleDefaults,
  changed: false,
  ...change,
  eventId,
});
const moment = fc.record({ gapMs: fc.nat(40_000), lateMs: fc.nat(3_000), id: fc.constantFrom("a", "b", "c") });
const seconds = (most: number) => fc.integer({ min: 1, max: most });

test("for any events, no second is in two clips, no clip is too long, and each moment is in its clip", () => {
  const property = fc.property(
    fc.array(moment, { maxLength: 60 }),
    seconds(20),
    seconds(10),
    seconds(30),
    (each, pre, post, gap) => {
      let atMs = beganMs;
      const events = each.map(({ gapMs, lateMs, id }, index): PastTrigger => {
        atMs += gapMs;
        const times = { atMs: atMs - lateMs, receivedMs: atMs };
        return { seq: index + 1, id: `event ${index}`, eventId: `saga_${id}`, ...times, ignored: false };
      });
      const rule = { preSeconds: pre, postSeconds: post, mergeGapSeconds: gap, longestSeconds: 40 };
      const { shown, newest } = replayTriggers(events, ruleWith(rule), "saga");
      const clips = [...newest.values()].filter(({ kind }) => kind === "clip").toSorted((a, b) => a.fromMs - b.fromMs);
      for (const [index, clip] of clips.entries()) {
        assert.ok(clip.fromMs >= (clips[index - 1]?.toMs ?? Number.NEGATIVE_INFINITY), "two clips overlap");
        assert.ok(clip.toMs - clip.fromMs <= 40_000, "a clip is too long");
      }
      assert.equal(shown.length, events.length);
      for (const { past, plan } of shown) {
        if (plan?.kind !== "clip") continue;
        const last = newest.get(plan.id);
        assert.ok(last !== undefined && last.fromMs <= past.atMs && past.atMs <= last.toMs, past.id);
      }
    },
  );
  fc.assert(property, { numRuns: 300 });
});
