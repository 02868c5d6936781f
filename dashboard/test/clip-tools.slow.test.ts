// Tests of trims, exports and tags in a real browser, by mouse and by keyboard.
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { clipOf } from "./clip-samples.ts";
import { cardWith, isInDialog, shareStage, titlesShown } from "./clips-stage.ts";
import { eventually } from "./stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");
const open = shareStage(skip);

const video = (page: Page) => page.locator("video[controls]");
const state = (page: Page) =>
  video(page).evaluate((element) => {
    const { currentTime, paused, loop, playbackRate } = element as HTMLVideoElement;
    return { at: currentTime, paused, loop, playbackRate };
  });
const edge = (page: Page, end: "start" | "end") =>
  page.getByRole("slider", { name: end === "start" ? "Start of the selection" : "End of the selection" });
const positionOf = async (page: Page, end: "start" | "end") =>
  Number(Number(await edge(page, end).getAttribute("aria-valuenow")).toFixed(2));

async function openPlayer(page: Page): Promise<void> {
  await video(page).waitFor();
  await eventually(() => video(page).evaluate((element) => (element as HTMLVideoElement).readyState >= 2), true);
}

test("a range is marked, played, named and made into a clip with the keyboard that shows its progress", {
  skip,
}, async () => {
  const clip = clipOf(1, { title: "mygame_won" });
  const stage = await open(`#/clips/${clip.id}`, { clips: [clip] });
  const { page, answers } = stage;
  await openPlayer(page);
  await page.keyboard.press("l");
  await page.keyboard.press("i");
  await eventually(() => positionOf(page, "start"), 5);
  await page.keyboard.press("l");
  await eventually(async () => (await state(page)).at, 10);
  await page.keyboard.press("o");
  await eventually(() => positionOf(page, "end"), 10);
  await edge(page, "end").focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Shift+ArrowLeft");
  await eventually(() => positionOf(page, "end"), 8.97);
  assert.equal(await edge(page, "end").getAttribute("aria-valuetext"), "at 8.97 seconds");
  await eventually(async () => Number((await state(page)).at.toFixed(2)), 8.97);
  await page.getByText("0:05.00 to 0:08.97: 3.97 s").waitFor();
  await page.getByText("The original clip stays unchanged.", { exact: true }).waitFor();
  await page.getByRole("textbox", { name: "Name of the new clip" }).fill("The last blow, io");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "The last blow, io" }).getByText("Cutting the clip").waitFor();
  const [change] = answers.changes;
  const body = JSON.parse((change ?? "").replace(/^POST \S+ /u, ""));
  assert.match(change ?? "", new RegExp(`^POST /api/clips/${clip.id}/trim `, "u"));
  assert.deepEqual(
    [body.fromSeconds.toFixed(3), body.toSeconds.toFixed(3), body.title],
    ["5.000", "8.967", "The last blow, io"],
  );
  const made = answers.clips[0];
  assert.ok(made);
  answers.clips = [{ ...made, state: "saved", duration: 3.97, path: "/clips/blow.mp4" }, clip];
  await video(page).waitFor();
  await page.getByRole("link", { name: "The original clip" }).click();
  await page.getByRole("dialog", { name: "mygame_won" }).waitFor();
  assert.deepEqual(stage.complaints, []);
});

