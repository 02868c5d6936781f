// Tests of the commands on issues in the list: by mouse, by keyboard, with undo, and when they fail.
import assert from "node:assert/strict";
import { changeIssue, type Issue, KitError } from "@kit/contract";
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

async function openList(...titles: readonly string[]) {
  stored.issues = titles.map((title, n) => issueOf(n + 1, { title }));
  const opened = await openApp("#/issues", launcher);
  await untilShown(...titles);
  return opened;
}

const shown = () => [...document.querySelectorAll(".issue-link")].map(({ textContent }) => textContent);
const untilShown = (...titles: readonly string[]) => waitFor(() => assert.deepEqual(shown(), titles));
const focused = () => document.activeElement?.textContent;
const button = (name: string) => screen.getByRole("button", { name });
const select = (title: string) => screen.getByRole("checkbox", { name: `Select: ${title}` });
const toast = (text: string) => screen.findByText(text, { selector: ".toast span" });
const idOf = (n: number) => issueOf(n).id;

test("the keyboard moves, opens, returns, selects, resolves and mutes", async () => {
  const [one, two, three, four] = ["Birch one", "Birch two", "Birch three", "Birch four"] as const;
  const { user } = await openList(one, two, three, four);
  await user.keyboard("jjjk");
  assert.equal(focused(), two);
  await user.keyboard("{Enter}");
  const title = await screen.findByRole("heading", { level: 1, name: two });
  await waitFor(() => assert.ok(document.activeElement === title));
  await user.keyboard("{Escape}");
  await waitFor(() => assert.equal(focused(), two));
  await user.keyboard("r");
  await untilShown(one, three, four);
  await waitFor(() => assert.equal(focused(), three));
  await user.keyboard("x{ArrowDown}x");
  await screen.findByText("2 issues selected");
  await assertAccessible();
  await user.keyboard("m");
  const dialog = screen.getByRole("dialog", { name: "Mute for how long?" });
  await assertAccessible();
  await user.click(within(dialog).getByRole("button", { name: "For an hour" }));
  await toast("2 issues muted.");
  await untilShown(one);
  const [resolving, ...muting] = launcher.changes;
  assert.equal(resolving, `PUT /api/issues/${idOf(2)} {"state":"resolved"}`);
  const change = (n: number) => `PUT /api/issues/${idOf(n)} {"state":"muted","mutedUntil":"…"}`;
  assert.deepEqual(
    muting.map((one) => one.replace(/(?<=mutedUntil":")[^"]+Z/u, "…")),
    [change(3), change(4)],
  );
  await user.click(screen.getByRole("radio", { name: "Muted" }));
  await untilShown(three, four);
  assert.match(document.querySelector(".issue-row .state:last-child")?.getAttribute("title") ?? "", /^Muted until /u);
  await user.keyboard("/four");
  assert.equal(screen.getByRole<HTMLInputElement>("searchbox").value, "four");
  screen.getByRole("searchbox").blur();
  await user.keyboard("?");
  within(screen.getByRole("dialog", { name: "Keyboard shortcuts" })).getByText(/^Resolve the selected issues/);
});

test("a resolved issue leaves the list at once, and Undo reopens it", async () => {
  const { user } = await openList("Cedar one fell", "Cedar two fell");
  await user.click(select("Cedar two fell"));
  await user.click(button("Resolve"));
  await untilShown("Cedar one fell");
  await toast("Resolved.");
  await user.click(button("Undo"));
  await untilShown("Cedar one fell", "Cedar two fell");
  await toast("Reopened.");
  const change = (state: string) => `PUT /api/issues/${idOf(2)} {"state":"${state}"}`;
  assert.deepEqual(launcher.changes, [change("resolved"), change("open")]);
});

test("a deleted issue disappears at once, Undo restores it, and the trash keeps it until it is deleted permanently", async () => {
  const { user } = await openList("Daisy one wilts", "Daisy two wilts");
  await user.click(select("Daisy one wilts"));
  await user.click(button("Delete"));
  await untilShown("Daisy two wilts");
  await toast("Moved to the trash.");
  await user.click(button("Undo"));
  await untilShown("Daisy one wilts", "Daisy two wilts");
  await user.click(select("Daisy two wilts"));
  await user.click(button("Delete"));
  await untilShown("Daisy one wilts");
  await user.click(screen.getByRole("radio", { name: "Trash" }));
  await untilShown("Daisy two wilts");
  await user.click(select("Daisy two wilts"));
  await user.click(button("Delete permanently"));
  const dialog = within(screen.getByRole("dialog", { name: "Delete permanently?" }));
  dialog.getByText("Daisy two wilts");
  await assertAccessible();
  await user.click(dialog.getByRole("button", { name: "Delete permanently" }));
  await screen.findByRole("heading", { name: "The trash is empty" });
  await assertAccessible();
  assert.deepEqual(launcher.changes, [
    `DELETE /api/issues/${idOf(1)}`,
    `POST /api/issues/${idOf(1)}/restore`,
    `DELETE /api/issues/${idOf(2)}`,
    `DELETE /api/issues/${idOf(2)}?forever=true`,
  ]);
});

test("issues are merged into the chosen one, and split again", async () => {
  const [one, two, three] = ["Elm one splits", "Elm two splits", "Elm three splits"] as const;
  const { user } = await openList(one, two, three);
  const merge = async () => {
    for (const title of [one, two]) await user.click(select(title));
    await user.click(button("Merge"));
    const dialog = within(screen.getByRole("dialog", { name: "Merge 2 issues into one" }));
    await user.click(dialog.getByRole("radio", { name: /Elm one/ }));
    await assertAccessible();
    await user.click(dialog.getByRole("button", { name: "Merge" }));
    await untilShown(one, three);
    await toast("2 issues merged into one.");
    screen.getByText("2 reports");
  };
  await merge();
  await user.click(button("Undo"));
  await toast("Split off as a separate issue.");
  await waitFor(() => assert.deepEqual(shown().toSorted(), [one, three, two].toSorted()));
  await merge();
  await user.click(screen.getByRole("link", { name: one }));
  const parts = await screen.findByRole("region", { name: "Merged issues" });
  within(parts).getByText(two);
  await assertAccessible();
  await user.click(within(parts).getByRole("button", { name: `Split off: ${two}` }));
  await toast("Split off as a separate issue.");
  await waitFor(() => assert.equal(parts.isConnected, false));
  const merging = `POST /api/issues/${idOf(1)}/merge {"ids":["${idOf(2)}"]}`;
  const splitting = `POST /api/issues/${idOf(2)}/split`;
  assert.deepEqual(launcher.changes, [merging, splitting, merging, splitting]);
});

test("the dialog proposes to keep the oldest issue, and issues of two games cannot be merged", async () => {
  const { user } = await openList("Elm one splits", "Elm two splits");
  for (const title of ["Elm one splits", "Elm two splits"]) await user.click(select(title));
  await user.click(button("Merge"));
  const dialog = within(screen.getByRole("dialog", { name: "Merge 2 issues into one" }));
  assert.ok(dialog.getByRole<HTMLInputElement>("radio", { name: /Elm two/ }).checked);
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  await user.click(button("Clear"));
  stored.issues = stored.issues.map((issue, n) => ({ ...issue, game: n === 0 ? "mygame" : "skyhook" }));
  launcher.tell("issues");
  await screen.findByText("Skyhook", { selector: ".issue-game" });
  for (const title of ["Elm one splits", "Elm two splits"]) await user.click(select(title));
  screen.getByText("2 issues selected");
  assert.ok(screen.queryByRole("button", { name: "Merge" }) === null);
});

test("an error of the launcher is shown, and the list stays", async () => {
  launcher.when(changeIssue).reply(() => {
    throw new KitError("internal", "The disk is full.");
  });
  const { user } = await openList("Hazel one cracks");
  await user.click(select("Hazel one cracks"));
  await user.click(button("Resolve"));
  assert.equal((await screen.findByRole("alert")).textContent, "The disk is full.");
  assert.deepEqual(shown(), ["Hazel one cracks"]);
});
