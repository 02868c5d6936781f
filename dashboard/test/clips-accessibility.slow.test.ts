// Tests of accessibility with axe: the gallery, the player and the recorder, in both colour schemes, wide and at 360 px.
import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { assertAccessibleInBothSchemes, narrow } from "./accessible.ts";
import { answerAs } from "./answer-as.ts";
import { clipOf, everyKind, exportOf, markerOf, recorderStateOf, reportOf, ruleOf } from "./clip-samples.ts";
import { cardWith, type Open, shareStage } from "./clips-stage.ts";
import { createFakeLauncher } from "./component/fake-launcher.ts";
import { givePosts } from "./component/fake-posts.ts";

const skip = skipWithout("Chromium", "ffmpeg");

const everyClip = () => [
  ...everyKind(),
  markerOf(7, { game: null }),
  clipOf(2_000, { game: "other", title: "other_win", tags: ["boss", "best of", "no hit", "any%"] }),
];

async function assertGalleryAccessible(open: Open): Promise<void> {
  const clips = everyClip();
  const cleanup = clips.slice(4, 5).map((clip) => ({ clip, why: "the oldest" }));
  const { page, answers, go } = await open("#/clips", { clips, cleanup });
  await cardWith(page, "mygame_boss_defeated").waitFor();
  await assertAccessibleInBothSchemes(page, "gallery");
  await page.locator(".clip-link").nth(1).focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Shift+ArrowRight");
  await page.getByRole("button", { name: "Tags", exact: true }).click();
  await page.getByRole("combobox", { name: "Add a tag" }).fill("b");
  await page.getByRole("option", { name: "best of" }).waitFor();
  await assertAccessibleInBothSchemes(page, "tags of several");
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await assertAccessibleInBothSchemes(page, "several selected");
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByRole("button", { name: "Free up space…" }).click();
  await page.getByText("1 clip, 4.2 MB:").waitFor();
  await assertAccessibleInBothSchemes(page, "clips that free space");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Delete: mygame_lost" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("Moved to the trash.").waitFor();
  // The message stays while it has the focus, however long the check takes.
  await page.getByRole("button", { name: "Undo" }).focus();
  await assertAccessibleInBothSchemes(page, "just deleted");
  assert.ok(
    await page.getByText("Moved to the trash.").isVisible(),
    "the message with Undo stays through the checks in both colour schemes",
  );
  await page.getByRole("switch", { name: "Trash" }).click();
  await page.getByRole("button", { name: "Delete permanently: mygame_lost" }).click();
  await page.getByRole("dialog").waitFor();
  await assertAccessibleInBothSchemes(page, "confirmation before deleting permanently");
  answers.clips = [];
  answers.report = reportOf({ state: recorderStateOf({ state: "broken", detail: "ffmpeg was not found." }) });
  await go("#/clips");
  await page.reload();
  await page.getByRole("heading", { name: "No clips yet" }).waitFor();
  await assertAccessibleInBothSchemes(page, "no clips, broken");
}

async function assertPlayerAccessible(open: Open): Promise<void> {
  const clips = everyClip();
  const of = { clip: clips[1]?.id ?? "" };
  const ready = { state: "ready" as const, progress: 1, bytes: 7_900_000, notes: ["a smaller picture: 854×480"] };
  const failed = { state: "failed", reason: "The disk is full." } as const;
  const exports = [exportOf(3, { ...of, ...failed }), exportOf(2, { ...of, ...ready }), exportOf(1, of)];
  const { page, go } = await open("#/clips", { clips, exports });
  for (const { id, title } of [0, 1, 3, 5].flatMap((n) => clips[n] ?? [])) {
    await go(`#/clips/${id}`);
    await page.getByRole("dialog", { name: title }).waitFor();
    await assertAccessibleInBothSchemes(page, `player of ${title}`);
  }
  await go(`#/clips/${clips[1]?.id}`);
  await page.getByRole("button", { name: "Nil has no hp" }).click();
  await page.locator('.chapters [data-current="true"]').waitFor();
  await page.getByText("Keyboard shortcuts", { exact: true }).click();
  await page.getByRole("button", { name: "Trim", exact: true }).click();
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByText("a smaller picture").first().waitFor();
  await page.getByRole("radio", { name: "Custom size" }).check();
  await page.getByRole("button", { name: "Rename" }).click();
  await assertAccessibleInBothSchemes(page, "player playing, trimmed, exported, renamed, keys open");
}

