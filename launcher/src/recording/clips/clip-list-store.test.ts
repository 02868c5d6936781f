// Tests of lists of clips with real SQLite: pages in every order, tags, search for text, and their speed.
import assert from "node:assert/strict";
import { type Clip, type ClipSort, clipSorts } from "@kit/contract";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import {
  beganMs,
  type ClipsFolder,
  momentAt,
  openClipsFolder,
  planWith,
  saveRow,
} from "../../../test/recording/clips-folder.ts";
import { sql } from "../../storage/sql.ts";
import type { ClipPlan } from "../plans/plan.ts";
import {
  addMoments,
  type ClipQuery,
  deleteClips,
  insertSplitClip,
  insertTrim,
  type SavedFile,
  setClipTrashed,
  updateClip,
} from "./clip-store.ts";

let folder: ClipsFolder;
beforeAll(async () => {
  folder = await openClipsFolder();
});
afterAll(() => folder?.[Symbol.asyncDispose]());
beforeEach(() => folder.storage.write(sql`DELETE FROM clip`));

const write = (...statements: Parameters<ClipsFolder["storage"]["write"]>) => folder.storage.write(...statements);
const clip = (plan: Partial<ClipPlan> = {}, file: Partial<SavedFile> = {}) => saveRow(folder, planWith(plan), file);
async function titles(query: ClipQuery): Promise<string[]> {
  return (await folder.store.list(query, null, 100)).map(({ clip: { title } }) => title);
}
/** Reads all pages of a list. */
async function walk(query: ClipQuery, pageSize: number): Promise<Clip[]> {
  const found: Clip[] = [];
  for (;;) {
    const page = await folder.store.list(query, found.at(-1)?.id ?? null, pageSize);
    if (page.length === 0) return found;
    found.push(...page.map((kept) => kept.clip));
  }
}

/** The value that each order sorts by. */
const ranks: Record<ClipSort, (clip: Clip) => number | string> = {
  newest: () => 0,
  longest: ({ duration }) => -duration,
  largest: ({ bytes }) => -bytes,
  best: ({ priority, pinned }) => -priority - (pinned ? 10_000 : 0),
  title: ({ title }) => title.toLowerCase(),
};

for (const sort of clipSorts) {
  test(`pages sorted by ${sort} have every clip once, in order, and equal clips newest first`, async () => {
    const made: ClipPlan[] = [];
    for (let n = 0; n < 40; n += 1) {
      const title = `${n % 3 === 0 ? "Boss" : "boss"} ${"abcd"[n % 4]}`;
      const plan = { title, priority: (n % 5) * 100, toMs: beganMs + 1_000 + (n % 6) * 500 };
      made.push(await clip({ ...plan, game: n % 2 ? "saga" : "quest" }, { bytes: 1_000 * (n % 7) }));
    }
    const place = new Map(made.map(({ id }, n) => [id, n]));
    const rank = ranks[sort];
    const all = await walk({ sort }, 7);
    assert.equal(new Set(all.map(({ id }) => id)).size, made.length);
    for (const [n, one] of all.entries()) {
      const next = all[n + 1];
      if (next === undefined) continue;
      const isBehind =
        rank(one) < rank(next) || (rank(one) === rank(next) && Number(place.get(one.id)) > Number(place.get(next.id)));
      assert.ok(isBehind, `${JSON.stringify([rank(one), rank(next)])} at ${n}`);
    }
    const saga = await walk({ sort, game: "saga" }, 3);
    assert.deepEqual(
      saga.map(({ id }) => id),
      all.filter(({ game }) => game === "saga").map(({ id }) => id),
    );
    const [third] = all.slice(2);
    assert.ok(third !== undefined);
    await write(deleteClips([all[3]?.id ?? ""]));
    const [behind] = await folder.store.list({ sort }, third.id, 1);
    assert.equal(behind?.clip.id, all[4]?.id, "a page continues after a clip that was deleted meanwhile");
  });
}

