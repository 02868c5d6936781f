// Tests of the Games page in a real browser: setting up and playing games with a real launcher, pictures, colour schemes and 390 px.
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changeLibraryGame, listLibrary, setCover } from "@kit/contract";
import type { Locator, Page } from "playwright-core";
import { type TestContext, test } from "vitest";
import { cannot } from "../../tools/engines/cannot.ts";
import { skipWithout } from "../../tools/engines/locate.ts";
import { assertAccessible, inColours } from "./accessible.ts";
import { answerAs } from "./answer-as.ts";
import { answerMedia } from "./clip-media.ts";
import { clipOf } from "./clip-samples.ts";
import { launcherWithClips } from "./component/fake-clips.ts";
import { clientOf } from "./issue-stage.ts";
import { shelf } from "./library-samples.ts";
import { eventually, openStage, type Stage } from "./stage.ts";

const skip = skipWithout("Chromium", "ffmpeg") || cannot.startScripts;

const card = (page: Page, name: string) => page.getByRole("article", { name });
const toGames = ({ page, launcher }: Pick<Stage, "page" | "launcher">) =>
  page.goto(`http://127.0.0.1:${launcher.port}/#/games`);
/** Waits for a status message. A busy machine takes a while to start another Node process. */
const statusShown = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text }).waitFor();

/** A game that records how it was started, and runs until it is told to end; at the latest when the time of every test is up. */
function makeGame(t: TestContext): { folder: string; program: string; facts: string } {
  const folder = mkdtempSync(join(tmpdir(), "kit-library-"));
  const [program, facts, end] = [join(folder, "lantern"), join(folder, "facts"), join(folder, "end")] as const;
  const script = `#!/bin/sh
printf '%s|' "$PWD" "$@" > "${facts}.new" && mv "${facts}.new" "${facts}"
for try in $(seq 9000); do [ -e "${end}" ] && : > "${facts}.ended" && exit 0; sleep 0.1; done
`;
  writeFileSync(program, script);
  chmodSync(program, 0o755);
  t.onTestFinished(async () => {
    writeFileSync(end, "");
    // The game checks for the end file repeatedly.
    await eventually(async () => !existsSync(facts) || existsSync(`${facts}.ended`), true);
    rmSync(folder, { recursive: true });
  });
  return { folder, program, facts };
}

test("a first game gets a name, a command and a cover, and each change can be undone", { skip }, async (t) => {
  // The test's own process sends as the game. If the launcher recognized it, it would propose it as the game's program.
  await using stage = await openStage({}, { findsSenders: false });
  const { page, launcher, complaints } = stage;
  await toGames(stage);
  await page.getByRole("heading", { name: "No games yet" }).waitFor();
  await launcher.send("recording", { eventId: "lanternwood_boss_defeated" });
  const lantern = card(page, "lanternwood");
  await lantern.getByText("1 session").waitFor();
  const game = makeGame(t);

  await lantern.getByRole("button", { name: "Play lanternwood" }).click();
  const dialog = page.getByRole("dialog", { name: "lanternwood" });
  await dialog.getByLabel("Program").fill(join(launcher.dataDir, "nothing"));
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText(/there is no file .*nothing/).waitFor();
  await dialog.getByLabel("Name").fill("Lanternwood");
  await dialog.getByLabel("Program").fill(`"${game.program}"`);
  await dialog.getByLabel("Arguments, one per line").fill("--windowed\nthe first cave");
  await dialog.getByText(`${game.program} --windowed "the first cave"`).waitFor();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  // The message stays while it has the focus.
  await page.getByRole("button", { name: "Undo" }).focus();
  await card(page, "Lanternwood").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await statusShown(page, "Undone.");
  await card(page, "lanternwood").waitFor();
  await setUp(page, game);

  await card(page, "lanternwood").getByRole("button", { name: "Play lanternwood" }).click();
  await statusShown(page, "lanternwood was started.");
  await card(page, "lanternwood")
    .getByText(/^Playing since \d\d:\d\d$/)
    .waitFor();
  await eventually(
    async () => existsSync(game.facts) && readFileSync(game.facts, "utf8"),
    `${game.folder}|--windowed|`,
  );
  await card(page, "lanternwood").getByRole("button", { name: "Play lanternwood" }).click();
  await card(page, "lanternwood").getByRole("alert").filter({ hasText: "was already started" }).waitFor();

  await card(page, "lanternwood").getByRole("button", { name: "Set up lanternwood" }).click();
  const large = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 2_400, height: 3_600 });
    canvas.getContext("2d")?.fillRect(0, 0, 900, 900);
    return canvas.toDataURL("image/png").split(",")[1] ?? "";
  });
  const picture = { name: "cover.png", mimeType: "image/png", buffer: Buffer.from(large, "base64") };
  await page.getByLabel("Cover picture").setInputFiles(picture);
  const shown = card(page, "lanternwood").locator(".game-cover img");
  await eventually(() => shown.evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight]), [600, 900]);
  await page.getByLabel("Cover picture").setInputFiles({ ...picture, buffer: Buffer.from("no picture") });
  await page.getByRole("alert").filter({ hasText: "The browser cannot read this file as a picture" }).waitFor();
  await page.getByRole("switch", { name: "Create posts" }).click();
  await statusShown(page, "Changed.");
  await page.getByRole("button", { name: "Remove the picture" }).click();
  await statusShown(page, "The cover was removed.");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Undo" }).click();
  await eventually(() => shown.evaluate((img: HTMLImageElement) => img.naturalHeight), 900);
  // The browser reports the missing program and the second start.
  assert.deepEqual(
    complaints.filter((each) => !each.includes("422")),
    [],
  );
});

