// Tests of the page of an issue in a real browser with the real launcher: real stack traces of five engines, and each action.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { getIssue } from "@kit/contract";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { visibleText } from "../src/ui/visible-text.ts";
import { clipOf, markerOf, recorderStateOf, reportOf } from "./clip-samples.ts";
import { type IssueStage, issueOf, shareIssueStage, stackOf, toastWith } from "./issue-stage.ts";
import { downloadedBytes } from "./shared-browser.ts";
import { copiedBy, eventually } from "./stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");
const open = shareIssueStage(skip, { permissions: ["clipboard-read", "clipboard-write"], acceptDownloads: true });

type EngineReport = { readonly engine: string; readonly message: string; readonly stackTrace: string };

const fixtures = join(import.meta.dirname, "../../launcher/src/monitor/fixtures/training.jsonl");
/** The engine's first report with a stack of several lines. */
function reportFrom(engine: string): EngineReport {
  const reports = readFileSync(fixtures, "utf8").trim().split("\n");
  const found = reports
    .map((line): EngineReport => JSON.parse(line))
    .find((report) => report.engine === engine && report.stackTrace.includes("\n"));
  assert.ok(found, engine);
  return found;
}

const textsOf = (stage: IssueStage, selector: string) => stage.page.locator(selector).allTextContents();

async function openIssue(stage: IssueStage, event: string, query = ""): Promise<string> {
  const id = await issueOf(stage, event);
  await stage.go(`#/issues/${id}${query}`);
  await stage.page.locator(".issue-head").waitFor();
  return id;
}

/** One engine for each binding; Unity runs on Mono. */
const engines = ["Godot", "NW.js 0.87", "GML (form)", ".NET", "Mono"];

for (const engine of engines) {
  test(`a stack of ${engine} is shown as calls, and as it was sent`, { skip }, async () => {
    const stage = await open("#/issues");
    const { page, launcher, complaints } = stage;
    const { message, stackTrace } = reportFrom(engine);
    const { id } = await launcher.send("monitor", { message, stackTrace }, { "user-agent": engine.replace(" ", "/") });
    await openIssue(stage, id);
    await page.locator(".frame-line").first().waitFor();
    for (const name of await textsOf(stage, '.frames-run[data-own="true"] .frame-name'))
      assert.ok(name !== "" && (stackTrace.includes(name) || name.startsWith("anonymous")), name);
    const before = await page.locator(".frame-line").count();
    const folded = page.locator(".frames-folded");
    while ((await folded.count()) > 0) await folded.first().click();
    assert.ok((await page.locator(".frame-line").count()) >= before);
    await page.getByRole("radio", { name: "As sent" }).click();
    const sent = page.getByRole("region", { name: "The stack as it was sent" });
    assert.equal(await sent.textContent(), visibleText(stackTrace));
    assert.deepEqual(complaints, []);
  });
}

/** Sends an event, then a report. Retries until the launcher knows that both have the same sender, which takes a moment. */
async function reportAfter(stage: IssueStage, eventId: string, words: string): Promise<string> {
  let event = "";
  await eventually(async () => {
    const { id } = await stage.launcher.send("recording", { eventId }, { "user-agent": "Trail/1.0" });
    [event = ""] = await stage.report(words, 1, "Trail/1.0");
    const issue = await issueOf(stage, event);
    const { breadcrumbs } = await stage.client.call(getIssue, { params: { id: issue }, query: { event } });
    return breadcrumbs.at(-1)?.event === id;
  }, true);
  return event;
}

test("an error on the Live page links to its issue, and the events before it link back to the Live page", {
  skip,
}, async () => {
  const stage = await open("#/live");
  const { page, complaints } = stage;
  const event = await reportAfter(stage, "trail_begun", "Path is lost");
  await page.locator(`.row[data-key="${event}"]`).click();
  await page.getByRole("link", { name: "Open the issue" }).click();
  await page.getByRole("heading", { level: 1, name: "Path is lost" }).waitFor();
  const crumbs = page.getByRole("region", { name: "What happened before" }).getByRole("link");
  await eventually(async () => (await crumbs.allTextContents()).slice(-2), ["Begun", "Path is lost"]);
  await crumbs.nth(-2).click();
  await page
    .getByRole("complementary", { name: "Details" })
    .getByRole("heading", { name: "Begun", exact: true })
    .waitFor();
  assert.deepEqual(complaints, []);
});