async function assertRecorderAccessible(open: Open): Promise<void> {
  const clips = [clipOf(1)];
  const tried = [
    { what: "h264_nvenc", ok: false, why: "Cannot load libcuda.so.1" },
    { what: "libx264", ok: true, why: "30 frames a second" },
  ];
  const rules = [ruleOf("mygame_boss"), ruleOf("mygame_step", { action: "marker", changed: true })];
  const test = { ok: true, says: "3 s were recorded.", tried, clip: clipOf(1).id, file: null };
  const { page, answers } = await open("#/recorder", { clips, rules, test });
  for (const state of ["recording", "broken", "off"] as const) {
    const degraded = state === "recording" ? "15 frames a second" : null;
    answers.report = { ...reportOf({ state: recorderStateOf({ state, degraded }) }), obsPasswordSet: true };
    await page.reload();
    await page.getByText("1 makes a clip").waitFor();
    await page.locator(".recorder-badge").focus();
    await page.getByRole("tooltip").waitFor();
    await assertAccessibleInBothSchemes(page, `recorder: ${state}`);
  }
  await page.getByRole("button", { name: "Record a test clip" }).click();
  await page.getByText("Attempted configurations (2)").click();
  answers.refuseWith = "20 to 300 seconds.";
  await page.getByRole("textbox", { name: "Replay buffer" }).fill("1");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").waitFor();
  await assertAccessibleInBothSchemes(page, "tested, a setting refused");
  const saveHotkey = "Another program uses Ctrl+Alt+S. Choose another hotkey.";
  const trouble = { clipNotice: null, saveHotkey, markHotkey: null, trayIcon: null };
  answers.report = reportOf({ trouble });
  answers.sources.sources = [{ kind: "window", name: "Lanternwood", width: 1280, height: 720, pid: 7, picture: null }];
  await page.reload();
  await page.getByText(saveHotkey).waitFor();
  await page.getByRole("button", { name: "What to record" }).click();
  await page.getByRole("radio", { name: "Lanternwood" }).waitFor();
  await assertAccessibleInBothSchemes(page, "a hotkey that is taken, and the choice of what is recorded");
}

/** The dialogs that post one clip and several, and the one that makes a reel. */
async function assertDialogsAccessible(open: Open): Promise<void> {
  const clips = [1, 2].map((n) => clipOf(n, { title: `part ${n}` }));
  const { page } = await open("#/clips", { clips });
  const fake = createFakeLauncher();
  givePosts(fake);
  await answerAs(page, fake);
  await page.reload();
  for (const [index, [title, button]] of [
    ["Post this clip", "Post"] as const,
    ["Post 2 clips", "Send 2 posts"] as const,
  ].entries()) {
    await page.locator(".clip-link").nth(index).focus();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Post…" }).click();
    const dialog = page.getByRole("dialog", { name: title });
    await dialog.getByRole("button", { name: button, exact: true }).waitFor();
    if (index === 0) {
      await dialog.locator(".preview").first().waitFor();
      await dialog.getByText("More options").click();
    }
    await assertAccessibleInBothSchemes(page, title);
    await dialog.getByRole("button", { name: "Cancel" }).click();
  }
  await page.getByRole("button", { name: "Make a reel" }).click();
  const dialog = page.getByRole("dialog", { name: "Make a reel" });
  await dialog.getByRole("textbox", { name: "From second: part 1" }).fill("99");
  await dialog.getByText("Check the seconds").waitFor();
  await assertAccessibleInBothSchemes(page, "reel, a part without seconds");
  await dialog.getByRole("textbox", { name: "From second: part 1" }).fill("1");
  await dialog.getByText("2 parts").waitFor();
  await assertAccessibleInBothSchemes(page, "reel");
}

for (const [size, viewport] of [
  ["wide", { width: 1280, height: 800 }],
  ["at 360 px", narrow],
] as const) {
  // The page's own security policy would block axe. Motion is off, so that no colour is measured during a transition.
  describe(`the gallery, the player and the recorder are accessible ${size} in both colour schemes`, {
    skip,
  }, () => {
    const open = shareStage(skip, { viewport, bypassCSP: true, reducedMotion: "reduce" });
    test("gallery", () => assertGalleryAccessible(open));
    test("player", () => assertPlayerAccessible(open));
    test("dialogs of the selection", () => assertDialogsAccessible(open));
    test("recorder", () => assertRecorderAccessible(open));
  });
}
