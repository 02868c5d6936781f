// Tests of the recorder's settings: each is saved by itself, and what a person types meanwhile is never lost.
import assert from "node:assert/strict";
import { changeRecorder, listRecorderSources, type RecorderSource } from "@kit/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { test } from "vitest";
import { reportOf } from "../../../test/clip-samples.ts";
import { assertAccessible } from "../../../test/component/accessible.ts";
import { launcherWithClips } from "../../../test/component/fake-clips.ts";
import { fill } from "../../../test/component/fill.ts";
import { openApp } from "../../../test/component/open-app.tsx";

const openRecorder = async ({ launcher, kept } = launcherWithClips()) => {
  const opened = await openApp("#/recorder", launcher);
  await screen.findByRole("heading", { name: "Settings" });
  return { ...opened, kept };
};
const field = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name });

test("each setting is saved as soon as it is changed, and only that setting is sent", async () => {
  const { launcher, user } = await openRecorder();
  await user.selectOptions(screen.getByRole("combobox", { name: "When to record" }), "Always");
  await screen.findByText("Saved");
  await user.selectOptions(screen.getByRole("combobox", { name: "Frame rate" }), "60 per second");
  await waitFor(() => assert.equal(launcher.changes.length, 2));
  fill(field("Space for clips"), "2,500");
  await user.tab();
  await waitFor(() =>
    assert.deepEqual(launcher.changes, [
      'PUT /api/recorder {"when":"always"}',
      'PUT /api/recorder {"frameRate":60}',
      'PUT /api/recorder {"quotaBytes":2500000000000}',
    ]),
  );
});

test("a number that can mean two is saved only when it is clear which one is meant", async () => {
  const { launcher, user } = await openRecorder();
  fill(field("Replay buffer"), "1.000");
  await user.tab();
  await screen.findByText("1.000 can mean two numbers. Which one?");
  assert.deepEqual(launcher.changes, []);
  await user.click(screen.getByRole("button", { name: "1,000" }));
  await waitFor(() => assert.deepEqual(launcher.changes, ['PUT /api/recorder {"bufferSeconds":1000}']));
  assert.ok(screen.queryByText(/can mean two numbers/u) === null);
});

