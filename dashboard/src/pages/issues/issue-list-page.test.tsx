// Tests of the list of issues: its rows, filters and pages, and how it changes while errors arrive.
import assert from "node:assert/strict";
import { type Issue, issuesPageMax, KitError, listIssues } from "@kit/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, test } from "vitest";
import { assertAccessible } from "../../../test/component/accessible.ts";
import { answerIssues, issueOf } from "../../../test/component/fake-issues.ts";
import { createFakeLauncher, type FakeLauncher } from "../../../test/component/fake-launcher.ts";
import { openApp } from "../../../test/component/open-app.tsx";

let launcher: FakeLauncher;
let stored: { issues: Issue[] };
beforeEach(() => {
  launcher = createFakeLauncher();
  stored = answerIssues(launcher);
});

/** Opens the list, which shows these issues, and waits until it follows the feed and has fetched everything twice. */
async function openList(titles: readonly string[], fragment = "#/issues") {
  stored.issues = titles.map((title, n) => issueOf(n + 1, { title }));
  const opened = await openApp(fragment, launcher);
  if (titles.length > 0) await untilShown(...titles);
  await waitFor(() => assert.deepEqual(launcher.followed(), ["/api/feed"]));
  return opened;
}

const shown = () => [...document.querySelectorAll(".issue-link")].map(({ textContent }) => textContent);
const untilShown = (...titles: readonly string[]) => waitFor(() => assert.deepEqual(shown(), titles));
const rowWith = (title: string) =>
  screen.getByRole("link", { name: title }).closest<HTMLElement>(".issue-row") ?? assert.fail();

/** The requested lists of the tab of open issues, without those of regressed ones. */
const openLists = () => launcher.asked.filter((address) => /^\/api\/issues\?.*state=open/u.test(address));

test("before the first error the page explains how to send one, and shows the first error without a reload", async () => {
  await openList([]);
  await screen.findByRole("heading", { name: "No errors yet" });
  screen.getByText('npx kit fire monitor "Nil has no hp"');
  assert.equal(screen.getByRole("link", { name: "Connect a game" }).getAttribute("href"), "#/connect");
  await assertAccessible();
  stored.issues = [
    issueOf(0, { title: "Enemy has no hp", count: 3, hours: [...Array.from({ length: 23 }, () => 0), 3] }),
  ];
  launcher.tell("issues");
  await untilShown("Enemy has no hp");
  const row = within(rowWith("Enemy has no hp"));
  for (const says of ["3 reports", "New", "Open", "_process", "res://actors/enemy.gd", "Mygame"]) row.getByText(says);
  row.getAllByText("just now");
  row.getByText("Last 24 hours: 3 reports, most of them now: 3");
  await assertAccessible();
});

test("an error that arrives during the first request of the list is shown", async () => {
  const replies = Promise.withResolvers<void>();
  const none = { issues: [], more: false, forgotten: { issues: 0, reports: 0 } };
  launcher.when(listIssues).reply(async () => {
    await replies.promise;
    return none;
  });
  await openApp("#/issues", launcher);
  await waitFor(() => assert.deepEqual(launcher.followed(), ["/api/feed"]));
  // From now on the launcher knows the issue, but the reply under way does not have it.
  stored = answerIssues(launcher, [issueOf(1, { title: "Too late for the list" })]);
  launcher.tell("issues");
  replies.resolve();
  await untilShown("Too late for the list");
});

test("search text, order, game and state are kept in the address, and the launcher applies them", async () => {
  const { user } = await openList(["Apple red is rotten"], "#/issues?search=apple+red&sort=count");
  const search = screen.getByRole<HTMLInputElement>("searchbox");
  assert.deepEqual(
    [search.value, openLists()[0]],
    ["apple red", "/api/issues?search=apple+red&state=open&sort=count&limit=50"],
  );
  assert.ok(launcher.asked.includes(`/api/issues?search=apple+red&state=regressed&sort=count&limit=${issuesPageMax}`));
  const until = (hash: string, query: string) =>
    waitFor(() => assert.deepEqual([location.hash, openLists().at(-1)], [hash, `/api/issues?${query}&limit=50`]));
  await user.selectOptions(screen.getByRole("combobox", { name: "Sort by" }), "lastSeen");
  await until("#/issues?search=apple+red", "search=apple+red&state=open&sort=lastSeen");
  stored.issues = [];
  await user.clear(search);
  await user.type(search, "apple blue");
  await screen.findByRole("heading", { name: "No issue matches these filters" });
  await until("#/issues?search=apple+blue", "search=apple+blue&state=open&sort=lastSeen");
  await user.click(screen.getByRole("button", { name: "Show open issues" }));
  await until("#/issues", "state=open&sort=lastSeen");
  assert.equal(search.value, "");
  await user.selectOptions(screen.getByRole("combobox", { name: "Game" }), "unsorted");
  await until("#/issues?game=unsorted", "game=unsorted&state=open&sort=lastSeen");
  launcher.asked.length = 0;
  await user.click(screen.getByRole("radio", { name: "Trash" }));
  await waitFor(() => assert.ok(launcher.asked.includes("/api/issues?game=unsorted&bin=true&sort=lastSeen&limit=50")));
  assert.equal(location.hash, "#/issues?state=bin&game=unsorted");
});

