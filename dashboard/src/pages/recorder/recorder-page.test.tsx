// Tests of the Recorder page: its state and figures, a test recording, the rules, and the installation of ffmpeg.
import assert from "node:assert/strict";
import { type FfmpegInstall, getFfmpegInstall, installFfmpeg, recorderStates, testRecorder } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, test } from "vitest";
import { clipOf, recorderStateOf, reportOf, ruleOf } from "../../../test/clip-samples.ts";
import { assertAccessible } from "../../../test/component/accessible.ts";
import { launcherWithClips } from "../../../test/component/fake-clips.ts";
import { launcherWithRules } from "../../../test/component/fake-rules.ts";
import { openApp } from "../../../test/component/open-app.tsx";

describe("every page shows the recorder's state with its reason", () => {
  const words = { recording: "Recording", starting: "Starting", idle: "Not recording", off: "Off", broken: "Failed" };
  const pages = ["live", "clips", "issues", "recorder", "home"];
  for (const [n, state] of recorderStates.entries()) {
    test(`${state}, on the page ${pages[n]}`, async () => {
      const report = reportOf({ state: recorderStateOf({ state, detail: `Because of ${state}.` }) });
      await openApp(`#/${pages[n]}`, launcherWithClips({ report }).launcher);
      const badge = await screen.findByRole("link", { name: `Recorder: ${words[state]}` });
      const tip = document.getElementById(badge.getAttribute("aria-describedby") ?? "");
      assert.equal(tip?.role ?? tip?.getAttribute("role"), "tooltip");
      assert.ok(tip?.textContent?.includes(`Because of ${state}.`));
    });
  }
});

test("the page shows the recorder's figures, its reduced quality, and lost footage", async () => {
  const state = recorderStateOf({ degraded: "15 frames a second instead of 30", restarts: 2, lostSeconds: 9 });
  await openApp("#/recorder", launcherWithClips({ report: reportOf({ state }) }).launcher);
  await screen.findByText("2 restarts, 9 seconds without footage");
  const text = screen.getByRole("main").textContent ?? "";
  for (const says of [
    "Sourcescreen :0",
    "ffmpeg, libx264",
    "1280 × 720, 30 frames per second",
    "1 minute 2 seconds, 18.4 MB",
    "Quality reduced because this computer could not keep up: 15 frames a second instead of 30",
    "5.1.9, found on PATH: /usr/bin/ffmpeg",
  ]) {
    assert.ok(text.includes(says), `${says}: ${text}`);
  }
  await assertAccessible();
});

test("a test recording lists the attempted configurations, and shows its clip at once", async () => {
  const { launcher, kept } = launcherWithClips();
  const clip = clipOf(1, { title: "Test recording" });
  const tried = [
    { what: "h264_nvenc", ok: false, why: "Cannot load libcuda.so.1" },
    { what: "libx264", ok: true, why: "30 frames a second" },
  ];
  launcher.when(testRecorder).reply(() => {
    kept.clips = [clip];
    return { ok: true, says: "3 s of screen :0 were recorded.", tried, clip: clip.id, file: null };
  });
  const { user } = await openApp("#/recorder", launcher);
  await user.click(await screen.findByRole("button", { name: "Record a test clip" }));
  await screen.findByText("3 s of screen :0 were recorded.");
  await user.click(screen.getByText("Attempted configurations (2)"));
  const lines = screen.getAllByRole("listitem").map(({ textContent }) => textContent ?? "");
  assert.ok(
    lines.some((line) => line.includes("Failed: h264_nvenc") && line.includes("libcuda")),
    lines.join("\n"),
  );
  await user.click(await screen.findByRole("link", { name: /Test recording/u }));
  const player = await screen.findByRole("dialog", { name: "Test recording" });
  assert.ok(player.querySelector("video"));
  assert.deepEqual(launcher.changes, ["POST /api/recorder/test"]);
});

test("rules are counted by what they make", async () => {
  const rules = [ruleOf("mygame_boss"), ruleOf("mygame_win"), ruleOf("mygame_step", { action: "marker" })];
  await openApp("#/recorder", launcherWithClips({ rules }).launcher);
  const list = await screen.findByRole("list", { name: "Number of events for each recording action" });
  const counts = within(list).getAllByRole("listitem");
  assert.deepEqual(
    counts.map(({ textContent }) => textContent),
    ["2 make a clip", "1 makes a marker"],
  );
});

test("without rules the page says when they come, and links to the page that changes them", async () => {
  const { user } = await openApp("#/recorder", launcherWithRules({ rules: [] }));
  await screen.findByText(/^Each event id gets a rule when a game first sends it\./u);
  await user.click(screen.getByRole("link", { name: "Change the recording rules" }));
  await screen.findByRole("heading", { name: "Event rules", level: 1 });
  await waitFor(() => assert.equal(document.title, "Event rules · Kit"));
});

test("without ffmpeg, one button installs it after a yes, shows the progress, and says what came of it", async () => {
  const command = "sudo apt-get install --yes ffmpeg";
  const offer = message("ffmpeg.install_offer_password", { command });
  let install: FfmpegInstall = { state: "idle", command, offer, says: null, progress: "" };
  const { launcher } = launcherWithClips({ report: { ...reportOf(), ffmpeg: null } });
  launcher.when(getFfmpegInstall).reply(() => install);
  launcher.when(installFfmpeg).reply(() => {
    const says = message("ffmpeg.install_running", { command });
    install = { ...install, state: "running", says, progress: "Unpacking 40 %" };
    return install;
  });
  const { user } = await openApp("#/recorder", launcher);
  await user.click(await screen.findByRole("button", { name: "Install ffmpeg…" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Install ffmpeg?" }));
  const asks = `Kit runs \`${command}\`, and then tests ffmpeg. The system asks for the password`;
  dialog.getByText((text) => text.startsWith(asks));
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  assert.deepEqual(launcher.changes, [], "nothing is installed without a yes");
  await user.click(screen.getByRole("button", { name: "Install ffmpeg…" }));
  await user.click(screen.getByRole("button", { name: "Install" }));
  await screen.findByText("Unpacking 40 %");
  assert.ok(screen.getByRole("button", { name: "Installing ffmpeg…" }).hasAttribute("disabled"));
  await assertAccessible();
  install = { ...install, state: "failed", says: message("ffmpeg.install_failed", { command, code: "9" }) };
  await screen.findByText(/ended with code 9, so ffmpeg was not installed/u);
  await screen.findByRole("button", { name: "Install ffmpeg…" });
  assert.deepEqual(launcher.changes, ["POST /api/recorder/ffmpeg"]);
  await waitFor(() => assert.ok(launcher.asked.includes("/api/recorder/ffmpeg")));
});
