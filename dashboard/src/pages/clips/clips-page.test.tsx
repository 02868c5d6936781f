// Tests of the Clips page: what it shows, its filters, the trash, and what an empty page offers.
import assert from "node:assert/strict";
import { listClips, planCleanup, testRecorder } from "@kit/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { test } from "vitest";
import { clipOf, everyKind, markerOf, recorderStateOf, reportOf } from "../../../test/clip-samples.ts";
import { assertAccessible } from "../../../test/component/accessible.ts";
import { launcherWithClips } from "../../../test/component/fake-clips.ts";
import { fill } from "../../../test/component/fill.ts";
import { openApp } from "../../../test/component/open-app.tsx";

const titlesShown = () =>
  [...document.querySelectorAll(".clip-card .clip-title")].map(({ textContent }) => textContent);
const showsTitles = (...titles: string[]) => waitFor(() => assert.deepEqual(titlesShown(), titles));
const cardWith = (text: string) =>
  [...document.querySelectorAll(".clip-card")].find(({ textContent }) => textContent?.includes(text)) ??
  assert.fail(`no card: ${text}`);
const textOf = (text: string) => cardWith(text).textContent ?? "";
const named = (names: readonly string[]) => names.map((title, n) => clipOf(n + 1, { title }));

test("each card shows the state of its clip, and a marker is not a card", async () => {
  await openApp("#/clips", launcherWithClips({ clips: everyKind() }).launcher);
  await screen.findByText("mygame_just_now");
  assert.match(textOf("mygame_just_now"), /Cutting the clip/u);
  for (const says of ["Pinned", "3 moments", "2 minutes ago", "17 seconds"])
    assert.ok(textOf("mygame_boss_defeated").includes(says), says);
  assert.match(textOf("mygame_view"), /Screenshot/u);
  assert.match(textOf("mygame_lost"), /The footage was lost/u);
  assert.match(textOf("mygame_moved"), /File missing/u);
  assert.ok(!titlesShown().includes("mygame_step"));
  const markers = screen.getAllByRole("listitem").map(({ textContent }) => textContent ?? "");
  assert.ok(markers.some((line) => line.includes("mygame_step") && line.includes("ffmpeg was not found")));
  screen.getByText("Moments without video: nothing was being recorded.");
  screen.getByText("21 MB of 20 GB");
  assert.ok(!document.querySelector(".clip-card")?.textContent?.includes("8 of 12 s before"), "no footnote on a card");
  await assertAccessible();
});

test("a deleted clip disappears at once, and Undo restores it", async () => {
  const clips = named(["mygame_one", "mygame_two"]);
  const { launcher, user } = await openApp("#/clips", launcherWithClips({ clips }).launcher);
  await user.click(await screen.findByRole("button", { name: "Delete: mygame_one" }));
  await showsTitles("mygame_two");
  await screen.findByText("Moved to the trash.");
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await showsTitles("mygame_one", "mygame_two");
  await screen.findByText("Restored from the trash.");
  await user.click(screen.getByRole("button", { name: "Dismiss" }));
  await waitFor(() => assert.ok(!screen.queryByText("Restored from the trash.")));
  const path = `/api/clips/${clips[0]?.id}`;
  assert.deepEqual(launcher.changes, [`DELETE ${path}`, `POST ${path}/restore`]);
});

test("a clip in the trash can be restored, or deleted permanently after a confirmation", async () => {
  const deletedAt = new Date().toISOString();
  const [one, two] = named(["mygame_one", "mygame_two"]).map((clip) => ({ ...clip, deletedAt }));
  assert.ok(one && two);
  const { launcher } = launcherWithClips({ clips: [one, two, clipOf(3)] });
  const { user } = await openApp("#/clips", launcher);
  await user.click(await screen.findByRole("switch", { name: "Trash" }));
  await showsTitles("mygame_one", "mygame_two");
  await user.click(screen.getByRole("button", { name: "Restore: mygame_one" }));
  await showsTitles("mygame_two");
  const remove = { name: "Delete permanently: mygame_two" };
  await user.click(screen.getByRole("button", remove));
  const asks = { name: "Delete permanently?" };
  const dialog = within(await screen.findByRole("dialog", asks));
  await assertAccessible();
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  await waitFor(() => assert.ok(!screen.queryByRole("dialog", asks)));
  assert.deepEqual(titlesShown(), ["mygame_two"]);
  await user.click(screen.getByRole("button", remove));
  await user.click(within(screen.getByRole("dialog", asks)).getByRole("button", { name: "Delete permanently" }));
  await screen.findByRole("heading", { name: "The trash is empty" });
  await user.click(screen.getByRole("button", { name: "Show all clips" }));
  await showsTitles("mygame_one", "mygame_boss_defeated");
  assert.deepEqual(launcher.changes, [`POST /api/clips/${one.id}/restore`, `DELETE /api/clips/${two.id}?forever=true`]);
});