test("a resolved issue that occurs again is at the top and marked as regressed", async () => {
  const { user } = await openList(["Cedar one fell"]);
  stored.issues = [issueOf(0, { title: "Cedar two fell", state: "regressed" }), ...stored.issues];
  launcher.tell("issues");
  await user.click(await screen.findByRole("button", { name: "Show new (1 issue)" }));
  await untilShown("Cedar two fell", "Cedar one fell");
  within(rowWith("Cedar two fell")).getByText("Regressed");
});

test("rows change in place, the list is requested at most once a second, and new issues are only counted", async () => {
  const { user } = await openList(["Fern one grows", "Fern two grows"]);
  launcher.asked.length = 0;
  const startMs = performance.now();
  for (let count = 2; count <= 61; count += 1) {
    const [one, two] = [issueOf(1, { title: "Fern one grows" }), issueOf(2, { title: "Fern two grows", count })];
    stored.issues = [issueOf(0, { title: "Fern three grows" }), two, one];
    launcher.tell("issues");
    await new Promise((resolve) => setTimeout(resolve));
  }
  await waitFor(() => within(rowWith("Fern two grows")).getByText("61 reports"));
  const seconds = (performance.now() - startMs) / 1_000;
  assert.deepEqual(shown(), ["Fern one grows", "Fern two grows"]);
  const requests = openLists().length;
  assert.ok(requests >= 1 && requests <= seconds + 2, `${requests} times in ${seconds} s`);
  await user.click(screen.getByRole("button", { name: "Show new (1 issue)" }));
  await untilShown("Fern three grows", "Fern two grows", "Fern one grows");
});

test("a long list is loaded page by page, with each issue once", async () => {
  const titles = Array.from({ length: 6 }, (_, n) => `Grove ${n}`);
  const issues = titles.map((title, n) => issueOf(n + 1, { title }));
  launcher.when(listIssues).reply(({ query }) => {
    if (query?.state !== "open") return { issues: [], more: false, forgotten: { issues: 0, reports: 0 } };
    const from = issues.findIndex(({ id }) => id === query.before) + 1;
    // Two of each fifty, because a page of fifty rows takes seconds to draw.
    const page = issues.slice(from, from + (query.limit ?? 0) / 25);
    return { issues: page, more: from + page.length < issues.length, forgotten: { issues: 0, reports: 0 } };
  });
  const { user } = await openApp("#/issues", launcher);
  const more = () => screen.findByRole("button", { name: "Show more" });
  await untilShown(...titles.slice(0, 2));
  launcher.asked.length = 0;
  await user.click(await more());
  await untilShown(...titles.slice(0, 4));
  await user.click(await more());
  await untilShown(...titles);
  const before = (n: number) => `/api/issues?state=open&sort=lastSeen&limit=50&before=${issues[n]?.id}`;
  assert.deepEqual(
    openLists().filter((address) => address.includes("before")),
    [before(1), before(3)],
  );
  assert.ok(screen.queryByRole("button", { name: "Show more" }) === null);
});

test("a list that cannot be read is reported", async () => {
  launcher.when(listIssues).reply(() => {
    throw new KitError("storage_unavailable", "The disk is full.");
  });
  await openApp("#/issues", launcher);
  assert.equal((await screen.findByRole("alert")).textContent, "The disk is full.");
});

test("issues that were deleted to free space are counted below the list", async () => {
  stored.issues = [issueOf(1)];
  const { issues } = stored;
  launcher.when(listIssues).reply(() => ({ issues, more: false, forgotten: { issues: 2, reports: 31 } }));
  await openApp("#/issues", launcher);
  await screen.findByText(/permanently deleted the least important issues: 2 issues with 31 reports\.$/);
});
