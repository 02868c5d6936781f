// Tests of accessibility with axe: the list and the page of an issue, in both colour schemes, wide and at 360 px.
import assert from "node:assert/strict";
import { changeIssue, mergeIssues } from "@kit/contract";
import { describe, test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { assertAccessibleInBothSchemes, narrow } from "./accessible.ts";
import { clipOf } from "./clip-samples.ts";
import { type IssueStage, issueOf, issueWith, shareIssueStage, toastWith } from "./issue-stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");

/** Makes one issue of each state, one of them with a merged issue and a note; resolves with the events of the first. */
async function createIssues(stage: IssueStage): Promise<string[]> {
  const { client, report } = stage;
  const events = await report("Enemy has no hp", 3);
  const ids: string[] = [];
  for (const words of ["Door has no key", "Sound is missing", "Map was lost", "Item is gone"]) {
    const [event = ""] = await report(words);
    ids.push(await issueOf(stage, event));
  }
  const [resolved = "", muted = "", part = "", back = ""] = ids;
  const set = (id: string, body: { state?: "resolved" | "muted"; note?: string }) =>
    client.call(changeIssue, { params: { id }, body });
  await set(resolved, { state: "resolved" });
  await set(muted, { state: "muted" });
  await set(back, { state: "resolved" });
  const [again = ""] = await report("Item is gone");
  // A regressed issue that appears after the list was loaded is only counted there.
  await issueOf(stage, again);
  const first = await issueOf(stage, events[0] ?? "");
  await client.call(mergeIssues, { params: { id: first }, body: { ids: [part] } });
  await set(first, { note: "Since build 7." });
  return events;
}

async function assertListAccessible(stage: IssueStage): Promise<void> {
  const { page, go } = stage;
  await go("#/issues");
  await page.reload();
  await issueWith(page, "Regressed").waitFor();
  await assertAccessibleInBothSchemes(stage.page, "list");
  for (const box of await page.getByRole("checkbox", { name: /^Select/ }).all()) await box.click();
  await page.getByText("2 issues selected").waitFor();
  await assertAccessibleInBothSchemes(stage.page, "selected");
  for (const [button, name] of [
    ["Mute", "Mute for how long?"],
    ["Merge", "Merge 2 issues into one"],
  ] as const) {
    await page.getByRole("button", { name: button }).click();
    await page.getByRole("dialog", { name }).waitFor();
    await assertAccessibleInBothSchemes(stage.page, name);
    await page.keyboard.press("Escape");
  }
  await page.getByRole("button", { name: "Delete" }).click();
  await toastWith(page, "2 issues moved to the trash.").waitFor();
  // The message stays while it has the focus, however long the check takes.
  await page.getByRole("button", { name: "Undo" }).focus();
  await page.getByRole("heading", { name: "No open issues" }).waitFor();
  await assertAccessibleInBothSchemes(stage.page, "all clear, just deleted");
  await page.getByRole("button", { name: "Undo" }).click();
  await toastWith(page, "2 issues restored").waitFor();
  await page.getByRole("radio", { name: "Muted" }).click();
  await issueWith(page, "Sound is missing").waitFor();
  await assertAccessibleInBothSchemes(stage.page, "muted");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await assertAccessibleInBothSchemes(stage.page, "help");
  await page.keyboard.press("Escape");
}

async function assertIssueAccessible(stage: IssueStage, events: readonly string[]): Promise<void> {
  const { page, go, answers } = stage;
  const [moment] = clipOf(1).events;
  assert.ok(moment);
  const id = await issueOf(stage, events[0] ?? "");
  answers.clips = [];
  await go(`#/issues/${id}?event=${events[0]}`);
  await page.reload();
  await page.getByText("No video for this report.").waitFor();
  await page.getByRole("button", { name: "Split off: Map was lost" }).waitFor();
  await assertAccessibleInBothSchemes(stage.page, "an issue without a video");
  answers.clips = [clipOf(1, { events: [{ ...moment, id: events[0] ?? "", kind: "monitor" }] })];
  await page.reload();
  await page.getByRole("button", { name: "10 seconds before" }).waitFor();
  await page.getByRole("radio", { name: "As sent" }).click();
  for (const summary of await page.getByText("Show as a table").all()) await summary.click();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await page.getByRole("textbox", { name: "Note" }).waitFor();
  await assertAccessibleInBothSchemes(stage.page, "an issue with a video, as sent, tables open, its note being edited");
  await go("#/issues/01990000-0000-7000-8000-000000000001");
  await page.getByRole("heading", { name: "Not found" }).waitFor();
  await assertAccessibleInBothSchemes(stage.page, "an issue that does not exist");
}

for (const [size, viewport] of [
  ["wide", { width: 1280, height: 800 }],
  ["at 360 px", narrow],
] as const) {
  // The page's own security policy would block axe. Motion is off, so that no colour is measured during a transition.
  describe(`issues are accessible ${size} in both colour schemes`, { skip }, () => {
    const open = shareIssueStage(skip, { viewport, bypassCSP: true, reducedMotion: "reduce" });
    test("every state, from the empty list on", async () => {
      const stage = await open("#/issues");
      await stage.page.getByRole("heading", { name: "No errors yet" }).waitFor();
      await assertAccessibleInBothSchemes(stage.page, "no errors yet");
      const events = await createIssues(stage);
      await assertListAccessible(stage);
      await assertIssueAccessible(stage, events);
    });
  });
}