test("tags that differ only in case are one tag, in any alphabet, and tags in the trash are not counted", async () => {
  const one = await clip({ title: "one" });
  const other = await clip({ title: "other" });
  const trashed = await clip();
  await write(...updateClip(one.id, { tags: ["Äpfel", "boss", "BOSS", "10", "9"] }));
  await write(...updateClip(other.id, { tags: ["äPFEL"] }), ...updateClip(trashed.id, { tags: ["gone", "boss"] }));
  await write(setClipTrashed(trashed.id, beganMs, null));
  assert.deepEqual((await folder.store.find(one.id))?.clip.tags, ["9", "10", "Äpfel", "BOSS"]);
  assert.deepEqual((await folder.store.find(trashed.id))?.clip.tags, ["boss", "gone"], "the tags stay in the trash");
  const tags = new Map((await folder.store.tags()).map(({ tag, clips }) => [tag, clips]));
  assert.deepEqual([tags.get("äPFEL"), tags.get("BOSS"), tags.has("gone")], [2, 1, false]);
  assert.deepEqual(await titles({ tag: "ÄPFEL" }), ["other", "one"]);
  assert.deepEqual(await titles({ tag: "boss" }), ["one"]);
  await write(...updateClip(one.id, { tags: [] }), ...updateClip(one.id, { pinned: true }));
  assert.deepEqual(await titles({ tag: "boss" }), []);
  await write(deleteClips([other.id]));
  assert.deepEqual((await folder.store.tags()).length, 0);
});

test("each word is searched in title, events and tags, ignoring case, and special characters have no meaning", async () => {
  const plan = await clip({ title: 'Der Übermut "100%" don\'t_stop', moments: [momentAt(beganMs)] });
  await clip({ title: "another", moments: [{ ...momentAt(beganMs), eventId: "quest_end", label: "the end" }] });
  await write(...updateClip(plan.id, { tags: ["魔王", "Ökonomie"] }));
  const mine = [plan.title];
  for (const text of [
    "ÜBERMUT",
    "der über",
    "saga_boss",
    "BOSS",
    "魔王",
    "ökonomie",
    "ö",
    '"100%"',
    "0%",
    "don't_",
    "%",
    "t_s",
    "ÜB",
  ]) {
    assert.deepEqual(await titles({ text }), mine, text);
  }
  for (const text of ["übermut end", "x%y", "t%s", "a_o", '" OR "', "魔皇", "\u0000nothing", "rec"]) {
    assert.deepEqual(await titles({ text }), [], text);
  }
  assert.equal((await titles({ text: "  " })).length, 2);
});

test("the search follows clips that are renamed, extended, split, trimmed and deleted", async () => {
  const first = await clip({ title: "first" });
  await write(...updateClip(first.id, { title: "renamed" }));
  assert.deepEqual([await titles({ text: "first" }), await titles({ text: "renamed" })], [[], ["renamed"]]);
  const late = { ...momentAt(beganMs + 1_500), eventId: "saga_treasure", label: "treasure" };
  await write(...addMoments({ ...first, moments: [...first.moments, late] }));
  assert.deepEqual(await titles({ text: "treasure" }), ["renamed"]);
  const rest = planWith({ title: "rest", moments: [late] });
  await write(...insertSplitClip(rest));
  assert.deepEqual(await titles({ text: "treasure" }), ["rest"]);
  const part = planWith({ title: "part", moments: first.moments });
  await write(...insertTrim(part, { id: first.id, backend: null, subject: "highlight" }));
  assert.deepEqual(await titles({ text: "saga_boss" }), ["part", "renamed"].toSorted());
  assert.deepEqual(
    await titles({ event: first.moments[0]?.event ?? "" }),
    ["renamed"],
    "a trim does not take over the event",
  );
  await write(deleteClips([first.id]));
  assert.deepEqual(await titles({ text: "boss" }), ["part"]);
  assert.deepEqual((await folder.storage.read(sql`SELECT count(*) AS n FROM clip_text`))[0]?.n, 2);
});

test("the filter separates pinned clips from others", async () => {
  const { id } = await clip({ title: "pinned" });
  await clip({ title: "other" });
  await write(...updateClip(id, { pinned: true }));
  assert.deepEqual([await titles({ pinned: true }), await titles({ pinned: false })], [["pinned"], ["other"]]);
});

test("a span of time selects the clips that show a part of it", async () => {
  const instant = (seconds: number) => new Date(beganMs + seconds * 1_000).toISOString();
  for (const [title, from, to] of [
    ["before", 0, 10],
    ["across the start", 15, 25],
    ["within", 30, 35],
    ["across the end", 38, 50],
    ["after", 60, 70],
  ] as const) {
    await clip({ title, fromMs: beganMs + from * 1_000, toMs: beganMs + to * 1_000 });
  }
  assert.deepEqual(await titles({ from: instant(20), to: instant(40) }), [
    "across the end",
    "within",
    "across the start",
  ]);
  assert.deepEqual(await titles({ from: instant(55) }), ["after"]);
  assert.deepEqual(await titles({ to: instant(5) }), ["before"]);
});
