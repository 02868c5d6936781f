// Tests of the recorder in a real browser: its state on every page, its settings, a test recording, and the link to the rules.
import assert from "node:assert/strict";
import { type FfmpegInstall, type RecorderStateName, recorderStates } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { assertAccessibleInBothSchemes } from "./accessible.ts";
import type { Answers } from "./clip-answers.ts";
import { clipOf, recorderStateOf, reportOf, ruleOf } from "./clip-samples.ts";
import { type AnsweredStage, shareStage } from "./clips-stage.ts";
import { eventually } from "./stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");

const open = shareStage(skip);

async function openRecorder(given: Partial<Answers>): Promise<AnsweredStage> {
  const stage = await open("#/recorder", given);
  await stage.page.getByRole("heading", { name: "Settings" }).waitFor();
  return stage;
}

test("every page shows the recorder's state, and on focus its source", { skip }, async () => {
  const stage = await open("#/live");
  const { page, answers } = stage;
  const words: Record<RecorderStateName, string> = {
    recording: "Recording",
    starting: "Starting",
    idle: "Not recording",
    off: "Off",
    broken: "Failed",
  };
  const pages = ["live", "clips", "connect", "recorder", "live"];
  for (const [n, state] of recorderStates.entries()) {
    answers.report = reportOf({ state: recorderStateOf({ state, detail: `Because of ${state}.` }) });
    await stage.go(`#/${pages[n]}`);
    await page.reload();
    const badge = page.getByRole("link", { name: `Recorder: ${words[state]}` });
    await badge.focus();
    await page
      .getByRole("tooltip")
      .filter({ hasText: `Because of ${state}.` })
      .waitFor();
  }
  assert.deepEqual(stage.complaints, []);
});

test("the page shows the recorder's figures, its reduced quality, and lost footage", { skip }, async () => {
  const state = recorderStateOf({ degraded: "15 frames a second instead of 30", restarts: 2, lostSeconds: 9 });
  const stage = await openRecorder({ report: reportOf({ state }) });
  const main = stage.page.getByRole("main");
  for (const says of [
    "Source screen :0",
    "ffmpeg, libx264",
    "1280 × 720, 30 frames per second",
    "1 minute 2 seconds, 18.4 MB",
    "15 frames a second instead of 30",
    "2 restarts, 9 seconds without footage",
    "5.1.9, found on PATH: /usr/bin/ffmpeg",
  ]) {
    await eventually(async () => (await main.innerText()).replaceAll(/\s+/gu, " ").includes(says), true);
  }
  assert.deepEqual(stage.complaints, []);
});

test("each setting is saved as soon as it is changed, and only that setting is sent", { skip }, async () => {
  const stage = await openRecorder({});
  const { page, answers } = stage;
  await page.getByRole("combobox", { name: "When to record" }).selectOption("Always");
  await page.getByText("Saved", { exact: true }).waitFor();
  await page.getByRole("combobox", { name: "Frame rate" }).selectOption("60 per second");
  await eventually(async () => answers.report.settings.frameRate, 60);
  await page.getByRole("textbox", { name: "Space for clips" }).fill("2,5");
  await page.keyboard.press("Tab");
  await eventually(async () => answers.report.settings.quotaBytes, 2_500_000_000);
  assert.deepEqual(answers.changes, [
    'PUT /api/recorder {"when":"always"}',
    'PUT /api/recorder {"frameRate":60}',
    'PUT /api/recorder {"quotaBytes":2500000000}',
  ]);
  assert.deepEqual(stage.complaints, []);
});

test("a person chooses what is recorded by its picture, or by part of a title", { skip }, async () => {
  const picture =
    "data:image/jpeg;base64,/9j/4AAQSkZJRgABAQEAYABgAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwg";
  const stage = await openRecorder({
    sources: {
      sources: [
        { kind: "monitor", name: "HDMI-1", width: 1920, height: 1080, picture },
        { kind: "window", name: "Lanternwood", width: 1280, height: 720, picture: null },
      ],
      why: null,
    },
  });
  const { page, answers } = stage;
  const choose = page.getByRole("button", { name: "What to record" });
  const dialog = page.getByRole("dialog", { name: "What to record" });
  const record = dialog.getByRole("button", { name: "Record this" });
  await choose.click();
  await eventually(() => dialog.getByRole("radio", { name: "The game's window" }).isChecked(), true);
  await dialog.getByRole("radio", { name: "Lanternwood" }).waitFor();
  await assertAccessibleInBothSchemes(page, "the choice of what is recorded");
  await dialog.getByRole("radio", { name: "The game's window" }).focus();
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press("ArrowDown");
  await record.click();
  await page.getByText("The window “Lanternwood”").waitFor();
  await choose.click();
  await dialog.getByRole("radio", { name: "HDMI-1" }).dispatchEvent("click");
  await record.click();
  await page.getByText("Monitor HDMI-1", { exact: true }).waitFor();
  await choose.click();
  await dialog.getByRole("textbox", { name: "Or enter part of a window title" }).fill(" ");
  await eventually(() => record.isDisabled(), true);
  await dialog.getByRole("textbox", { name: "Or enter part of a window title" }).fill("wood");
  await record.click();
  await page.getByText("The window “wood”").waitFor();
  assert.deepEqual(answers.changes, [
    'PUT /api/recorder {"picture":"window","window":"Lanternwood","monitor":null}',
    'PUT /api/recorder {"picture":"screen","monitor":"HDMI-1","window":null}',
    'PUT /api/recorder {"picture":"window","window":"wood","monitor":null}',
  ]);
  assert.deepEqual(stage.complaints, []);
});

