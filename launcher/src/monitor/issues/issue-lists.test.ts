// Tests of long lists of issues: their content in each order and with each filter, and that none reads all issues.
import assert from "node:assert/strict";
import type { IssueFilter, IssueSort } from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { openStorageFolder, type StorageFolder } from "../../../test/support/storage-folder.ts";
import { type Statement, sql } from "../../storage/sql.ts";
import { createIssueStore, type IssueStore } from "./issue-store.ts";

const nowMs = Date.UTC(2026, 4, 3, 10, 20, 30);
const issuesMade = 6_000;

let folder: StorageFolder;
let store: IssueStore;
let asked: Statement[] = [];
type Made = {
  seq: number;
  title: string;
  game: string | null;
  state: string;
  binned: number;
  count: number;
  at: number;
};
let made: Made[] = [];

/** Many issues match `door`, some `lamp`, few `torch`, and one `zq17x`. */
const fill = sql`
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${issuesMade})
  INSERT INTO issue (seq, id, title, game, lane, dialect, culprit, why, state, state_since_ms, muted_until_ms, created_ms,
    first_seen_ms, last_seen_ms, count, note, deleted_at_ms)
  SELECT i, 'issue-' || i,
    'No key of the ' || CASE WHEN i % 100 = 0 THEN 'torch' WHEN i % 5 = 0 THEN 'lamp' ELSE 'door' END || ' zq' || i || 'x',
    CASE WHEN i % 300 = 7 THEN 'rare' WHEN i % 3 = 0 THEN NULL ELSE 'saga' END, 'lane', 'text',
    json_object('function', 'open_' || (i % 7), 'file', NULL), '"why"',
    CASE WHEN i % 200 = 3 THEN 'regressed' WHEN i % 4 = 0 THEN 'resolved' WHEN i % 4 = 1 THEN 'muted' ELSE 'open' END,
    0, iif(i % 8 = 1, iif(i % 16 = 1, ${nowMs - 1}, ${nowMs + 1}), NULL), 0, ${nowMs} - i * 7919 % 100003,
    ${nowMs} - i * 10007 % 99991, i * 31 % 997, iif(i % 1000 = 5, 'Ask MIKA or Żółw', NULL), iif(i % 50 = 2, ${nowMs}, NULL)
  FROM n`;

beforeAll(async () => {
  folder = await openStorageFolder();
  const { storage } = folder;
  await storage.write(
    fill,
    sql`INSERT INTO issue_fingerprint SELECT seq, seq, seq, '', 1, 'k' || seq, count, first_seen_ms, last_seen_ms, NULL, NULL, '{}' FROM issue`,
  );
  const read = (statement: Statement) => {
    asked.push(statement);
    return storage.read(statement);
  };
  store = createIssueStore({ ...storage, read }, () => nowMs);
  const rows = await storage.read(sql`
    SELECT seq, title || char(10) || (culprit ->> 'function') || char(10) || coalesce(note, '') || char(10) || coalesce(game, '') AS title,
      game, iif(muted_until_ms <= ${nowMs}, 'open', state) AS state, deleted_at_ms IS NOT NULL AS binned, count, last_seen_ms AS at
    FROM issue`);
  made = rows as unknown as Made[];
});
afterAll(() => folder?.[Symbol.asyncDispose]());

/** The list, read page by page. */
async function paged(filter: IssueFilter, sort: IssueSort, limit: number, pagesMax = 200): Promise<number[]> {
  const seqs: number[] = [];
  let page = await store.list(filter, sort, null, limit);
  for (let pages = 1; ; pages += 1) {
    seqs.push(...page.issues.map(({ seq }) => seq));
    const last = page.issues.at(-1);
    if (!page.more || last === undefined || pages === pagesMax) return seqs;
    page = await store.list(filter, sort, last, limit);
  }
}
const expected = ({ game, state, search = "", bin = false }: IssueFilter): number[] =>
  made
    .filter((one) => (one.binned === 1) === bin)
    .filter((one) => game === undefined || (one.game ?? "unsorted") === game)
    .filter((one) => state === undefined || one.state === state)
    .filter((one) => one.title.toLowerCase().includes(search.toLowerCase()))
    .map(({ seq }) => seq);
const sorts = ["lastSeen", "firstSeen", "count"] as const;
const numerically = (seqs: readonly number[]) => seqs.toSorted((a, b) => a - b);

const filters: readonly IssueFilter[] = [
  {},
  { bin: true },
  ...(["open", "resolved", "muted", "regressed"] as const).map((state) => ({ state })),
  ...["saga", "rare", "unsorted", "nobody"].map((game) => ({ game })),
  { game: "saga", state: "muted" },
  { game: "rare", state: "open", search: "door" },
  ...["DOOR", "lamp", "torch", "zq17x", "key of the lamp", "mika", "żÓŁ", "open_3", "rare", "nothing like it"].map(
    (search) => ({ search }),
  ),
  { search: "lamp", game: "saga", state: "resolved" },
  { search: "x", game: "rare" },
];