test("the address selects a stored report; if that report is not stored, the newest is shown", { skip }, async () => {
  const stage = await open("#/issues");
  const { page, report, go } = stage;
  const [first = "", , third = ""] = await report("Moss is slippery", 3);
  const id = await openIssue(stage, third);
  await page.getByText("Report 3 of 3").waitFor();
  await page.getByRole("link", { name: /^#1/ }).click();
  await page.getByText("Report 1 of 3").waitFor();
  await eventually(async () => new URL(page.url()).hash, `#/issues/${id}?event=${first}`);
  await page.locator('.kept-reports [aria-current="true"]', { hasText: /^#1/u }).waitFor();
  await go(`#/issues/${id}?event=${third.replace(/.$/u, "0")}0`);
  await page.getByText("The requested report is not stored.").waitFor();
  await page.getByText("Report 3 of 3").waitFor();
});

test("the shown report stays while more arrive, and the counts change", { skip }, async () => {
  const stage = await open("#/issues");
  const { page, report, complaints } = stage;
  const [first = ""] = await report("Nettle stings");
  await openIssue(stage, first);
  await report("Nettle stings", 4);
  await page.locator(".issue-head").getByText("5 reports").waitFor();
  await page.getByText(/^Report 1 of 5/).waitFor();
  await page.getByRole("button", { name: "Show the newest" }).click();
  await page.getByText(/^Report 5 of 5/).waitFor();
  assert.deepEqual(complaints, []);
});

test("an issue gets a note, and is resolved, reopened, muted, deleted and restored", { skip }, async () => {
  const stage = await open("#/issues");
  const { page, report, complaints } = stage;
  const [event = ""] = await report("Oak is hollow");
  await openIssue(stage, event);
  const note = page.getByRole("region", { name: "Note" });
  await note.getByRole("button", { name: "Write a note" }).click();
  await note.getByRole("textbox", { name: "Note" }).fill("Since build 7.\nAsk Robin.");
  await note.getByRole("button", { name: "Save" }).click();
  await note.getByText("Ask Robin.").waitFor();
  const state = page.locator(".issue-head .state").first();
  const act = async (button: string, message: string, badge: string) => {
    await page.getByRole("button", { name: button, exact: true }).click();
    await toastWith(page, message).waitFor();
    await state.filter({ hasText: badge }).waitFor();
  };
  await act("Resolve", "Resolved.", "Resolved");
  await act("Reopen", "Reopened.", "Open");
  await page.keyboard.press("m");
  await act("Until 100 more reports", "Muted.", "Muted");
  await page.getByText("until 101 reports").waitFor();
  await act("Reopen", "Reopened.", "Open");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("This issue is in the trash").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: "Resolve", exact: true }).waitFor();
  assert.deepEqual(complaints, []);
});

test("an issue that is resolved in a build stays resolved for reports of older builds, and regresses with that build", {
  skip,
}, async () => {
  const stage = await open("#/issues");
  const { page, launcher, complaints } = stage;
  const words = "Elm is hollow";
  const seenIn = async (build: string) =>
    (await launcher.send("monitor", { message: words, stackTrace: stackOf(words), build })).id;
  await openIssue(stage, await seenIn("1.4"));
  await page.getByText("Resolve in a build…").click();
  const form = page.locator("form").filter({ has: page.getByLabel("First build without the error") });
  await form.getByLabel("First build without the error").fill("1.5");
  await form.getByRole("button", { name: "Resolve", exact: true }).click();
  await toastWith(page, "Resolved.").waitFor();
  const state = page.locator(".issue-head .state").first();
  const fact = (name: string) => page.locator(`dt:text-is("${name}") + dd`);
  await eventually(
    async () => [await state.textContent(), await fact("Resolved in build").textContent()],
    ["Resolved", "1.5"],
  );
  // The shown state is that after these reports.
  await issueOf(stage, await seenIn("1.3"));
  await page.getByText(/^Report \d of 2/u).waitFor();
  assert.equal(await state.textContent(), "Resolved");
  await issueOf(stage, await seenIn("1.5"));
  await state.filter({ hasText: "Regressed" }).waitFor();
  assert.deepEqual(complaints, []);
});

test("an issue is exported as Markdown, as JSON and as a link", { skip }, async () => {
  const stage = await open("#/issues");
  const { page, report, complaints } = stage;
  const [event = ""] = await report("Pine is dry");
  const id = await openIssue(stage, event);
  const copied = () => copiedBy(page);
  await page.getByRole("button", { name: "Copy the issue as Markdown" }).click();
  await eventually(async () => (await copied()).includes(stackOf("Pine is dry").split("\n")[1] ?? ""), true);
  await page.getByRole("button", { name: "Copy a link to the issue" }).click();
  await eventually(copied, `${new URL(page.url()).origin}/#/issues/${id}`);
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "JSON" }).click();
  const file = await downloading;
  assert.equal(file.suggestedFilename(), `kit-issue-${id}.json`);
  const detail = JSON.parse((await downloadedBytes(file)).toString());
  assert.deepEqual([detail.issue.id, detail.report.event], [id, event]);
  await page.evaluate(() => localStorage.setItem("kit-language", "ja"));
  await page.reload();
  await page.getByText("Markdown をコピー", { exact: true }).waitFor();
  await page.getByText("リンクをコピー", { exact: true }).waitFor();
  await page.evaluate(() => localStorage.removeItem("kit-language"));
  assert.deepEqual(complaints, []);
});