test("where windows cannot be listed, the dialog says why and takes part of a title", { skip }, async () => {
  const stage = await openRecorder({ sources: { sources: [], why: "Only on X11." } });
  await stage.page.getByRole("button", { name: "What to record" }).click();
  await stage.page.getByRole("dialog").getByText("Only on X11.").waitFor();
  await stage.page.keyboard.press("Escape");
  await eventually(() => stage.page.getByRole("dialog").count(), 0);
});

test("hotkeys and the notification of clips are set while you play, and one that is taken says what to do", {
  skip,
}, async () => {
  const taken = "Another program uses Ctrl+Alt+S. Choose another hotkey.";
  const stage = await openRecorder({
    report: reportOf({ trouble: { clipNotice: null, saveHotkey: taken, markHotkey: null, trayIcon: null } }),
  });
  const { page, answers } = stage;
  const section = page.getByRole("region", { name: "While you play" });
  await section.getByRole("alert").filter({ hasText: taken }).waitFor();
  await section.getByRole("textbox", { name: "Hotkey to save the last 30 seconds" }).fill("F9");
  await page.keyboard.press("Enter");
  await section.getByRole("combobox", { name: "Tell me that a clip was saved" }).selectOption("Never");
  await eventually(
    async () => answers.changes,
    ['PUT /api/recorder {"saveHotkey":"F9"}', 'PUT /api/recorder {"clipNotice":"off"}'],
  );
  await assertAccessibleInBothSchemes(page, "the recorder with hotkeys");
});

/** Holds the answers to changed settings until the returned function is called. */
async function holdChanges(page: Page): Promise<() => void> {
  const answered = Promise.withResolvers<void>();
  await page.route("**/api/recorder", async (route) => {
    if (route.request().method() === "PUT") await answered.promise;
    await route.fallback();
  });
  return answered.resolve;
}

test("text typed while an earlier change is being saved stays, and is saved afterwards", { skip }, async () => {
  const stage = await openRecorder({});
  const { page, answers } = stage;
  const answer = await holdChanges(page);
  const field = page.getByRole("textbox", { name: "OBS address" });
  await field.fill("ws://127.0.0.1:4456");
  await page.keyboard.press("Enter");
  await field.fill("ws://127.0.0.1:4457");
  answer();
  await page.getByText("Saved", { exact: true }).waitFor();
  assert.equal(await field.inputValue(), "ws://127.0.0.1:4457");
  await page.keyboard.press("Enter");
  await eventually(async () => answers.report.settings.obsUrl, "ws://127.0.0.1:4457");
});

test("a change that is undone while it is being saved ends as undone", { skip }, async () => {
  const stage = await openRecorder({});
  const { page, answers } = stage;
  const { obsUrl } = answers.report.settings;
  const answer = await holdChanges(page);
  const field = page.getByRole("textbox", { name: "OBS address" });
  await field.fill("ws://127.0.0.1:4456");
  await page.keyboard.press("Enter");
  await field.fill(obsUrl);
  await page.keyboard.press("Enter");
  answer();
  const both = ['PUT /api/recorder {"obsUrl":"ws://127.0.0.1:4456"}', `PUT /api/recorder {"obsUrl":"${obsUrl}"}`];
  await eventually(async () => answers.changes, both);
  await eventually(() => field.inputValue(), obsUrl);
});

test("a refused value shows the reason at its field, and text that is not a number is not sent", { skip }, async () => {
  const stage = await openRecorder({});
  const { page, answers } = stage;
  const field = page.getByRole("textbox", { name: "Replay buffer" });
  await field.fill("soon");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").filter({ hasText: "enter a number" }).waitFor();
  assert.deepEqual(answers.changes, []);
  answers.refuseWith = "20 to 300 seconds.";
  await field.fill("9000");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").filter({ hasText: "20 to 300 seconds." }).waitFor();
  await field.press("Escape");
  await eventually(() => field.inputValue(), "90");
});