test("edges of a range are dragged, and the range plays to its end, once or in a loop", { skip }, async () => {
  const stage = await open(`#/clips/${clipOf(1).id}`, { clips: [clipOf(1)] });
  const { page } = stage;
  await openPlayer(page);
  await page.getByRole("button", { name: "Trim", exact: true }).click();
  await eventually(() => isInDialog(page, "Save as a new clip"), true);
  const line = await page.locator(".part-line").boundingBox();
  assert.ok(line);
  const near = async (end: "start" | "end", second: number) => Math.abs((await positionOf(page, end)) - second) < 0.1;
  const drag = async (end: "start" | "end", second: number) => {
    const handle = await edge(page, end).boundingBox();
    assert.ok(handle);
    await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
    await page.mouse.down();
    await page.mouse.move(line.x + (line.width * second) / 17, line.y + 4, { steps: 4 });
    await page.mouse.up();
    // The page draws the new position one frame after the pointer moved.
    await eventually(() => near(end, second), true);
  };
  await drag("start", 3);
  await drag("end", 4);
  assert.deepEqual([await near("start", 3), await near("end", 4)], [true, true]);
  await page.getByRole("button", { name: "Play the selection" }).click();
  await eventually(async () => {
    const { at, paused } = await state(page);
    return paused && Math.abs(at - 4) < 0.1;
  }, true);
  await page.getByRole("button", { name: "Loop" }).click();
  // Watched in the page itself, frame by frame, however long a frame takes: playback jumps back to the start of the range.
  const jumping = video(page).evaluate(
    (element) =>
      new Promise<{ framesBehind: number; to: number }>((resolve) => {
        const player = element as HTMLVideoElement;
        let framesBehind = 0;
        let hasPlayed = false;
        const checkFrame = () => {
          requestAnimationFrame(checkFrame);
          if (player.seeking || player.paused) return;
          hasPlayed ||= player.currentTime < 3.9;
          if (hasPlayed && player.currentTime > 4.1) framesBehind += 1;
        };
        player.addEventListener("seeking", () => hasPlayed && resolve({ framesBehind, to: player.currentTime }));
        checkFrame();
      }),
  );
  await page.getByRole("button", { name: "Play the selection" }).click();
  const jump = await jumping;
  assert.ok(jump.framesBehind <= 1 && Math.abs(jump.to - 3) < 0.1, JSON.stringify(jump));
  await page.getByRole("button", { name: "Trim", exact: true }).click();
  await eventually(async () => (await state(page)).loop, true);
  await page.getByRole("button", { name: "Loop" }).focus();
  await page.keyboard.press(">");
  await eventually(async () => (await state(page)).playbackRate, 1.5);
  await eventually(() => page.getByRole("combobox", { name: "Speed" }).inputValue(), "1.5");
  assert.deepEqual(stage.complaints, []);
});

test("a trim that the launcher refuses keeps its range, and the reason is shown", { skip }, async () => {
  const stage = await open(`#/clips/${clipOf(1).id}`, { clips: [clipOf(1)] });
  const { page, answers } = stage;
  await openPlayer(page);
  await page.keyboard.press("i");
  answers.refuseWith = "The disk has less than 2 GB left.";
  await page.getByRole("button", { name: "Save as a new clip" }).click();
  await page.getByRole("alert").filter({ hasText: "The disk has less than 2 GB left." }).waitFor();
  assert.equal(
    await page.getByRole("textbox", { name: "Name of the new clip" }).inputValue(),
    "mygame_boss_defeated (trimmed)",
  );
});

test("tags are chosen from known ones or typed, removed, and used as a filter", {
  skip,
}, async () => {
  const clips = [clipOf(1, { title: "mygame_one" }), clipOf(2, { title: "mygame_two", tags: ["boss", "fun"] })];
  const stage = await open(`#/clips/${clipOf(1).id}`, { clips });
  const { page, answers } = stage;
  const dialog = page.getByRole("dialog");
  const field = dialog.getByRole("combobox", { name: "Add a tag" });
  const tags = dialog.getByRole("list", { name: "Tags" }).getByRole("listitem");
  await field.fill("BO");
  await page.getByRole("option", { name: "boss" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await eventually(() => tags.allTextContents(), ["boss"]);
  await field.fill("no, hit");
  await page.keyboard.press("Enter");
  await field.fill("no hit");
  await page.keyboard.press("Enter");
  await eventually(() => tags.allTextContents(), ["boss", "no hit"]);
  await dialog.getByRole("button", { name: "Remove the tag boss" }).click();
  await eventually(() => tags.allTextContents(), ["no hit"]);
  await eventually(() => field.evaluate((input) => document.activeElement === input), true);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "no hit", exact: true }).click();
  await cardWith(page, "mygame_two").waitFor({ state: "detached" });
  await cardWith(page, "mygame_one").waitFor();
  assert.deepEqual(
    answers.changes.map((change) => change.replace(/^PUT \S+ /u, "")),
    [`{"tags":["boss"]}`, `{"tags":["boss","no hit"]}`, `{"tags":["no hit"]}`],
  );
  assert.deepEqual(stage.complaints, []);
});

test("a clip is shown in its folder, or the reason why it cannot be", { skip }, async () => {
  const stage = await open(`#/clips/${clipOf(1).id}`, { clips: [clipOf(1)] });
  const { page, answers } = stage;
  answers.refuseWith = "There is no desktop here.";
  await page.getByRole("button", { name: "Show in folder" }).click();
  await page.getByRole("alert").filter({ hasText: "There is no desktop here." }).waitFor();
  await page.getByRole("button", { name: "Show in folder" }).click();
  await page.getByRole("alert").waitFor({ state: "detached" });
  // The old message disappears as soon as the button is pressed, before the launcher answers.
  await eventually(async () => answers.changes, Array(2).fill(`POST /api/clips/${clipOf(1).id}/reveal`));
});

