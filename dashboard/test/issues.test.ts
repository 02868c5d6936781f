// Tests of the list of issues in a real browser with the real launcher: what it shows, and each action.
import assert from "node:assert/strict";
import { changeIssue, listIssues } from "@kit/contract";
import type { Page, Route } from "playwright-core";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import {
  type IssueStage,
  issueOf,
  issuesShown,
  issueWith,
  shareIssueStage,
  toastWith,
  untilShown,
} from "./issue-stage.ts";
import { eventually, openStage } from "./stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");
const open = shareIssueStage(skip);

/** Makes issues with these titles, so that the first title was seen last and is at the top of the list. */
async function openWith(word: string, titles: readonly string[]): Promise<IssueStage> {
  const stage = await open(`#/issues?search=${word}`);
  for (const title of titles.toReversed()) {
    const [event = ""] = await stage.report(title);
    // A report that is grouped after the list was loaded is only counted there.
    await issueOf(stage, event);
  }
  await stage.page.reload();
  await untilShown(stage.page, titles);
  return stage;
}

const setState = async ({ client }: IssueStage, search: string, state: "open" | "resolved") => {
  const { issues } = await client.call(listIssues, { query: { search } });
  for (const { id } of issues) await client.call(changeIssue, { params: { id }, body: { state } });
};

test("before the first error the page explains how to send one, and shows the first error without a reload", {
  skip,
}, async () => {
  const { page, report, complaints } = await open("#/issues");
  await page.getByRole("heading", { name: "No errors yet" }).waitFor();
  await page.getByText('npx kit fire monitor "Nil has no hp"').waitFor();
  await page.getByRole("link", { name: "Connect a game" }).waitFor();
  await report("First of all has no hp", 3);
  const row = issueWith(page, "First of all has no hp");
  await row.getByText("3 reports", { exact: true }).waitFor();
  for (const says of ["New", "Open", "first_of_all_has_no_hp", "res://actors/enemy.gd", "just now"])
    await row.getByText(says).first().waitFor();
  // The hour may end between the reports, or after them.
  assert.match(
    (await row.locator(".sparkline").textContent()) ?? "",
    /^Last 24 hours: 3 reports, most (?:of them now|at .+): [23]$/u,
  );
  assert.deepEqual(complaints, []);
});

test("an error that arrives during the first request of the list is shown", { skip }, async () => {
  await using stage = await openStage();
  const { page, launcher, complaints } = stage;
  const answered = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const hold = async (route: Route) => {
    const response = await route.fetch({ maxRetries: 3 });
    answered.resolve();
    await released.promise;
    await route.fulfill({ response });
  };
  await page.route("**/api/issues?*", hold, { times: 1 });
  await page.goto(`http://127.0.0.1:${launcher.port}/#/issues`);
  await answered.promise;
  await launcher.send("monitor", { message: "Too late for the list", stackTrace: "" });
  // The page hears of the issue no later than of its alert.
  await page.getByRole("button", { name: "Alerts: 1 unread" }).waitFor();
  released.resolve();
  await issueWith(page, "Too late for the list").waitFor();
  assert.deepEqual(complaints, []);
});

test("search text, order and state are kept in the address over a reload", { skip }, async () => {
  const stage = await openWith("apple", ["Apple red is rotten", "Apple green is rotten"]);
  const { page, report, complaints } = stage;
  await report("Apple green is rotten", 4);
  // A visible list keeps its order, so the reports have to be counted before the list is sorted.
  await issueWith(page, "Apple green").getByText("5 reports", { exact: true }).waitFor();
  await page.getByRole("combobox", { name: "Sort by" }).selectOption("count");
  await untilShown(page, ["Apple green is rotten", "Apple red is rotten"]);
  await page.getByRole("searchbox").fill("apple red");
  await untilShown(page, ["Apple red is rotten"]);
  await eventually(async () => new URL(page.url()).hash, "#/issues?search=apple+red&sort=count");
  await page.reload();
  await untilShown(page, ["Apple red is rotten"]);
  assert.equal(await page.getByRole("searchbox").inputValue(), "apple red");
  await page.getByRole("searchbox").fill("apple blue");
  await page.getByRole("heading", { name: "No issue matches these filters" }).waitFor();
  await page.getByRole("button", { name: "Show open issues" }).click();
  await eventually(() => page.getByRole("searchbox").inputValue(), "");
  await issueWith(page, "Apple green").waitFor();
  await page.getByRole("combobox", { name: "Game" }).selectOption("unsorted");
  await eventually(async () => new URL(page.url()).hash, "#/issues?game=unsorted");
  assert.deepEqual(complaints, []);
});

