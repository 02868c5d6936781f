// Tests of the page of an issue: its stack, its stored reports, its video, and each action.
import assert from "node:assert/strict";
import {
  type Clip,
  changeIssue,
  getIssue,
  getRecorder,
  type Issue,
  type IssueDetail,
  issueMarkdown,
  KitError,
  listClips,
  listEvents,
  listRecordingRules,
} from "@kit/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, test } from "vitest";
import { clipOf, markerOf, recorderStateOf, reportOf } from "../../../test/clip-samples.ts";
import { assertAccessible } from "../../../test/component/accessible.ts";
import { answerDetails, listOf, triggerOf } from "../../../test/component/fake-events.ts";
import { answerIssues, detailOf, frameOf, issueOf, occurrenceOf } from "../../../test/component/fake-issues.ts";
import { createFakeLauncher, type FakeLauncher } from "../../../test/component/fake-launcher.ts";
import { openApp } from "../../../test/component/open-app.tsx";
import { visibleText } from "../../ui/visible-text.ts";

let launcher: FakeLauncher;
let stored: { issues: Issue[] };
beforeEach(() => {
  launcher = createFakeLauncher();
  stored = answerIssues(launcher);
});

/** Opens the page of an issue, which the launcher keeps. */
async function openIssue(issue: Issue, query = "") {
  stored.issues = [issue];
  const opened = await openApp(`#/issues/${issue.id}${query}`, launcher);
  await screen.findByRole("heading", { level: 1, name: issue.title });
  await waitFor(() => assert.deepEqual(launcher.followed(), ["/api/feed"]));
  return opened;
}

const button = (name: string | RegExp) => screen.getByRole("button", { name });
const region = (name: string) => screen.findByRole("region", { name });
const toast = (text: string) => screen.findByText(text, { selector: ".toast span" });
const state = () => document.querySelector(".issue-head .state")?.textContent;
const fact = (name: string) => screen.getByText(name, { selector: "dt" }).nextElementSibling?.textContent;

/** Whose code each call of the stack is, as the page says it. */
const ownersShown = () =>
  [...document.querySelectorAll("li.frame-line")].map((line) => line.querySelector(".frame-owner")?.textContent);

test("a stack is shown as calls, of which those of others are folded, and as it was sent", async () => {
  const issue = issueOf(1);
  const engine = { inApp: false, owner: "Godot", file: "scene/main.cpp", line: null } as const;
  const frames = [
    frameOf("_process", { source: { path: "/home/kim/enemy.gd", link: "vscode://file/home/kim/enemy.gd:34" } }),
    frameOf("anonymous", { function: null, file: null, line: null, text: "at <anonymous>" }),
    ...["emit_signal", "notification"].map((name) => frameOf(name, engine)),
    frameOf("_ready", { line: 50, source: { path: "/home/kim/enemy.gd", link: "javascript:alert(1)" } }),
  ];
  const stackTrace = "_process: \u202eres://actors/enemy.gd:34\n\u0007at <anonymous>";
  launcher.when(getIssue).reply(() => detailOf(issue, { report: { frames, framesTotal: 9, stackTrace } }));
  const { user } = await openIssue(issue);
  const calls = () =>
    [...document.querySelectorAll("li.frame-line")].map((line) => line.querySelector(".frame-name")?.textContent);
  assert.deepEqual(calls(), ["_process", "anonymous function", "_ready"]);
  screen.getByText("and 4 more calls below");
  // Only links of known editors are shown. Any other path is copied.
  assert.deepEqual(
    screen.getAllByRole("link", { name: /^Open in editor/ }).map((link) => link.getAttribute("href")),
    [frames[0]?.source?.link],
  );
  button("Copy /home/kim/enemy.gd:50");
  await assertAccessible();
  await user.click(button("2 calls of Godot"));
  assert.deepEqual(calls(), ["_process", "anonymous function", "emit_signal", "notification", "_ready"]);
  assert.deepEqual(ownersShown(), [undefined, undefined, "Godot", "Godot", undefined]);
  await user.click(screen.getByRole("radio", { name: "As sent" }));
  assert.equal((await region("The stack as it was sent")).textContent, visibleText(stackTrace));
  await user.click(button("Copy the stack as it was sent"));
  assert.equal(await navigator.clipboard.readText(), stackTrace);
});