test("the video starts at the error, and plays the seconds before it", { skip }, async () => {
  const stage = await open("#/issues");
  const { page, report, answers, complaints } = stage;
  const [event = ""] = await report("Reed is broken");
  const [moment] = clipOf(1).events;
  assert.ok(moment);
  answers.clips = [clipOf(1, { events: [{ ...moment, id: event, kind: "monitor", offset: 12 }] })];
  await openIssue(stage, event);
  const video = page.getByRole("region", { name: "Video" }).locator("video");
  const at = () => video.evaluate((element) => Math.round((element as HTMLVideoElement).currentTime));
  await eventually(at, 12);
  // The slowest speed, because the test may look late at a video that plays.
  await video.evaluate((element: HTMLVideoElement) => {
    element.playbackRate = 0.0625;
  });
  await page.getByRole("button", { name: "10 seconds before" }).click();
  await eventually(async () => [2, 3, 4].includes(await at()), true);
  await eventually(() => video.evaluate((element) => (element as HTMLVideoElement).paused), false);
  await page.getByRole("button", { name: "At the error" }).click();
  await eventually(() => video.evaluate((element) => (element as HTMLVideoElement).paused), true);
  await eventually(at, 12);
  await page.getByRole("link", { name: /^#1.*with a video$/ }).waitFor();
  assert.deepEqual(complaints, []);
});

test("a report without a video shows the video of another report and says so; without any video it shows the reason", {
  skip,
}, async () => {
  const stage = await open("#/issues");
  const { page, report, answers, complaints } = stage;
  const [first = "", second = ""] = await report("Sedge is wet", 2);
  answers.report = reportOf({ state: recorderStateOf({ state: "broken", detail: "ffmpeg was not found." }) });
  const [moment] = clipOf(1).events;
  assert.ok(moment);
  answers.clips = [clipOf(1, { events: [{ ...moment, id: first, offset: 12 }] })];
  await openIssue(stage, second);
  const other = page.getByRole("region", { name: "Video of another report" });
  await other.getByText("This report has no video of its own.").waitFor();
  await other.locator("video").waitFor();
  await other.getByRole("link", { name: "Show that report" }).click();
  const section = page.getByRole("region", { name: "Video", exact: true });
  await section.locator("video").waitFor();
  answers.clips = [];
  await page.reload();
  await section.getByText("ffmpeg was not found.").waitFor();
  answers.clips = [markerOf(2, { events: [{ ...moment, id: second }], reason: "No recorder ran" })];
  await page.reload();
  await page.getByRole("link", { name: /^#2/ }).click();
  await section.getByText("No recorder ran").waitFor();
  assert.deepEqual(complaints, []);
});

test("an issue that does not exist is reported as not found", { skip }, async () => {
  const { page } = await open("#/issues/01990000-0000-7000-8000-000000000001");
  await page.getByRole("heading", { name: "Not found" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { level: 1, name: "Issues" }).waitFor();
});
