// Tests of the player: moments, keys, the title, the file, and clips that cannot be played. happy-dom plays nothing, but keeps the position.
import assert from "node:assert/strict";
import { changeClip } from "@kit/contract";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { test } from "vitest";
import { clipOf, everyKind, markerOf } from "../../../../test/clip-samples.ts";
import { assertAccessible } from "../../../../test/component/accessible.ts";
import { launcherWithClips } from "../../../../test/component/fake-clips.ts";
import { fill } from "../../../../test/component/fill.ts";
import { openApp } from "../../../../test/component/open-app.tsx";

const video = () => document.querySelector<HTMLVideoElement>("video[controls]");
const playing = () => video() ?? assert.fail("no video");
const titlesShown = () =>
  [...document.querySelectorAll(".clip-card .clip-title")].map(({ textContent }) => textContent);
const player = async (name: string) => within(await screen.findByRole("dialog", { name }));

/** Opens the clip with three moments, at 3, 8 and 12 s. */
async function openBoss() {
  const fake = launcherWithClips({ clips: everyKind() });
  const opened = await openApp(`#/clips/${clipOf(2).id}`, fake.launcher);
  const dialog = await player("mygame_boss_defeated");
  await waitFor(() => assert.ok(video()));
  return { ...opened, ...fake, dialog };
}

test("a click on a moment plays from there, the current moment is highlighted, and notes are folded", async () => {
  const { user, dialog } = await openBoss();
  const moments = dialog.getByRole("list", { name: "Moments in order of time" });
  const current = () => moments.querySelector('[data-current="true"]')?.textContent ?? "";
  assert.equal(current(), "", "before anything is played");
  await assertAccessible();
  await user.click(within(moments).getByRole("button", { name: /Nil has no hp/u }));
  assert.deepEqual([playing().currentTime, playing().paused], [8, false]);
  fireEvent.seeked(playing());
  assert.match(current(), /Nil has no hp/u);
  await user.click(document.querySelectorAll(".chapter-strip a")[2] ?? assert.fail());
  assert.equal(playing().currentTime, 12);
  fireEvent.seeked(playing());
  assert.match(current(), /mygame_boss_defeated/u);
  const notes = document.querySelector<HTMLDetailsElement>("details.clip-notes");
  assert.equal(notes?.open, false);
  assert.match(notes?.textContent ?? "", /^1 note.*8 of 12 s before/u);
});

test("the player names the game, the time and the length, and folds what is for engineers behind one word", async () => {
  const { dialog } = await openBoss();
  const folded = dialog.getByText("Details", { selector: "summary" }).closest("details") ?? assert.fail();
  assert.equal(folded.open, false);
  const namesIn = (part: ParentNode) => [...part.querySelectorAll("dt")].map(({ textContent }) => textContent);
  assert.deepEqual(namesIn(folded), ["Picture", "Capture backend", "Priority", "File", "ID"]);
  const all = namesIn(document.querySelector(".player-side") ?? document);
  assert.deepEqual(all.slice(0, all.indexOf("Picture")), ["Game", "Started", "Length", "Size"]);
});

test("keys play, pause and move by seconds, frames and moments, wherever the focus is", async () => {
  const { user, dialog } = await openBoss();
  for (const [key, expected] of [
    ["l", 5],
    ["{ArrowRight}", 7],
    ["j", 2],
    ["]", 3],
    ["]", 8],
    ["[[", 3],
    [".", 3 + 1 / 30],
    [",", 3],
    ["{Home}", 0],
  ] as const) {
    await user.keyboard(key);
    assert.equal(playing().currentTime.toFixed(3), expected.toFixed(3), key);
  }
  await user.keyboard("k");
  assert.equal(playing().paused, false);
  playing().focus();
  await user.keyboard(" ");
  assert.equal(playing().paused, true);
  await user.click(dialog.getByText("Keyboard shortcuts"));
  dialog.getByText("One frame back or forward");
  dialog.getByRole("button", { name: "Loop" }).focus();
  await user.keyboard(">");
  assert.equal(playing().playbackRate, 1.5);
  assert.equal(dialog.getByRole<HTMLSelectElement>("combobox", { name: "Speed" }).value, "1.5");
});