test("a stack without a call of the game is shown whole, and each call says whose it is", async () => {
  const issue = issueOf(1);
  const frames = ["MonoGame", "native code", "constructor", null].map((owner) =>
    frameOf("resume", { inApp: false, owner }),
  );
  launcher.when(getIssue).reply(() => detailOf(issue, { report: { frames, framesTotal: 4, stackTrace: "resume" } }));
  await openIssue(issue);
  assert.deepEqual(ownersShown(), ["MonoGame", "native code", "constructor", undefined]);
});

test("a report whose stack cannot be parsed, or that has none, says so", async () => {
  const issue = issueOf(1, { dialect: "text" });
  launcher.when(getIssue).reply(() => detailOf(issue, { report: { frames: [], framesTotal: 0, stackTrace: "" } }));
  await openIssue(issue);
  screen.getByText("The report had no stack, so it says what went wrong, but not where.");
  assert.equal(fact("Stack"), "Unknown format");
});

test("the last lines that a crashed program printed are headed as its output, not as a stack", async () => {
  const issue = issueOf(1, { dialect: "text", title: "mygame crashed: SIGSEGV, invalid memory access" });
  const report = { frames: [], framesTotal: 0, stackTrace: "loading the vault", client: "kit-run" };
  launcher.when(getIssue).reply(() => detailOf(issue, { report }));
  const { user } = await openIssue(issue);
  const section = within(await region("Last output"));
  section.getByText("loading the vault");
  for (const name of ["Stack", "Last output"]) assert.ok(screen.queryByText(name, { selector: "dt" }) === null);
  assert.ok(screen.queryByText(/stack/iu) === null);
  await user.click(section.getByRole("button", { name: "Copy the last output" }));
  assert.equal(await navigator.clipboard.readText(), "loading the vault");
  await assertAccessible();
  launcher.when(getIssue).reply(() => detailOf(issueOf(2), { report: { ...report, stackTrace: "" } }));
  location.hash = `#/issues/${issueOf(2).id}`;
  await screen.findByText("The program printed nothing before it crashed.");
});

test("what happened before is listed with the error itself, and each links to the Live page", async () => {
  const before = triggerOf("mygame_trail_begun");
  const issue = issueOf(1, { title: "Path is lost" });
  const at = new Date(Date.parse(occurrenceOf(1).at) - 1_500).toISOString();
  const crumb = { event: before.id, kind: "recording", at, text: "mygame_trail_begun" } as const;
  launcher.when(getIssue).reply(() => detailOf(issue, { breadcrumbs: [crumb] }));
  answerDetails(launcher, before);
  launcher.when(listRecordingRules).reply(() => ({ rules: [] }));
  launcher.when(listEvents).reply(() => listOf(before));
  const { user } = await openIssue(issue);
  const crumbs = within(await region("What happened before"));
  const links = crumbs.getAllByRole("link");
  assert.deepEqual(
    links.map(({ textContent }) => textContent),
    ["Trail begun", "Path is lost"],
  );
  crumbs.getByText("1.5 s before");
  assert.equal(links[0]?.getAttribute("href"), `#/live?show=${before.id}`);
  assert.equal(links[1]?.getAttribute("href"), `#/live?show=${occurrenceOf(1).event}`);
  await user.click(links[0] ?? assert.fail());
  const details = await screen.findByRole("complementary", { name: "Details" });
  within(details).getByRole("heading", { level: 2, name: "mygame_trail_begun" });
});