test("the icon next to a game's program replaces a missing cover; with a cover, it is shown beside the name", {
  skip,
}, async (t) => {
  await using stage = await openStage({}, { findsSenders: false });
  const { page, launcher, complaints } = stage;
  const { folder, program } = makeGame(t);
  const drawn = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 48, height: 48 });
    canvas.getContext("2d")?.fillRect(8, 8, 32, 32);
    return canvas.toDataURL("image/png").split(",")[1] ?? "";
  });
  writeFileSync(join(folder, "icon.png"), Buffer.from(drawn, "base64"));
  await launcher.send("recording", { eventId: "lanternwood_boss_defeated" });
  const client = clientOf(launcher);
  const command = { program, arguments: [], folder };
  await client.call(changeLibraryGame, { body: { game: "lanternwood", command } });
  await toGames(stage);
  const icon = (parent: Locator) => parent.locator(".program-icon");
  const widthOf = (parent: Locator) => icon(parent).evaluate((img: HTMLImageElement) => img.naturalWidth);
  const lantern = card(page, "lanternwood");
  await eventually(() => widthOf(lantern.locator(".game-cover")), 48);
  await client.call(setCover, { params: { game: "lanternwood" }, body: { picture: drawn } });
  await eventually(() => widthOf(lantern.locator("h2")), 48);
  assert.equal(await icon(lantern.locator(".game-cover")).count(), 0);
  await lantern.locator(".game-played a").click();
  await eventually(() => widthOf(page.locator(".session-head")), 48);
  assert.deepEqual(complaints, []);
});

async function setUp(page: Page, { program, folder }: { program: string; folder: string }): Promise<void> {
  await card(page, "lanternwood").getByRole("button", { name: "Set up lanternwood" }).click();
  const dialog = page.getByRole("dialog", { name: "lanternwood" });
  await dialog.getByLabel("Program").fill(program);
  await dialog.getByLabel("Arguments, one per line").fill("--windowed");
  await dialog.getByLabel("Working folder").fill(folder);
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
}

const sunset = `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="90">
  <rect width="160" height="90" fill="#27335c"/><circle cx="80" cy="50" r="24" fill="#f4b860"/>
  <path d="M0 70h160v20H0z" fill="#14202e"/></svg>`;

/** Answers requests about the library with sample games, and about clips with real pictures. */
async function stageShelf(page: Page): Promise<void> {
  const clips = [1, 2].map((n) => clipOf(n, { game: "lanternwood" }));
  const { launcher: fake } = launcherWithClips({ clips });
  fake.when(listLibrary).reply(() => ({ games: shelf() }));
  await answerAs(page, fake);
  await answerMedia(page);
  const covers = /\/api\/library\/\w+\/cover(?:\?|$)/u;
  await page.context().route(covers, (route) => route.fulfill({ contentType: "image/svg+xml", body: sunset }));
}

for (const [size, viewport] of [
  ["wide", { width: 1280, height: 900 }],
  ["at 390 px", { width: 390, height: 844 }],
] as const) {
  // The page's own security policy would block axe.
  test(`the Games page is accessible ${size} in both colour schemes`, { skip }, async () => {
    await using stage = await openStage({
      viewport,
      bypassCSP: true,
      reducedMotion: "reduce",
      prepare: stageShelf,
    });
    const { page } = stage;
    const assertAccessibleInBothSchemes = async (state: string) => {
      const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.equal(overflowPx, 0, `${state}: nothing is wider than the page`);
      for (const colorScheme of ["light", "dark"] as const) {
        await inColours(page, colorScheme);
        await assertAccessible(page, `${state}, ${colorScheme}`);
        if (process.env.KIT_PICTURES) {
          await page.screenshot({ path: join(process.env.KIT_PICTURES, `games ${size} ${state} ${colorScheme}.png`) });
        }
      }
    };
    await toGames(stage);
    await card(page, "Lanternwood").locator("img").waitFor();
    await assertAccessibleInBothSchemes("shelf");
    const play = card(page, "skyhook").getByRole("button", { name: "Play skyhook" });
    await play.click();
    await page.getByRole("dialog").waitFor();
    await assertAccessibleInBothSchemes("confirmation");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.ok(await play.evaluate((button) => button === document.activeElement), "the focus is on the button again");
    await play.click();
    await page.getByRole("button", { name: "Use another command" }).click();
    await page.getByRole("dialog", { name: "skyhook" }).waitFor();
    await page.keyboard.press("Escape");
    await card(page, "Lanternwood").getByRole("button", { name: "Set up Lanternwood" }).click();
    await page.getByRole("button", { name: "Use a picture from a clip" }).click();
    await page.locator(".cover-clips img").first().waitFor();
    await assertAccessibleInBothSchemes("set up");
  });
}