test("the keyboard moves, opens, returns, selects, resolves and mutes", { skip }, async () => {
  const titles = ["Birch one is felled", "Birch two is felled", "Birch three is felled", "Birch four is felled"];
  const { page, complaints } = await openWith("birch", titles);
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
  for (const key of ["j", "j", "j", "k"]) await page.keyboard.press(key);
  assert.equal(await focused(), "Birch two is felled");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Birch two is felled" }).waitFor();
  await page.keyboard.press("Escape");
  await eventually(focused, "Birch two is felled");
  await page.keyboard.press("r");
  await untilShown(
    page,
    titles.filter((title) => !title.includes("two")),
  );
  await eventually(focused, "Birch three is felled");
  await page.keyboard.press("x");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("x");
  await page.getByText("2 issues selected").waitFor();
  await page.keyboard.press("m");
  await page.getByRole("dialog", { name: "Mute for how long?" }).waitFor();
  await page.keyboard.press("Enter");
  await toastWith(page, "2 issues muted.").waitFor();
  await untilShown(page, ["Birch one is felled"]);
  await page.getByRole("radio", { name: "Muted" }).click();
  await untilShown(page, ["Birch three is felled", "Birch four is felled"]);
  assert.match((await page.locator(".issue-row .state").last().getAttribute("title")) ?? "", /^Muted until /u);
  await page.keyboard.press("/");
  await page.keyboard.type(" four");
  await untilShown(page, ["Birch four is felled"]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByText("Resolve the selected issues").waitFor();
  assert.deepEqual(complaints, []);
});

test("a resolved issue that occurs again is at the top and marked as regressed", { skip }, async () => {
  const stage = await openWith("cedar", ["Cedar one fell", "Cedar two fell"]);
  const { page, report, complaints } = stage;
  await setState(stage, "Cedar two", "resolved");
  await untilShown(page, ["Cedar one fell"]);
  await report("Cedar two fell");
  await report("Cedar one fell");
  await page.getByRole("button", { name: "Show new (1 issue)" }).click();
  await untilShown(page, ["Cedar two fell", "Cedar one fell"]);
  await issueWith(page, "Cedar two").getByText("Regressed").waitFor();
  assert.deepEqual(complaints, []);
});

test("a deleted issue disappears at once, Undo restores it, and the trash keeps it until it is deleted permanently", {
  skip,
}, async () => {
  const { page, complaints } = await openWith("daisy", ["Daisy one wilts", "Daisy two wilts"]);
  await page.getByRole("checkbox", { name: "Select: Daisy one wilts" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await untilShown(page, ["Daisy two wilts"]);
  await toastWith(page, "Moved to the trash.").getByRole("button", { name: "Undo" }).click();
  await untilShown(page, ["Daisy one wilts", "Daisy two wilts"]);
  await page.getByRole("checkbox", { name: "Select: Daisy two wilts" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("radio", { name: "Trash" }).click();
  await untilShown(page, ["Daisy two wilts"]);
  await page.getByRole("checkbox", { name: "Select: Daisy two wilts" }).click();
  await page.getByRole("button", { name: "Delete permanently" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete permanently" }).click();
  await page.getByRole("heading", { name: "No issue matches these filters" }).waitFor();
  assert.deepEqual(complaints, []);
});

test("issues are merged into the chosen one, and split again", { skip }, async () => {
  const { page, complaints } = await openWith("elm", ["Elm one splits", "Elm two splits", "Elm three splits"]);
  for (const which of ["one", "two"]) await page.getByRole("checkbox", { name: `Select: Elm ${which} splits` }).click();
  const merge = async () => {
    await page.getByRole("button", { name: "Merge" }).click();
    const dialog = page.getByRole("dialog", { name: "Merge 2 issues into one" });
    await dialog.getByRole("radio", { name: /Elm one/ }).click();
    await dialog.getByRole("button", { name: "Merge" }).click();
    await untilShown(page, ["Elm one splits", "Elm three splits"]);
    await issueWith(page, "Elm one").getByText("2 reports", { exact: true }).waitFor();
  };
  await merge();
  await toastWith(page, "2 issues merged into one.").getByRole("button", { name: "Undo" }).click();
  await untilShown(page, ["Elm one splits", "Elm two splits", "Elm three splits"]);
  await issueWith(page, "Elm one").getByText("1 report", { exact: true }).waitFor();
  for (const which of ["one", "two"]) await page.getByRole("checkbox", { name: `Select: Elm ${which} splits` }).click();
  await merge();
  await page.getByRole("link", { name: "Elm one splits" }).click();
  const parts = page.getByRole("region", { name: "Merged issues" });
  await parts.getByText("Elm two splits", { exact: true }).waitFor();
  await parts.getByRole("button", { name: "Split off: Elm two splits" }).click();
  await toastWith(page, "Split off").waitFor();
  await parts.waitFor({ state: "detached" });
  assert.deepEqual(complaints, []);
});

test("rows change in place, the list is requested at most once a second, and new issues are only counted", {
  skip,
}, async () => {
  const { page, report, complaints } = await openWith("fern", ["Fern one grows", "Fern two grows"]);
  const requestedAtMs: number[] = [];
  page.on("request", (request) => {
    if (/\/api\/issues\?.*state=open/u.test(request.url())) requestedAtMs.push(performance.now());
  });
  const startMs = performance.now();
  await report("Fern two grows", 60);
  await report("Fern three grows");
  await issueWith(page, "Fern two").getByText("61 reports", { exact: true }).waitFor();
  const seconds = (performance.now() - startMs) / 1_000;
  assert.deepEqual(await issuesShown(page), ["Fern one grows", "Fern two grows"]);
  assert.ok(
    requestedAtMs.length >= 1 && requestedAtMs.length <= seconds + 2,
    `${requestedAtMs.length} times in ${seconds} s`,
  );
  await page.getByRole("button", { name: "Show new (1 issue)" }).click();
  await untilShown(page, ["Fern three grows", "Fern two grows", "Fern one grows"]);
  assert.deepEqual(complaints, []);
});

/** Answers with copies of the first issue. The launcher's rate limiter would not make so many new issues. */
async function answerCopies(page: Page, titles: readonly string[]): Promise<void> {
  await page.route("**/api/issues?*state=open*", async (route) => {
    const query = new URL(route.request().url()).searchParams;
    const answer = await (
      await route.fetch({
        maxRetries: 3,
        url: route
          .request()
          .url()
          .replace(/&before=[^&]*/u, ""),
      })
    ).json();
    const all = titles.map((title, n) => ({ ...answer.issues[0], id: `copy-${n}`, title }));
    const from = all.findIndex(({ id }) => id === query.get("before")) + 1;
    const issues = all.slice(from, from + Number(query.get("limit")));
    await route.fulfill({ json: { ...answer, issues, more: from + issues.length < all.length } });
  });
}

test("a long list is loaded page by page, with each issue once", { skip }, async () => {
  const { page, complaints } = await openWith("grove", ["Grove is dark"]);
  const titles = Array.from({ length: 120 }, (_, n) => `Grove ${n}`);
  await answerCopies(page, titles);
  await page.reload();
  await untilShown(page, titles.slice(0, 50));
  const more = page.getByRole("button", { name: "Show more" });
  await more.click();
  await untilShown(page, titles.slice(0, 100));
  await more.click();
  await untilShown(page, titles);
  await more.waitFor({ state: "detached" });
  assert.deepEqual(complaints, []);
});

test("an error of the launcher is shown, and the list stays", { skip }, async () => {
  const { page, complaints } = await openWith("hazel", ["Hazel one cracks"]);
  await page.route("**/api/issues/*", (route) =>
    route.fulfill({
      status: 500,
      contentType: "application/problem+json",
      body: JSON.stringify({
        type: "urn:kit:problem:internal",
        title: "x",
        status: 500,
        detail: "The disk is full.",
        errors: [],
      }),
    }),
  );
  await page.getByRole("checkbox", { name: "Select: Hazel one cracks" }).click();
  await page.getByRole("button", { name: "Resolve" }).click();
  await page.getByRole("alert").filter({ hasText: "The disk is full." }).waitFor();
  await untilShown(page, ["Hazel one cracks"]);
  assert.deepEqual(
    complaints.filter((text) => !text.includes("500")),
    [],
  );
});
