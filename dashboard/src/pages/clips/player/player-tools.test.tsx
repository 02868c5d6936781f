// Tests of what the player makes of a clip: a trim, tags, the file on the clipboard, its folder, and one frame.
import assert from "node:assert/strict";
import { copyClipFiles, getClipFrame, revealClip, trimClip } from "@kit/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { test, vi } from "vitest";
import { clipOf, reportOf } from "../../../../test/clip-samples.ts";
import { assertAccessible } from "../../../../test/component/accessible.ts";
import { launcherWithClips } from "../../../../test/component/fake-clips.ts";
import { fill } from "../../../../test/component/fill.ts";
import { openApp } from "../../../../test/component/open-app.tsx";

const clip = clipOf(1, { title: "mygame_won" });
const path = `/api/clips/${clip.id}`;
const playing = () => document.querySelector<HTMLVideoElement>("video[controls]") ?? assert.fail("no video");
const player = async (name: string) => within(await screen.findByRole("dialog", { name }));
const alertSays = (text: string) => waitFor(() => assert.ok(screen.getByRole("alert").textContent?.includes(text)));

async function openPlayer(fake = launcherWithClips({ clips: [clip] })) {
  const opened = await openApp(`#/clips/${clip.id}`, fake.launcher);
  const dialog = await player("mygame_won");
  await waitFor(playing);
  return { ...opened, ...fake, dialog };
}

test("a range is marked, named and made into a clip with the keyboard that shows its progress", async () => {
  const { user, launcher, kept, dialog } = await openPlayer();
  const edge = (name: string) => screen.getByRole("slider", { name: `${name} of the selection` });
  const positionOf = (name: string) => Number(Number(edge(name).getAttribute("aria-valuenow")).toFixed(2));
  await user.keyboard("li");
  assert.equal(positionOf("Start"), 5);
  await user.keyboard("l");
  assert.equal(playing().currentTime, 10);
  await user.keyboard("o");
  assert.equal(positionOf("End"), 10);
  edge("End").focus();
  await user.keyboard("{ArrowLeft}{Shift>}{ArrowLeft}{/Shift}");
  assert.equal(positionOf("End"), 8.97);
  assert.equal(edge("End").getAttribute("aria-valuetext"), "at 8.97 seconds");
  assert.equal(playing().currentTime.toFixed(2), "8.97", "the frame of the edge is shown");
  dialog.getByText("0:05.00 to 0:08.97: 3.97 s");
  dialog.getByText("The original clip stays unchanged.");
  await assertAccessible();
  fill(dialog.getByRole("textbox", { name: "Name of the new clip" }), "The last blow");
  await user.keyboard(", io");
  await user.keyboard("{Enter}");
  const made = await player("The last blow, io");
  await made.findByText("Cutting the clip");
  const [change = ""] = launcher.changes;
  const body = JSON.parse(change.replace(`POST ${path}/trim `, ""));
  assert.deepEqual(
    [body.fromSeconds.toFixed(3), body.toSeconds.toFixed(3), body.title],
    ["5.000", "8.967", "The last blow, io"],
  );
  kept.clips = kept.clips.map((each) =>
    each.id === clip.id ? each : { ...each, state: "saved", duration: 3.97, path: "/clips/blow.mp4" },
  );
  await waitFor(playing);
  await user.click(made.getByRole("link", { name: "The original clip" }));
  await player("mygame_won");
});

test("a trim that the launcher refuses keeps its range, and the reason is shown", async () => {
  const { user, launcher, dialog } = await openPlayer();
  await user.keyboard("i");
  launcher.refuseNext(trimClip, "The disk has less than 2 GB left.");
  await user.click(dialog.getByRole("button", { name: "Save as a new clip" }));
  await alertSays("The disk has less than 2 GB left.");
  const name = dialog.getByRole<HTMLInputElement>("textbox", { name: "Name of the new clip" });
  assert.equal(name.value, "mygame_won (trimmed)");
});