const partTitles = (dialog: Locator) =>
  dialog
    .getByRole("textbox", { name: /^Title of the part/u })
    .evaluateAll((all) => all.map((field) => (field as HTMLInputElement).value));

test("the best moments of a day become a reel, from the heading of that day", { skip }, async () => {
  const at = (daysAgo: number, minute: number) => {
    const noon = new Date();
    noon.setDate(noon.getDate() - daysAgo);
    noon.setHours(12, minute, 0, 0);
    return { startedAt: noon.toISOString() };
  };
  const clips = [
    clipOf(1, { title: "alone", ...at(2, 0) }),
    clipOf(2, { title: "second", priority: 700, ...at(3, 20) }),
    clipOf(3, { title: "first", priority: 600, ...at(3, 10) }),
    clipOf(4, { title: "an error", subject: "error", ...at(3, 5) }),
  ];
  const { page, complaints } = await open("#/clips", { clips });
  // Only one day has two moments to join.
  await page
    .getByRole("rowheader")
    .filter({ hasText: "Reel" })
    .getByRole("button", { name: "Reel of this day" })
    .click();
  const dialog = page.getByRole("dialog", { name: "Make a reel" });
  await eventually(() => partTitles(dialog), ["first", "second"]);
  await dialog.getByRole("button", { name: "Make the reel" }).click();
  await cardWith(page, "Best of").waitFor();
  // The day's other clips are hidden, so a reel of the day would be a surprise.
  await page.getByRole("searchbox").fill("first");
  await eventually(() => titlesShown(page), ["first"]);
  assert.equal(await page.getByRole("button", { name: "Reel of this day" }).count(), 0);
  assert.deepEqual(complaints, []);
});

test("selected clips become a reel whose parts are ordered, shortened and named with the keyboard", {
  skip,
}, async () => {
  const clips = [3, 2, 1].map((n) => clipOf(n, { title: `part ${n}`, startedAt: `2026-05-03T10:0${n}:00.000Z` }));
  const { page, answers, complaints } = await open("#/clips", { clips });
  for (const { title } of clips) await page.getByRole("checkbox", { name: `Select: ${title}` }).dispatchEvent("click");
  await page.getByRole("button", { name: "Make a reel" }).click();
  const dialog = page.getByRole("dialog", { name: "Make a reel" });
  const titles = () => partTitles(dialog);
  await eventually(titles, ["part 1", "part 2", "part 3"]);
  await dialog.getByRole("button", { name: "Move up: part 3" }).focus();
  await page.keyboard.press("Enter");
  await eventually(titles, ["part 1", "part 3", "part 2"]);
  // The moved row keeps the focus, so that the next key moves it on.
  await page.keyboard.press("Enter");
  await eventually(titles, ["part 3", "part 1", "part 2"]);
  await dialog.getByRole("textbox", { name: "Title of the part: part 2" }).focus();
  await page.keyboard.press("Alt+ArrowUp");
  await eventually(titles, ["part 3", "part 2", "part 1"]);
  await dialog.getByRole("textbox", { name: "Title of the part: part 2" }).fill("the end");
  await dialog.getByRole("button", { name: "Remove from the reel: part 1" }).click();
  await dialog.getByRole("textbox", { name: "From second: part 3" }).fill("99");
  await dialog.getByText("Check the seconds").waitFor();
  assert.equal(await dialog.getByRole("button", { name: "Make the reel" }).isDisabled(), true);
  await dialog.getByRole("textbox", { name: "From second: part 3" }).fill("1.5");
  await dialog.getByRole("textbox", { name: "End, in seconds: part 3" }).fill("4");
  await dialog.getByRole("textbox", { name: "Title of the reel" }).fill("Last night");
  await dialog.getByRole("switch", { name: /^Fade between the parts/u }).click();
  await dialog.getByRole("button", { name: "Make the reel" }).click();
  const card = cardWith(page, "Last night");
  await card.getByText("Making the reel: 40 %, 0:12 left").waitFor();
  const [asked = ""] = answers.changes;
  assert.deepEqual(JSON.parse(asked.replace("POST /api/reels ", "")), {
    title: "Last night",
    fade: true,
    parts: [
      { clip: clips[0]?.id, fromSeconds: 1.5, toSeconds: 4, title: "part 3" },
      { clip: clips[1]?.id, title: "the end" },
    ],
  });
  await card.getByRole("button", { name: "Cancel the reel: Last night" }).click();
  await card.waitFor({ state: "detached" });
  assert.deepEqual(complaints, []);
});
