// Tests of the view of the Issues page: it survives a round trip through the address and becomes the right API filters.
import assert from "node:assert/strict";
import { test } from "vitest";
import { issuesAddress } from "../../ui/address.ts";
import {
  belongsToTab,
  defaultIssueView,
  type IssueView,
  parseIssueView,
  reportFromAddress,
  toIssueFilters,
  toIssueQuery,
} from "./issue-view.ts";

test("a view survives a round trip through its address, with and without a report", () => {
  const views: IssueView[] = [
    defaultIssueView,
    { tab: "muted", sort: "count" },
    { tab: "bin", game: "a&b=c#d?e/f", search: "<b> Nil ", sort: "firstSeen" },
  ];
  for (const view of views) {
    const address = issuesAddress("01990000-0000-7000-8000-000000000001", toIssueQuery(view, "event-1"));
    assert.deepEqual(parseIssueView(address), view);
    assert.equal(reportFromAddress(address), "event-1");
    assert.deepEqual(parseIssueView(issuesAddress(undefined, toIssueQuery(view))), view);
  }
  assert.equal(toIssueQuery(defaultIssueView), "");
});

test("unknown values in an address are ignored, and a long search text is cut", () => {
  assert.deepEqual(parseIssueView("#/issues?state=__proto__&sort=constructor&game=&search="), defaultIssueView);
  assert.equal(parseIssueView(`#/issues?search=${"x".repeat(500)}`).search?.length, 200);
});

test("the tab of open issues requests regressed issues separately and first", () => {
  assert.deepEqual(toIssueFilters({ ...defaultIssueView, game: "saga", search: " hp " }), [
    { game: "saga", search: "hp", state: "regressed" },
    { game: "saga", search: "hp", state: "open" },
  ]);
  assert.deepEqual(toIssueFilters({ ...defaultIssueView, tab: "bin" }), [{ bin: true }]);
});

test("an issue is under the tab of its state, or only in the trash if it is deleted", () => {
  const tabsOf = (issue: Parameters<typeof belongsToTab>[1]) =>
    (["open", "resolved", "muted", "bin"] as const).filter((tab) => belongsToTab(tab, issue));
  assert.deepEqual(tabsOf({ state: "regressed", deletedAt: null }), ["open"]);
  assert.deepEqual(tabsOf({ state: "muted", deletedAt: null }), ["muted"]);
  assert.deepEqual(tabsOf({ state: "open", deletedAt: "2026-05-01T10:00:00.000Z" }), ["bin"]);
});