test("without a range, the whole clip plays in a loop", async () => {
  const { user, dialog } = await openPlayer();
  await user.click(dialog.getByRole("button", { name: "Loop" }));
  assert.equal(playing().loop, true);
  await user.click(dialog.getByRole("button", { name: "Loop" }));
  assert.equal(playing().loop, false);
});

test("tags are chosen from known ones or typed, removed, and used as a filter", async () => {
  const clips = [clip, clipOf(2, { title: "mygame_two", tags: ["boss", "fun"] })];
  const { user, launcher, dialog } = await openPlayer(launcherWithClips({ clips }));
  const field = dialog.getByRole("combobox", { name: "Add a tag" });
  const tags = () =>
    [...document.querySelectorAll('dialog ul[aria-label="Tags"] > li')].map(({ textContent }) => textContent);
  const hasTags = (...expected: string[]) => waitFor(() => assert.deepEqual(tags(), expected));
  fill(field, "BO");
  await screen.findByRole("option", { name: "boss" });
  await user.keyboard("{ArrowDown}{Enter}");
  await hasTags("boss");
  fill(field, "no, hit");
  await user.keyboard("{Enter}");
  fill(field, "no hit");
  await user.keyboard("{Enter}");
  await hasTags("boss", "no hit");
  await user.click(dialog.getByRole("button", { name: "Remove the tag boss" }));
  await hasTags("no hit");
  assert.equal(document.activeElement === field, true, "the field has the focus");
  await user.click(screen.getByRole("button", { name: "Close the player" }));
  await user.click(await screen.findByRole("button", { name: "no hit" }));
  await waitFor(() => assert.ok(launcher.asked.includes("/api/clips?tag=no+hit&limit=100")));
  const bodies = [`{"tags":["boss"]}`, `{"tags":["boss","no hit"]}`, `{"tags":["no hit"]}`];
  assert.deepEqual(
    launcher.changes,
    bodies.map((body) => `PUT ${path} ${body}`),
  );
});

test("a clip is shown in its folder, or the reason why it cannot be", async () => {
  const { user, launcher, dialog } = await openPlayer();
  launcher.refuseNext(revealClip, "There is no desktop here.");
  await user.click(dialog.getByRole("button", { name: "Show in folder" }));
  await alertSays("There is no desktop here.");
  await user.click(dialog.getByRole("button", { name: "Show in folder" }));
  await waitFor(() => assert.ok(!screen.queryByRole("alert")));
  assert.deepEqual(launcher.changes, Array(2).fill(`POST ${path}/reveal`));
});

test("the file is copied with a button and with C, and a refusal is shown", async () => {
  const { user, launcher, dialog } = await openPlayer();
  launcher.refuseNext(copyClipFiles, "Install the package wl-clipboard.");
  await user.click(await dialog.findByRole("button", { name: "Copy file" }));
  await alertSays("Install the package wl-clipboard.");
  await user.keyboard("c");
  await screen.findByText("File copied. Paste it into a chat, an email or a folder.");
  await waitFor(() => assert.ok(!screen.queryByRole("alert")));
  assert.deepEqual(launcher.changes, Array(2).fill(`POST /api/clips-clipboard {"clips":["${clip.id}"]}`));
});

test("without a desktop, no file is offered to be copied", async () => {
  const { dialog } = await openPlayer(launcherWithClips({ clips: [clip], report: reportOf({ canCopyFiles: false }) }));
  dialog.getByRole("button", { name: "Show in folder" });
  assert.ok(!dialog.queryByRole("button", { name: "Copy file" }));
});

test("the shown frame is saved as a download with S, and the page says its name", async () => {
  const { user, launcher } = await openPlayer();
  launcher.when(getClipFrame).reply(({ query: { at } }) => {
    const headers = { "content-disposition": `attachment; filename="boss at ${at}.png"` };
    return new Response("picture", { headers }) as never;
  });
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  await user.keyboard("ls");
  await screen.findByText("Saved boss at 5.png to your browser's downloads.");
  assert.deepEqual(saved, ["boss at 5.png"]);
  assert.ok(launcher.asked.includes(`${path}/frame?at=5`));
});