test("every filter finds all matching issues, page by page, without gaps and repeats", async () => {
  for (const [index, filter] of filters.entries()) {
    const wanted = expected(filter);
    const sort = sorts[index % sorts.length] ?? "count";
    const found = await paged(filter, sort, 1_000);
    assert.deepEqual(numerically(found), wanted, `${sort} ${JSON.stringify(filter)}`);
    const isEmpty = ["nobody", "nothing like it"].includes(filter.game ?? filter.search ?? "");
    assert.equal(wanted.length === 0, isEmpty, JSON.stringify(filter));
  }
});

test("no list and no page reads all issues or all counts, because each part uses an index", async () => {
  asked = [];
  for (const filter of [...filters, { search: "zq" }, { search: "Ω" }])
    for (const sort of sorts) await paged(filter, sort, 50, 2);
  const [one] = (await store.list({}, "count", null, 1)).issues;
  assert.ok(one);
  await store.find(one.issue.id);
  await store.findBySeq(one.seq);
  await store.countsPerDay(one.seq);
  await store.occurrences(one.seq);
  await store.findReport(one.seq, "event");
  await store.mergedIssues(one.seq);
  const plans = new Map(asked.map((statement) => [statement.text, statement]));
  assert.ok(plans.size > 40, `${plans.size} statements`);
  for (const { text, values } of plans.values()) {
    const steps = await folder.storage.read({ text: `EXPLAIN QUERY PLAN ${text}`, values });
    for (const { detail } of steps) assert.doesNotMatch(String(detail), /^SCAN (?!.*VIRTUAL TABLE|\(|CONSTANT)/, text);
  }
});

test("a search finds any text, and reads none of it as a query", async () => {
  const hostile = [
    '"',
    '""""',
    'a" OR "b',
    "NEAR(a b)",
    "title : key",
    "^key",
    "key*",
    "-key",
    "(key",
    "%_%",
    "nothing\0less",
    "'; --",
  ];
  const texts = [...hostile, "100% [key]", "ends in \\", "Ünïcödé KEY", "鍵が見つからない", "🗝️🗝️🗝️", "tab\there"];
  const insert = (title: string, index: number) => sql`
    INSERT INTO issue (seq, id, title, lane, dialect, why, state_since_ms, created_ms, first_seen_ms, last_seen_ms, count)
    VALUES (${10_000 + index}, ${`hostile-${index}`}, ${`about ${title} about`}, 'lane', 'text', '"why"', 0, 0, 0, 0, 1)`;
  await folder.storage.write(...texts.map(insert));
  for (const [index, text] of texts.entries()) {
    for (const search of [text, text.toLowerCase(), text.toUpperCase(), `about ${text}`]) {
      const found = await paged({ search: search.slice(0, 200) }, "count", 200);
      // With one or two characters only the next 2,000 issues are searched.
      if ([...search].length > 2) assert.ok(found.includes(10_000 + index), JSON.stringify(search));
      const others = found.filter(
        (seq) => seq >= 10_000 && !texts[seq - 10_000]?.toLowerCase().includes(text.toLowerCase()),
      );
      assert.deepEqual(others, [], JSON.stringify(search));
    }
  }
  await folder.storage.write(sql`DELETE FROM issue WHERE seq >= 10000`);
  assert.deepEqual(await paged({ search: "鍵が見" }, "count", 200), [], "a deleted issue is not found");
});

test("a search of one or two characters covers the next 2,000 issues, and the list says that there may be more", async () => {
  const page = await store.list({ search: "Ω" }, "lastSeen", null, 50);
  assert.deepEqual([page.issues, page.more], [[], true]);
  const game = await store.list({ search: "Ω", game: "rare" }, "lastSeen", null, 50);
  assert.deepEqual([game.issues, game.more], [[], false], "all issues of the game were searched");
  const { issues, more } = await store.list({ search: "zq" }, "lastSeen", null, 50);
  assert.deepEqual([issues.length, more], [50, true]);
});

test("a note is found from the time it is written until it is removed", async () => {
  const noted = (note: string | null) => folder.storage.write(sql`UPDATE issue SET note = ${note} WHERE seq = 77`);
  await noted("Waits for the new engine");
  assert.deepEqual(await paged({ search: "NEW ENGINE" }, "count", 200), [77]);
  assert.ok((await paged({ search: "zq77x" }, "count", 200)).includes(77));
  await noted(null);
  assert.deepEqual(await paged({ search: "new engine" }, "count", 200), []);
});
