// The list's view stands in the address and is read back from it; what it asks of the launcher follows from it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { issuesAddress } from "../address.ts";
import {
  type IssueView,
  issueFiltersOf,
  issueQueryOf,
  issueViewIn,
  isUnder,
  openIssues,
  reportIn,
} from "./issue-view.ts";

test("a view is read back from the address it makes, with a report or without", () => {
  const views: IssueView[] = [
    openIssues,
    { tab: "muted", sort: "count" },
    { tab: "bin", game: "a&b=c#d?e/f", search: "<b> Nil ", sort: "firstSeen" },
  ];
  for (const view of views) {
    const address = issuesAddress("01990000-0000-7000-8000-000000000001", issueQueryOf(view, "event-1"));
    assert.deepEqual(issueViewIn(address), view);
    assert.equal(reportIn(address), "event-1");
    assert.deepEqual(issueViewIn(issuesAddress(undefined, issueQueryOf(view))), view);
  }
  assert.equal(issueQueryOf(openIssues), "");
});

test("what an address says and nobody knows is left out", () => {
  assert.deepEqual(issueViewIn("#/issues?state=__proto__&sort=constructor&game=&search="), openIssues);
  assert.equal(issueViewIn(`#/issues?search=${"x".repeat(500)}`).search?.length, 200);
});

test("under open, what came back is asked for by itself and first", () => {
  assert.deepEqual(issueFiltersOf({ ...openIssues, game: "saga", search: " hp " }), [
    { game: "saga", search: "hp", state: "regressed" },
    { game: "saga", search: "hp", state: "open" },
  ]);
  assert.deepEqual(issueFiltersOf({ ...openIssues, tab: "bin" }), [{ bin: true }]);
});

test("an issue is under the tab of its state, and under the bin alone while it lies there", () => {
  const underWhich = (issue: Parameters<typeof isUnder>[1]) =>
    (["open", "resolved", "muted", "bin"] as const).filter((tab) => isUnder(tab, issue));
  assert.deepEqual(underWhich({ state: "regressed", deletedAt: null }), ["open"]);
  assert.deepEqual(underWhich({ state: "muted", deletedAt: null }), ["muted"]);
  assert.deepEqual(underWhich({ state: "open", deletedAt: "2026-05-01T10:00:00.000Z" }), ["bin"]);
});
