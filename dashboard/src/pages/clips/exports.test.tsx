// Tests of exports: presets and sizes, progress, the microphone, the upright frame, and copies of a selection.
import assert from "node:assert/strict";
import { createDownloadLink } from "@kit/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { test, vi } from "vitest";
import { clipOf, exportOf } from "../../../test/clip-samples.ts";
import { assertAccessible } from "../../../test/component/accessible.ts";
import { launcherWithClips } from "../../../test/component/fake-clips.ts";
import { fill } from "../../../test/component/fill.ts";
import { openApp } from "../../../test/component/open-app.tsx";

/** Opens the part of the player that makes copies. */
async function openExports(clip = clipOf(1)) {
  const fake = launcherWithClips({ clips: [clip] });
  const opened = await openApp(`#/clips/${clip.id}`, fake.launcher);
  const dialog = within(await screen.findByRole("dialog", { name: clip.title }));
  await opened.user.click(await dialog.findByRole("button", { name: "Export" }));
  return { ...opened, ...fake, dialog, clip };
}

const lastBody = (changes: readonly string[]) => JSON.parse((changes.at(-1) ?? "").replace(/^POST \S+ /u, ""));

test("several exports are made at once, shown with their progress, cancelled, and downloaded when ready", async () => {
  const { user, launcher, kept, dialog, clip } = await openExports();
  dialog.getByText("up to 21 MB");
  dialog.getByText("The clip (4.2 MB) is small enough, so it is copied unchanged.");
  const makeCopy = { name: "Make a copy" };
  await user.click(dialog.getByRole("button", makeCopy));
  const copies = () =>
    [...document.querySelectorAll('[aria-label="Copies"] > li')].map(({ textContent }) => textContent ?? "");
  await waitFor(() => assert.equal(copies().length, 1));
  assert.match(copies()[0] ?? "", /Discord.*0 % complete, 0:12 left/u);
  await user.click(dialog.getByRole("radio", { name: /Custom size/u }));
  const size = dialog.getByRole("textbox", { name: "Megabytes" });
  fill(size, "0.1");
  assert.ok(dialog.getByRole("button", makeCopy).hasAttribute("disabled"));
  fill(size, "2");
  dialog.getByText(/the copy is re-encoded, possibly at a lower resolution/u);
  await user.click(dialog.getByRole("button", makeCopy));
  await waitFor(() => assert.equal(copies().length, 2));
  assert.deepEqual(launcher.changes, [
    `POST /api/clip-exports {"clip":"${clip.id}","preset":"discord"}`,
    `POST /api/clip-exports {"clip":"${clip.id}","bytesMax":2000000}`,
  ]);
  const ready = { state: "ready" as const, progress: 1, bytes: 1_900_000, notes: ["a smaller picture: 854×480"] };
  kept.exports = [exportOf(2, { preset: null, bytesMax: 2_000_000, ...ready }), exportOf(1, { progress: 0.6 })];
  await waitFor(() => assert.match(copies()[0] ?? "", /Up to 2 MB.*a smaller picture: 854×480/u));
  await screen.findByText("The copy for Up to 2 MB is ready.");
  await assertAccessible();
  assert.equal(dialog.getByRole("progressbar", { name: "Copy for Discord" }).getAttribute("value"), "60");
  const file = `/api/clip-exports/${exportOf(2).id}/file`;
  launcher.when(createDownloadLink).reply(() => ({ address: `${file}?once=1`, expiresAt: new Date().toISOString() }));
  const followed: (string | null)[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    followed.push(this.getAttribute("href"));
  });
  await user.click(dialog.getByRole("button", { name: "Download the copy for Up to 2 MB" }));
  await waitFor(() => assert.deepEqual(followed, [`${file}?once=1`]));
  assert.deepEqual(lastBody(launcher.changes), { address: file });
  await user.click(dialog.getByRole("button", { name: "Cancel the copy for Discord" }));
  await waitFor(() => assert.equal(copies().length, 1));
  assert.equal(launcher.changes.at(-1), `DELETE /api/clip-exports/${exportOf(1).id}`);
  await user.click(screen.getByRole("button", { name: "Close the player" }));
  await user.click(await screen.findByRole("button", { name: "1 copy" }));
  const list = within(await screen.findByRole("dialog", { name: "Copies of clips" }));
  list.getByRole("link", { name: "mygame_boss_defeated.mp4" });
});