test("a person chooses what is recorded by its picture, or by part of a title", async () => {
  const sources: RecorderSource[] = [
    {
      kind: "monitor",
      name: "HDMI-1",
      width: 1920,
      height: 1080,
      pid: null,
      picture: "data:image/jpeg;base64,/9j/4AAQSkZJRg==",
    },
    { kind: "window", name: "Lanternwood", width: 1280, height: 720, pid: 7, picture: null },
  ];
  const fake = launcherWithClips();
  fake.launcher.when(listRecorderSources).reply(() => ({ sources, why: null }));
  const { launcher, user } = await openRecorder(fake);
  const choose = async () => {
    await user.click(screen.getByRole("button", { name: /^What to record/u }));
    return within(await screen.findByRole("dialog", { name: "What to record" }));
  };
  const record = { name: "Record this" };
  const dialog = await choose();
  await dialog.findByRole("radio", { name: /Lanternwood/u });
  assert.ok(dialog.getByRole<HTMLInputElement>("radio", { name: /The game's window/u }).checked);
  await assertAccessible();
  dialog.getByRole("radio", { name: /The game's window/u }).focus();
  await user.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}");
  await user.click(dialog.getByRole("button", record));
  await screen.findByText("The window “Lanternwood”");
  const again = await choose();
  await user.click(await again.findByRole("radio", { name: /HDMI-1/u }));
  await user.click(again.getByRole("button", record));
  await screen.findByText("Monitor HDMI-1");
  const third = await choose();
  const part = await third.findByRole("textbox", { name: "Or enter part of a window title" });
  fill(part, " ");
  assert.ok(third.getByRole("button", record).hasAttribute("disabled"));
  fill(part, "wood");
  await user.click(third.getByRole("button", record));
  await screen.findByText("The window “wood”");
  assert.deepEqual(launcher.changes, [
    'PUT /api/recorder {"picture":"window","window":"Lanternwood","monitor":null}',
    'PUT /api/recorder {"picture":"screen","monitor":"HDMI-1","window":null}',
    'PUT /api/recorder {"picture":"window","window":"wood","monitor":null}',
  ]);
});

test("where windows cannot be listed, the dialog says why and takes part of a title", async () => {
  const fake = launcherWithClips();
  fake.launcher.when(listRecorderSources).reply(() => ({ sources: [], why: "Only on X11." }));
  const { user } = await openRecorder(fake);
  await user.click(screen.getByRole("button", { name: /^What to record/u }));
  const dialog = within(await screen.findByRole("dialog", { name: "What to record" }));
  await dialog.findByText("Only on X11.");
  dialog.getByRole("textbox");
  await user.keyboard("{Escape}");
  await waitFor(() => assert.ok(!screen.queryByRole("dialog", { name: "What to record" })));
});

test("hotkeys are set by pressing them, one that is taken says what to do, and the notification of clips is chosen", async () => {
  const taken = "Another program uses Ctrl+Alt+S. Choose another hotkey.";
  const trouble = { clipNotice: null, saveHotkey: taken, markHotkey: null, trayIcon: null };
  const { launcher, user } = await openRecorder(launcherWithClips({ report: reportOf({ trouble }) }));
  const section = within(screen.getByRole("region", { name: "While you play" }));
  assert.ok(section.getByRole("alert").textContent?.includes(taken));
  const save = section.getByRole("button", { name: /^Hotkey to save the last 30 seconds/u });
  save.focus();
  await user.keyboard("{Enter}");
  await section.findByText(/^Press the keys now. Escape cancels./u);
  await assertAccessible();
  await user.keyboard("{Escape}");
  await waitFor(() => assert.ok(section.queryByText(/^Press the keys now/u) === null));
  await user.keyboard("{Enter}s");
  await section.findByText(/^Kit cannot take this key\./u);
  await user.keyboard("{Control>}{Alt>}k{/Alt}{/Control}");
  await section.findByText("Ctrl+Alt+K");
  assert.ok(document.activeElement === save);
  await user.click(section.getByRole("button", { name: "Remove: Hotkey to save the last 30 seconds" }));
  await user.selectOptions(section.getByRole("combobox", { name: "Tell me that a clip was saved" }), "Never");
  await waitFor(() =>
    assert.deepEqual(launcher.changes, [
      'PUT /api/recorder {"saveHotkey":"Ctrl+Alt+K"}',
      'PUT /api/recorder {"saveHotkey":null}',
      'PUT /api/recorder {"clipNotice":"off"}',
    ]),
  );
  await assertAccessible();
});

/** Opens the page of a launcher that replies to changed settings once the returned function is called. */
async function openHolding() {
  const fake = launcherWithClips();
  const held = Promise.withResolvers<void>();
  fake.launcher.when(changeRecorder).reply(async ({ body }) => {
    await held.promise;
    const { obsPassword: _, ...settings } = body;
    fake.kept.report = { ...fake.kept.report, settings: { ...fake.kept.report.settings, ...settings } };
    return fake.kept.report;
  });
  return { ...(await openRecorder(fake)), answer: held.resolve };
}

test("text typed while an earlier change is being saved stays, and is saved afterwards", async () => {
  const { launcher, user, answer } = await openHolding();
  fill(field("OBS address"), "ws://127.0.0.1:4456");
  await user.keyboard("{Enter}");
  fill(field("OBS address"), "ws://127.0.0.1:4457");
  answer();
  await screen.findByText("Saved");
  assert.equal(field("OBS address").value, "ws://127.0.0.1:4457");
  await user.keyboard("{Enter}");
  const both = [4456, 4457].map((port) => `PUT /api/recorder {"obsUrl":"ws://127.0.0.1:${port}"}`);
  await waitFor(() => assert.deepEqual(launcher.changes, both));
});

test("a change that is undone while it is being saved ends as undone", async () => {
  const { launcher, user, answer, kept } = await openHolding();
  const { obsUrl } = kept.report.settings;
  fill(field("OBS address"), "ws://127.0.0.1:4456");
  await user.keyboard("{Enter}");
  fill(field("OBS address"), obsUrl);
  await user.keyboard("{Enter}");
  answer();
  const both = ['PUT /api/recorder {"obsUrl":"ws://127.0.0.1:4456"}', `PUT /api/recorder {"obsUrl":"${obsUrl}"}`];
  await waitFor(() => assert.deepEqual(launcher.changes, both));
  await waitFor(() => assert.equal(kept.report.settings.obsUrl, obsUrl));
  assert.equal(field("OBS address").value, obsUrl);
});

test("a refused value shows the reason at its field, and text that is not a number is not sent", async () => {
  const { launcher, user } = await openRecorder();
  fill(field("Replay buffer"), "soon");
  await user.keyboard("{Enter}");
  await waitFor(() => assert.match(screen.getByRole("alert").textContent ?? "", /enter a number/u));
  assert.deepEqual(launcher.changes, []);
  launcher.refuseNext(changeRecorder, "20 to 300 seconds.");
  fill(field("Replay buffer"), "9000");
  await user.keyboard("{Enter}");
  await waitFor(() => assert.match(screen.getByRole("alert").textContent ?? "", /20 to 300 seconds\./u));
  field("Replay buffer").focus();
  await user.keyboard("{Escape}");
  await waitFor(() => assert.equal(field("Replay buffer").value, "90"));
});

test("the OBS password is saved and removed, and never shown", async () => {
  const { launcher, user } = await openRecorder();
  const password = screen.getByLabelText<HTMLInputElement>("OBS password");
  fill(password, "kept secret");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText(/^A password is saved\./u);
  await waitFor(() => assert.equal(password.value, ""));
  await user.click(screen.getByRole("button", { name: "Remove" }));
  await screen.findByText(/^No password saved\./u);
  assert.deepEqual(launcher.changes, [
    'PUT /api/recorder {"obsPassword":"kept secret"}',
    'PUT /api/recorder {"obsPassword":null}',
  ]);
  await user.selectOptions(screen.getByRole("combobox", { name: "Capture backend" }), "ffmpeg");
  await waitFor(() => assert.ok(!screen.queryByLabelText("OBS password")));
});