test("the keyboard moves through the cards, opens a clip, returns to its card, pins and deletes it", async () => {
  const { launcher, user } = await openApp(
    "#/clips",
    launcherWithClips({ clips: named(["mygame_1", "mygame_2", "mygame_3"]) }).launcher,
  );
  const focused = () => document.activeElement?.querySelector(".clip-title")?.textContent;
  await showsTitles("mygame_1", "mygame_2", "mygame_3");
  document.querySelector<HTMLElement>(".clip-link")?.focus();
  for (const [key, title] of [
    ["ArrowRight", "mygame_2"],
    ["End", "mygame_3"],
    ["ArrowLeft", "mygame_2"],
  ] as const) {
    await user.keyboard(`{${key}}`);
    await waitFor(() => assert.equal(focused(), title));
  }
  await user.keyboard("{Enter}");
  await screen.findByRole("dialog", { name: "mygame_2" });
  await user.keyboard("{Escape}");
  await waitFor(() => assert.ok(!screen.queryByRole("dialog", { name: "mygame_2" })));
  await waitFor(() => assert.equal(focused(), "mygame_2"));
  await user.tab();
  assert.equal(document.activeElement?.getAttribute("aria-label"), "Pin: mygame_2");
  await user.keyboard("{Enter}");
  await waitFor(() => assert.match(textOf("mygame_2"), /Pinned/u));
  await user.tab({ shift: true });
  await user.keyboard("{Delete}");
  await showsTitles("mygame_1", "mygame_3");
  const path = `/api/clips/${clipOf(2).id}`;
  assert.deepEqual(launcher.changes, [`PUT ${path} {"pinned":true}`, `DELETE ${path}`]);
});

test("filters by game and kind narrow the list, and are kept in the address", async () => {
  const [one, view] = [clipOf(1, { title: "alpha_one" }), clipOf(3, { title: "alpha_view", kind: "screenshot" })];
  const marker = markerOf(4, { title: "loner", game: null });
  const { launcher } = launcherWithClips();
  launcher.when(listClips).reply(({ query: { game, kind } }) => {
    const clips = game === "unsorted" ? [marker] : kind === "screenshot" ? [view] : kind ? [] : [one, view];
    return { clips, more: false, bytes: 1, quotaBytes: 2 };
  });
  const { user } = await openApp("#/clips?game=mygame", launcher);
  await showsTitles("alpha_one", "alpha_view");
  await user.click(screen.getByRole("radio", { name: "Screenshots" }));
  await showsTitles("alpha_view");
  assert.equal(location.hash, "#/clips?game=mygame&kind=screenshot");
  await user.click(screen.getByRole("radio", { name: "Markers" }));
  await screen.findByRole("heading", { name: "No clip matches these filters" });
  await user.selectOptions(screen.getByRole("combobox", { name: "Game" }), "unsorted");
  await screen.findByText("1 marker");
  const lists = launcher.asked.filter((each) => each.startsWith("/api/clips?"));
  assert.deepEqual(
    [...new Set(lists)],
    ["game=mygame", "game=mygame&kind=screenshot", "game=mygame&kind=marker", "game=unsorted&kind=marker"].map(
      (query) => `/api/clips?${query}&limit=100`,
    ),
  );
});

test("without any clip the page explains how to get one, and records a test clip", async () => {
  const { launcher, kept } = launcherWithClips();
  launcher.when(testRecorder).reply(() => {
    kept.clips = named(["Test recording"]);
    return { ok: true, says: "3 s of screen :0 were recorded.", tried: [], clip: clipOf(1).id, file: null };
  });
  const { user } = await openApp("#/clips", launcher);
  await screen.findByRole("heading", { name: "No clips yet" });
  await assertAccessible();
  screen.getByText("npx kit fire recording mygame_boss_defeated");
  await user.click(screen.getByRole("button", { name: "Record a test clip" }));
  await showsTitles("Test recording");
  assert.deepEqual(launcher.changes, ["POST /api/recorder/test"]);
});