test("a clip is renamed, unpinned and deleted in the player, and the deletion can be undone", async () => {
  const { user, launcher, dialog } = await openBoss();
  const rename = () => user.click(dialog.getByRole("button", { name: "Rename" }));
  const field = { name: "Title of the clip" };
  await rename();
  fill(dialog.getByRole("textbox", field), "not this");
  await user.keyboard("{Escape}");
  await waitFor(() => assert.ok(!dialog.queryByRole("textbox", field)));
  await rename();
  fill(dialog.getByRole("textbox", field), "The fox wins");
  // In a field, the keys of the player are letters.
  await user.keyboard(", k?");
  await user.keyboard("{Enter}");
  await player("The fox wins, k?");
  await user.click(dialog.getByRole("button", { name: "Pinned" }));
  await dialog.findByRole("button", { name: "Pin" });
  await user.click(dialog.getByRole("button", { name: "Delete" }));
  await waitFor(() => assert.ok(!screen.queryByRole("dialog", { name: "The fox wins, k?" })));
  await waitFor(() => assert.ok(!titlesShown().includes("The fox wins, k?")));
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await waitFor(() => assert.ok(titlesShown().includes("The fox wins, k?")));
  const path = `/api/clips/${clipOf(2).id}`;
  assert.deepEqual(launcher.changes, [
    `PUT ${path} {"title":"The fox wins, k?"}`,
    `PUT ${path} {"pinned":false}`,
    `DELETE ${path}`,
    `POST ${path}/restore`,
  ]);
});

test("a title that the launcher refuses stays in the field, with the reason", async () => {
  const { user, launcher, dialog } = await openBoss();
  await user.click(dialog.getByRole("button", { name: "Rename" }));
  launcher.refuseNext(changeClip, "A name has one line.");
  fill(dialog.getByRole("textbox", { name: "Title of the clip" }), "refused");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() => assert.match(dialog.getByRole("alert").textContent ?? "", /A name has one line\./u));
  assert.equal(dialog.getByRole<HTMLInputElement>("textbox", { name: "Title of the clip" }).value, "refused");
});

test("the file is downloaded, and its path copied", async () => {
  const clip = clipOf(1);
  const { launcher } = launcherWithClips({ clips: [clip] });
  const { user } = await openApp(`#/clips/${clip.id}`, launcher);
  const dialog = await player("mygame_boss_defeated");
  const link = await dialog.findByRole("link", { name: "Download" });
  assert.equal(link.getAttribute("href"), `/api/clips/${clip.id}/video?download=true&pass=pass`);
  await user.click(dialog.getByRole("button", { name: "Copy the file's path" }));
  assert.equal(await navigator.clipboard.readText(), clip.path);
  const receipt = dialog.getByRole("link", { name: "Receipt of mygame_boss_defeated" });
  assert.equal(receipt.getAttribute("href"), `#/live?show=${clip.events[0]?.id}`);
});

test("a clip that cannot be played shows the reason, and no video", async () => {
  const clips = [...everyKind(), markerOf(9)];
  await openApp("#/clips", launcherWithClips({ clips }).launcher);
  for (const [title, heading, why] of [
    ["mygame_just_now", "Cutting the clip", "Step 2 of 3"],
    ["mygame_lost", "The clip could not be created", "The footage was lost"],
    ["mygame_moved", "The file was moved or deleted", "mygame 5.mp4"],
    ["mygame_step", "This marker has no video", "No recorder ran"],
  ] as const) {
    location.hash = `#/clips/${clips.find((known) => known.title === title)?.id}`;
    const dialog = await player(title);
    await waitFor(() => {
      const says = dialog.getAllByRole("status").map(({ textContent }) => textContent ?? "");
      assert.ok(
        says.some((text) => text.includes(heading) && text.includes(why)),
        says.join("\n"),
      );
    });
    assert.ok(!video(), title);
    assert.ok(!dialog.queryByRole("link", { name: "Download" }), title);
    await assertAccessible();
  }
});

test("the address of a deleted clip shows that it is gone, and closing it opens the gallery", async () => {
  const { launcher } = launcherWithClips({ clips: [clipOf(1)] });
  const { user } = await openApp("#/clips/01990000-0000-7000-8000-00000000dead", launcher);
  await (await player("Not found")).findByText(/^This clip was deleted permanently or never existed/u);
  await user.click(screen.getByRole("button", { name: "Close the player" }));
  await waitFor(() => assert.equal(location.hash, "#/clips"));
  await waitFor(() => assert.deepEqual(titlesShown(), ["mygame_boss_defeated"]));
});

test("a screenshot is shown as a picture", async () => {
  const shot = everyKind().find(({ kind }) => kind === "screenshot") ?? assert.fail();
  await openApp(`#/clips/${shot.id}`, launcherWithClips({ clips: everyKind() }).launcher);
  await (await player("mygame_view")).findByRole("img", { name: "Screenshot of the moment" });
  assert.ok(!video());
});