test("the address selects a stored report; if that report is not stored, the newest is shown", async () => {
  const issue = issueOf(1, { count: 3 });
  const first = occurrenceOf(1);
  launcher.when(getIssue).reply(({ query }) => {
    if (query?.event === undefined) return detailOf(issue);
    if (query.event !== first.event) throw new KitError("not_found", "The report is not stored.");
    return detailOf(issue, { report: first });
  });
  const { user } = await openIssue(issue);
  await screen.findByText(/^Report 3 of 3,/);
  const reports = within(await region("Stored reports, newest first"));
  await user.click(reports.getByRole("link", { name: /^#1/ }));
  await screen.findByText(/^Report 1 of 3,/);
  assert.equal(location.hash, `#/issues/${issue.id}?event=${first.event}`);
  assert.match(reports.getByRole("link", { current: true }).textContent, /^#1/u);
  await assertAccessible();
  location.hash = `#/issues/${issue.id}?event=gone`;
  await screen.findByText(/^The requested report is not stored\./);
  screen.getByText(/^Report 3 of 3,/);
});

test("the shown report stays while more arrive, and the counts change", async () => {
  const { user } = await openIssue(issueOf(1));
  await screen.findByText(/^Report 1 of 1,/);
  stored.issues = [issueOf(1, { count: 5 })];
  launcher.tell("issues");
  await screen.findByText("5 reports", { selector: ".issue-head span" });
  screen.getByText(/^Report 1 of 5,/);
  await user.click(button("Show the newest"));
  screen.getByText(/^Report 5 of 5,/);
  assert.ok(screen.queryByRole("button", { name: "Show the newest" }) === null);
});

test("an issue gets a note, which the form shows again, and Escape leaves as it was", async () => {
  const { user } = await openIssue(issueOf(1));
  const note = within(await region("Note"));
  await user.click(note.getByRole("button", { name: "Write a note" }));
  assert.ok(document.activeElement === note.getByRole("textbox", { name: "Note" }));
  await user.keyboard("Since build 7.{Enter}Ask Robin. ");
  await user.click(note.getByRole("button", { name: "Save" }));
  await toast("Note saved.");
  note.getByText(/Ask Robin\.$/);
  await user.click(note.getByRole("button", { name: "Edit" }));
  const field = note.getByRole<HTMLTextAreaElement>("textbox", { name: "Note" });
  assert.equal(field.value, "Since build 7.\nAsk Robin.");
  await assertAccessible();
  await user.keyboard("Not now{Escape}");
  note.getByRole("button", { name: "Edit" });
  screen.getByRole("heading", { level: 1, name: "Error 1" });
  assert.deepEqual(launcher.changes, [`PUT /api/issues/${issueOf(1).id} {"note":"Since build 7.\\nAsk Robin."}`]);
});

test("an issue is resolved, reopened, muted, deleted and restored", async () => {
  const { id } = issueOf(1);
  const { user } = await openIssue(issueOf(1));
  const act = async (name: string, message: string, badge: string) => {
    await user.click(button(name));
    await toast(message);
    await waitFor(() => assert.equal(state(), badge));
  };
  await act("Resolve", "Resolved.", "Resolved");
  await act("Reopen", "Reopened.", "Open");
  await user.keyboard("m");
  await act("Until 100 more reports", "Muted.", "Muted");
  assert.match(fact("State") ?? "", /^Muted, until 101 reports since /u);
  await act("Reopen", "Reopened.", "Open");
  await user.keyboard("r");
  await waitFor(() => assert.equal(state(), "Resolved"));
  await user.click(button("Delete"));
  await toast("Moved to the trash.");
  // The message stays while it has the focus, however long the check takes.
  button("Undo").focus();
  screen.getByText("This issue is in the trash. New reports are still counted.");
  await assertAccessible();
  await user.click(button("Undo"));
  await waitFor(() => button("Reopen"));
  const change = (body: string) => `PUT /api/issues/${id} ${body}`;
  const [resolved, open] = [change('{"state":"resolved"}'), change('{"state":"open"}')];
  const muted = change('{"state":"muted","mutedForCount":100}');
  const deleted = [`DELETE /api/issues/${id}`, `POST /api/issues/${id}/restore`];
  assert.deepEqual(launcher.changes, [resolved, open, muted, open, resolved, ...deleted]);
});

test("an issue is resolved in a build, which its facts name, and a newer report of that build makes it regressed", async () => {
  const issue = issueOf(1, { firstBuild: "1.3", lastBuild: "1.4" });
  const { user } = await openIssue(issue);
  assert.equal(fact("Builds"), "First seen in 1.3, last seen in 1.4");
  await user.click(screen.getByText("Resolve in a build…"));
  await user.type(screen.getByRole("textbox", { name: "First build without the error" }), " 1.5 {Enter}");
  await toast("Resolved.");
  await waitFor(() => assert.deepEqual([state(), fact("Resolved in build")], ["Resolved", "1.5"]));
  assert.deepEqual(launcher.changes, [`PUT /api/issues/${issue.id} {"state":"resolved","resolvedBuild":"1.5"}`]);
  stored.issues = [{ ...issue, state: "regressed", lastBuild: "1.5", count: 2 }];
  launcher.tell("issues");
  await waitFor(() => assert.equal(state(), "Regressed"));
  await assertAccessible();
});

test("an issue is copied as Markdown and as a link", async () => {
  const issue = issueOf(1, { title: "Pine is dry" });
  const { user } = await openIssue(issue);
  await user.click(button("Copy the issue as Markdown"));
  assert.equal(await navigator.clipboard.readText(), issueMarkdown(detailOf(issue)));
  await user.click(button("Copy a link to the issue"));
  assert.equal(await navigator.clipboard.readText(), `${location.origin}/#/issues/${issue.id}`);
});

test("an action that fails is reported, and the issue stays", async () => {
  launcher.when(changeIssue).reply(() => {
    throw new KitError("internal", "The disk is full.");
  });
  const { user } = await openIssue(issueOf(1));
  await user.click(button("Resolve"));
  assert.equal((await screen.findByRole("alert")).textContent, "The disk is full.");
  assert.equal(state(), "Open");
});

/** Answers with these clips, of which the launcher sends those of the requested event. */
const answerClips = (...clips: readonly Clip[]) =>
  launcher.when(listClips).reply(({ query }) => {
    const found = clips.filter(
      ({ events }) => query?.event === undefined || events.some(({ id }) => id === query.event),
    );
    return { clips: found, more: false, bytes: 0, quotaBytes: 1e10 };
  });
const momentOf = (n: number): Clip["events"] => {
  const [moment] = clipOf(1).events;
  return moment === undefined ? [] : [{ ...moment, id: occurrenceOf(n).event, kind: "monitor", offset: 12 }];
};

test("a report without a video shows the video of another report and says so", async () => {
  const issue = issueOf(1, { count: 2 });
  launcher
    .when(getIssue)
    .reply(
      ({ query }): IssueDetail =>
        query?.event === undefined ? detailOf(issue) : detailOf(issue, { report: occurrenceOf(1) }),
    );
  answerClips(clipOf(1, { events: momentOf(1) }));
  const { user } = await openIssue(issue);
  const other = within(await region("Video of another report"));
  other.getByText(/^This report has no video of its own\./);
  await assertAccessible();
  await user.click(other.getByRole("link", { name: "Show that report" }));
  const video = (await region("Video")).querySelector("video");
  assert.match(video?.src ?? "", new RegExp(`/api/clips/${clipOf(1).id}/video\\?.*#t=12\\.000$`, "u"));
  assert.equal(location.hash, `#/issues/${issue.id}?event=${occurrenceOf(1).event}`);
  const reports = within(await region("Stored reports, newest first"));
  assert.deepEqual(
    reports.getAllByRole("link", { name: /with a video$/ }).map(({ textContent }) => textContent.slice(0, 2)),
    ["#1"],
  );
});

test("without any video, the reason is shown: of the recorder, or of the marker", async () => {
  const detail = "ffmpeg was not found.";
  launcher.when(getRecorder).reply(() => reportOf({ state: recorderStateOf({ state: "broken", detail }) }));
  await openIssue(issueOf(1));
  const section = within(await region("Video"));
  section.getByText("No video for this report.");
  await section.findByText(detail);
  assert.equal(section.getByRole("link", { name: "Open the recorder" }).getAttribute("href"), "#/recorder");
  answerClips(markerOf(2, { events: momentOf(1), reason: "No recorder ran" }));
  launcher.tell("clips");
  await within(await region("Video")).findByText("No recorder ran");
});

test("an issue that does not exist is reported as not found, and Escape returns to the list", async () => {
  const { user } = await openApp("#/issues/01990000-0000-7000-8000-000000000001", launcher);
  await screen.findByRole("heading", { level: 1, name: "Not found" });
  await assertAccessible();
  await user.keyboard("{Escape}");
  await screen.findByRole("heading", { level: 1, name: "Issues" });
});