test("the OBS password is saved and removed, and never shown", { skip }, async () => {
  const stage = await openRecorder({});
  const { page, answers } = stage;
  const field = page.getByLabel("OBS password");
  await field.fill("kept secret");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("A password is saved.").waitFor();
  await eventually(() => field.inputValue(), "");
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByText("No password saved.").waitFor();
  assert.deepEqual(answers.changes, [
    'PUT /api/recorder {"obsPassword":"kept secret"}',
    'PUT /api/recorder {"obsPassword":null}',
  ]);
  await page.getByRole("combobox", { name: "Capture backend" }).selectOption("ffmpeg");
  await field.waitFor({ state: "detached" });
  assert.deepEqual(stage.complaints, []);
});

test("a test recording lists the attempted configurations, and shows its clip at once", { skip }, async () => {
  const tried = [
    { what: "h264_nvenc", ok: false, why: "Cannot load libcuda.so.1" },
    { what: "libx264", ok: true, why: "30 frames a second" },
  ];
  const clip = clipOf(1, { title: "Test recording" });
  const test = { ok: true, says: "3 s of screen :0 were recorded.", tried, clip: clip.id };
  const stage = await openRecorder({ clips: [clip], test });
  const { page } = stage;
  await page.getByRole("button", { name: "Record a test clip" }).click();
  await page.getByText("3 s of screen :0 were recorded.").waitFor();
  await page.getByText("Attempted configurations (2)").click();
  await page.getByRole("listitem").filter({ hasText: "Failed: h264_nvenc" }).filter({ hasText: "libcuda" }).waitFor();
  await page.getByRole("link", { name: /Test recording/ }).click();
  await page.getByRole("dialog", { name: "Test recording" }).locator("video").waitFor();
  assert.deepEqual(stage.complaints, []);
});

test("rules are counted by what they make, and the link to change them opens the Rules page", { skip }, async () => {
  const rules = [ruleOf("mygame_boss"), ruleOf("mygame_win"), ruleOf("mygame_step", { action: "marker" })];
  const stage = await openRecorder({ rules });
  const { page, answers } = stage;
  const counts = page.getByRole("list", { name: "Number of events for each recording action" }).getByRole("listitem");
  await eventually(() => counts.allInnerTexts(), ["2 make a clip", "1 makes a marker"]);
  answers.rules = [];
  await page.reload();
  await page.getByText("Each event id gets a rule when a game first sends it.").waitFor();
  await page.getByRole("link", { name: "Change the recording rules" }).click();
  await page.getByRole("heading", { name: "Event rules", level: 1 }).waitFor();
  assert.equal(await page.title(), "Event rules · Kit");
  assert.deepEqual(stage.complaints, []);
});

test("without ffmpeg, one button installs it after a yes, shows the progress, and says what came of it", {
  skip,
}, async () => {
  const stage = await open("#/live");
  const { page, answers } = stage;
  const command = "sudo apt-get install --yes ffmpeg";
  let install: FfmpegInstall = {
    state: "idle",
    command,
    offer: message("ffmpeg.install_offer_password", { command }),
    says: null,
    progress: "",
  };
  const asked: string[] = [];
  await page.route("**/api/recorder/ffmpeg", (route) => {
    const method = route.request().method();
    asked.push(method);
    if (method === "POST")
      install = {
        ...install,
        state: "running",
        says: message("ffmpeg.install_running", { command }),
        progress: "Unpacking 40 %",
      };
    return route.fulfill({ status: method === "POST" ? 202 : 200, json: install });
  });
  answers.report = { ...reportOf({}), ffmpeg: null };
  await stage.go("#/recorder");
  await page.getByRole("button", { name: "Install ffmpeg…" }).click();
  const dialog = page.getByRole("dialog", { name: "Install ffmpeg?" });
  await dialog.getByText(`Kit runs \`${command}\`, and then tests ffmpeg. The system asks for the password`).waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  assert.ok(!asked.includes("POST"), "nothing is installed without a yes");
  await page.getByRole("button", { name: "Install ffmpeg…" }).click();
  await dialog.getByRole("button", { name: "Install" }).click();
  await page.getByText("Unpacking 40 %").waitFor();
  assert.ok(await page.getByRole("button", { name: "Installing ffmpeg…" }).isDisabled());
  await assertAccessibleInBothSchemes(page, "ffmpeg being installed");
  install = { ...install, state: "failed", says: message("ffmpeg.install_failed", { command, code: "9" }) };
  await page.getByText("ended with code 9, so ffmpeg was not installed").waitFor();
  await page.getByRole("button", { name: "Install ffmpeg…" }).waitFor();
  assert.equal(asked.filter((method) => method === "POST").length, 1);
  answers.report = reportOf({});
  assert.deepEqual(stage.complaints, []);
});