test("a person who recorded a microphone is told where it is, and may include it in an export", async () => {
  const { user, launcher, dialog, clip } = await openExports(clipOf(1, { microphone: true }));
  dialog.getByText(/The file has your microphone as a second sound track\./u);
  const microphone = { name: "Include my microphone" };
  assert.equal(dialog.getByRole("switch", microphone).getAttribute("aria-checked"), "false");
  await user.click(dialog.getByRole("radio", { name: /^GIF/u }));
  assert.ok(!dialog.queryByRole("switch", microphone));
  await user.click(dialog.getByRole("radio", { name: /^Email/u }));
  await user.click(dialog.getByRole("switch", microphone));
  await user.click(dialog.getByRole("button", { name: "Make a copy" }));
  const made = `POST /api/clip-exports {"clip":"${clip.id}","preset":"email","microphone":true}`;
  await waitFor(() => assert.deepEqual(launcher.changes, [made]));
});

test("the frame of an upright copy is moved with keys, and goes with the selected part", async () => {
  const { user, launcher, dialog, clip } = await openExports();
  await user.click(dialog.getByRole("radio", { name: /^Vertical 9:16/u }));
  const frame = () => screen.queryByRole("slider", { name: "Position of the vertical frame" });
  frame()?.focus();
  const position = () => frame()?.getAttribute("aria-valuenow");
  await user.keyboard("{ArrowRight}{Shift>}{ArrowRight}{/Shift}");
  assert.equal(position(), "61");
  await assertAccessible();
  await user.keyboard("{Home}");
  assert.equal(position(), "0");
  await user.keyboard("{End}li");
  dialog.getByText("Only the selection: 0:05.00 to 0:17.00.");
  await user.click(dialog.getByRole("button", { name: "Make a copy" }));
  await waitFor(() => assert.equal(launcher.changes.length, 1));
  assert.deepEqual(lastBody(launcher.changes), {
    clip: clip.id,
    preset: "vertical",
    range: { fromSeconds: 5, toSeconds: 17 },
    crop: { position: 1 },
  });
  await user.click(dialog.getByRole("radio", { name: /^GIF/u }));
  assert.ok(!frame());
  assert.notEqual(dialog.getAllByText("up to 10 MB, 15 s").length, 0);
});

test("selected clips are copied and exported together", async () => {
  const clips = [2, 1].map((n) => clipOf(n, { title: `clip ${n}`, microphone: n === 2 }));
  const { launcher } = launcherWithClips({ clips });
  const { user } = await openApp("#/clips", launcher);
  for (const { title } of clips) await user.click(await screen.findByRole("checkbox", { name: `Select: ${title}` }));
  await user.click(screen.getByRole("button", { name: "Copy files" }));
  await screen.findByText(/^2 files copied\. .* Your microphone is included\.$/u);
  const ids = clips.map(({ id }) => id).toSorted();
  assert.deepEqual(lastBody(launcher.changes).clips.toSorted(), ids);
  await user.click(screen.getByRole("button", { name: "Export…" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Export 2 clips" }));
  await user.click(dialog.getByRole("radio", { name: /^Email/u }));
  await assertAccessible();
  await user.click(dialog.getByRole("button", { name: "Make 2 copies" }));
  await screen.findByText(/^Making the copies\./u);
  assert.deepEqual(
    launcher.changes.slice(1).toSorted(),
    ids.map((id) => `POST /api/clip-exports {"clip":"${id}","preset":"email"}`),
  );
});