test("without any clip and with a failed recorder the page shows the problem, and links to the recorder", async () => {
  const detail = "ffmpeg was not found. Install it, for instance by: apt install ffmpeg";
  const report = reportOf({ state: recorderStateOf({ state: "broken", detail }) });
  const { user } = await openApp("#/clips", launcherWithClips({ report }).launcher);
  const main = within(screen.getByRole("main"));
  await main.findByText(
    (_, element) => element?.className === "note" && element.textContent?.includes(detail) === true,
  );
  main.getByText(/become markers without video/u);
  await user.click(main.getByRole("link", { name: "Open the recorder" }));
  await screen.findByRole("heading", { name: "The recorder cannot record" });
});

test("Free up space lists what goes and why, moves it to the trash, undoes that, and deletes it for good", async () => {
  const clips = named(["mygame_new", "mygame_old"]);
  const { launcher } = launcherWithClips({ clips });
  const goes = clips.slice(1).map((clip) => ({ clip, why: "the oldest of the lowest priority" }));
  launcher.when(planCleanup).reply(() => ({
    ...{ bytes: 9e6, quotaBytes: 2e10, freedBytes: 4_200_000, freeableBytes: 9e6 },
    ...{ goes, fits: true },
  }));
  const { user } = await openApp("#/clips", launcher);
  await user.click(await screen.findByRole("button", { name: "Free up space…" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Free up space" }));
  await dialog.findByText("1 clip, 4.2 MB:");
  const line = dialog.getByRole("listitem").textContent ?? "";
  assert.ok(dialog.getByRole("listitem").querySelector(".small-poster") !== null);
  assert.ok(line.includes("mygame_old") && line.includes("the oldest of the lowest priority"), line);
  await assertAccessible();
  fill(dialog.getByRole("textbox", { name: "How much (GB)" }), "0.5");
  await user.selectOptions(dialog.getByRole("combobox", { name: "Which clips go first" }), "age");
  await waitFor(() => assert.ok(launcher.asked.includes("/api/clips-cleanup?freeBytes=500000000&by=age")));
  assert.deepEqual(launcher.changes, []);
  const toTrash = () => dialog.findByRole("button", { name: "Move 1 clip to the trash" });
  await waitFor(async () => assert.ok(!(await toTrash()).hasAttribute("disabled")));
  await user.click(await toTrash());
  await user.click(await dialog.findByRole("button", { name: "Undo" }));
  await waitFor(async () => assert.ok(!(await toTrash()).hasAttribute("disabled")));
  await user.click(await toTrash());
  await user.click(await dialog.findByRole("button", { name: "Delete permanently" }));
  await dialog.findByText("4.2 MB are free now.");
  await user.click(dialog.getByRole("button", { name: "Close" }));
  await waitFor(() => assert.ok(!screen.queryByRole("dialog", { name: "Free up space" })));
  const path = `/api/clips/${clips[1]?.id}`;
  assert.deepEqual(launcher.changes, [
    `DELETE ${path}`,
    `POST ${path}/restore`,
    `DELETE ${path}`,
    `DELETE ${path}?forever=true`,
  ]);
});

test("Free up space proposes nothing if clips cannot free that much, and says how much they can free", async () => {
  const { launcher } = launcherWithClips({ clips: named(["mygame_new"]) });
  const none = { bytes: 114e6, quotaBytes: 0, freedBytes: 0, freeableBytes: 104e6, goes: [], fits: false };
  launcher.when(planCleanup).reply(() => none);
  const { user } = await openApp("#/clips", launcher);
  await user.click(await screen.findByRole("button", { name: "Free up space…" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Free up space" }));
  await dialog.findByText(/^Clips can free 104 MB at most/u);
  await user.click(dialog.getByRole("button", { name: "Propose that much" }));
  await waitFor(() => assert.ok(launcher.asked.includes("/api/clips-cleanup?freeBytes=100000000&by=importance")));
});
