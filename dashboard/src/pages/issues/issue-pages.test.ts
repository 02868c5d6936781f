// Rows keep their places while issues change; what came since is counted, and what left is gone.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Issue } from "@kit/contract";
import { type IssuePage, type ListedIssue, listedIssues } from "./issue-pages.ts";

/** Seen `seen` seconds after noon. */
const issueOf = (id: string, seen: number, members: Partial<ListedIssue> = {}): ListedIssue =>
  ({
    id,
    state: "open",
    count: 1,
    lastSeen: new Date(Date.UTC(2026, 4, 1, 12, 0, seen)).toISOString(),
    ...members,
  }) as Issue;
const pageOf = (issues: ListedIssue[], more = false): IssuePage => ({ issues, more });
const shown = (pages: IssuePage[], now?: IssuePage) => {
  const isShown = ({ state, gone }: ListedIssue) => state !== "resolved" && gone !== true;
  const { rows, arrived } = listedIssues({ pages, now, sort: "lastSeen", isShown });
  return { rows: rows.map(({ id, count }) => `${id} ${count}`), arrived };
};

test("a row that changed keeps its place and shows what is newest of it", () => {
  const pages = [pageOf([issueOf("a", 3), issueOf("b", 2)])];
  const now = pageOf([issueOf("b", 9, { count: 7 }), issueOf("a", 3)]);
  assert.deepEqual(shown(pages, now), { rows: ["a 1", "b 7"], arrived: 0 });
});

test("what is new is only counted", () => {
  const pages = [pageOf([issueOf("a", 3)])];
  assert.deepEqual(shown(pages, pageOf([issueOf("c", 9), issueOf("a", 3)])), { rows: ["a 1"], arrived: 1 });
});

test("what stood below the last row all the time is no news; what came up to it, and what came back, is", () => {
  const pages = [pageOf([issueOf("a", 5), issueOf("b", 4)], true)];
  const now = pageOf(
    [issueOf("r", 1, { state: "regressed" }), issueOf("up", 9), issueOf("a", 5), issueOf("below", 3)],
    true,
  );
  assert.deepEqual(shown(pages, now), { rows: ["a 1", "b 1"], arrived: 2 });
});

test("what left is gone where all there are were told, and stays where they were not", () => {
  const pages = [pageOf([issueOf("a", 3), issueOf("b", 2)])];
  assert.deepEqual(shown(pages, pageOf([issueOf("a", 3)])).rows, ["a 1"]);
  assert.deepEqual(shown(pages, pageOf([issueOf("a", 3)], true)).rows, ["a 1", "b 1"]);
});

test("what was resolved in between and came back is news: it has no place among the others yet", () => {
  const pages = [pageOf([issueOf("a", 3), issueOf("b", 2)])];
  const now = pageOf([issueOf("b", 9, { state: "regressed" }), issueOf("a", 3)]);
  assert.deepEqual(shown(pages, now), { rows: ["a 1"], arrived: 1 });
});

test("what no longer belongs here is not shown, and an issue on two pages is one row", () => {
  const pages = [
    pageOf([issueOf("a", 3), issueOf("b", 2)], true),
    pageOf([issueOf("b", 2), issueOf("c", 1, { gone: true })]),
  ];
  assert.deepEqual(shown(pages).rows, ["a 1", "b 1"]);
  assert.deepEqual(shown(pages, pageOf([issueOf("a", 3, { state: "resolved" })], true)).rows, ["b 1"]);
});
