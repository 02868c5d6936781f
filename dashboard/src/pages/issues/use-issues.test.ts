// Tests of the list of issues: rows keep their positions, new issues are counted, and removed ones disappear.
import assert from "node:assert/strict";
import type { Issue } from "@kit/contract";
import { test } from "vitest";
import { type ListedIssue, type LoadedIssues, mergeIssuePages } from "./use-issues.ts";

/** An issue last seen `seen` seconds after noon. */
const issueOf = (id: string, seen: number, members: Partial<ListedIssue> = {}): ListedIssue =>
  ({
    id,
    state: "open",
    count: 1,
    lastSeen: new Date(Date.UTC(2026, 4, 1, 12, 0, seen)).toISOString(),
    ...members,
  }) as Issue;
const pageOf = (issues: ListedIssue[], more = false): LoadedIssues => ({ issues, more });
const shown = (pages: LoadedIssues[], now?: LoadedIssues) => {
  const isShown = ({ state, gone }: ListedIssue) => state !== "resolved" && gone !== true;
  const { rows, arrived } = mergeIssuePages({ pages, now, sort: "lastSeen", isShown });
  return { rows: rows.map(({ id, count }) => `${id} ${count}`), arrived };
};

test("a changed row keeps its position and shows its newest values", () => {
  const pages = [pageOf([issueOf("a", 3), issueOf("b", 2)])];
  const now = pageOf([issueOf("b", 9, { count: 7 }), issueOf("a", 3)]);
  assert.deepEqual(shown(pages, now), { rows: ["a 1", "b 7"], arrived: 0 });
});

test("new issues are only counted", () => {
  const pages = [pageOf([issueOf("a", 3)])];
  assert.deepEqual(shown(pages, pageOf([issueOf("c", 9), issueOf("a", 3)])), { rows: ["a 1"], arrived: 1 });
});

test("an issue that was always below the last row is not new; one that moved up or regressed is", () => {
  const pages = [pageOf([issueOf("a", 5), issueOf("b", 4)], true)];
  const now = pageOf(
    [issueOf("r", 1, { state: "regressed" }), issueOf("up", 9), issueOf("a", 5), issueOf("below", 3)],
    true,
  );
  assert.deepEqual(shown(pages, now), { rows: ["a 1", "b 1"], arrived: 2 });
});

test("a missing issue disappears if the newest answer is the whole list, and stays otherwise", () => {
  const pages = [pageOf([issueOf("a", 3), issueOf("b", 2)])];
  assert.deepEqual(shown(pages, pageOf([issueOf("a", 3)])).rows, ["a 1"]);
  assert.deepEqual(shown(pages, pageOf([issueOf("a", 3)], true)).rows, ["a 1", "b 1"]);
});

test("a regressed issue is new, because its old position no longer applies", () => {
  const pages = [pageOf([issueOf("a", 3), issueOf("b", 2)])];
  const now = pageOf([issueOf("b", 9, { state: "regressed" }), issueOf("a", 3)]);
  assert.deepEqual(shown(pages, now), { rows: ["a 1"], arrived: 1 });
});

test("an issue that left the view is hidden, and an issue on two pages is one row", () => {
  const pages = [
    pageOf([issueOf("a", 3), issueOf("b", 2)], true),
    pageOf([issueOf("b", 2), issueOf("c", 1, { gone: true })]),
  ];
  assert.deepEqual(shown(pages).rows, ["a 1", "b 1"]);
  assert.deepEqual(shown(pages, pageOf([issueOf("a", 3, { state: "resolved" })], true)).rows, ["b 1"]);
});
