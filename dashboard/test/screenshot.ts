// Makes the documentation's pictures of the pages with the real launcher, and events sent as games send them.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { defaultPort } from "@kit/contract";
import { openDisplay } from "../../tools/engines/display.ts";
import { pathOf } from "../../tools/engines/locate.ts";
import { openSampleGame, type SampleGame } from "./sample-game.ts";
import { openSampleNetwork } from "./sample-network.ts";
import { recordAlways, recordSampleClips } from "./screenshot-clips.ts";
import { visitAll } from "./screenshot-pages.ts";
import { makeSamplePosts } from "./screenshot-posts.ts";
import { openStage, rowWith, type Stage } from "./stage.ts";

const images = join(import.meta.dirname, "../../docs/images");
const nwjs = { "user-agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/124.0.6367.61 NW.js/0.87.0" };
const godot = { "user-agent": "GodotEngine/4.6.stable (Windows)" };
/** A pause between events, as in a game. */
const betweenMs = 700;

const message = "TypeError: Cannot read properties of undefined (reading 'setup')";
const stackTrace = [
  message,
  "    at Game_Actors.actor (js/rmmz_objects.js:4021:18)",
  "    at Game_Party.leader (js/rmmz_objects.js:5130:29)",
  "    at Scene_Map.onMapLoaded (js/rmmz_scenes.js:834:20)",
].join("\n");

async function sendSample({ launcher, page }: Stage): Promise<void> {
  const send: Stage["launcher"]["send"] = async (...given) => {
    await pause(betweenMs);
    return await launcher.send(...given);
  };
  await send("recording", { eventId: "lanternwood_step_taken" }, nwjs);
  await rowWith(page, "lanternwood_step_taken").click();
  await page.getByRole("button", { name: "Ignore this event" }).click();
  await page.getByRole("button", { name: "Accept this event" }).waitFor();
  await page.keyboard.press("Escape");
  await send("recording", { eventId: "lanternwood_prologue_done" }, nwjs);
  await send("social", { eventId: "skyhook_first_flight" }, godot);
  await send("recording", { eventId: "skyhook_lap_record" }, godot);
  await send("recording", { eventId: "lanternwood_step_taken" }, nwjs);
  await send("monitor", { message: "Invalid access to property 'hp' on a base object of type 'Nil'." }, godot);
  await send("social", { eventId: "lanternwood_all_friends" }, nwjs);
  await send("social", { eventId: "skyhook_cup_won", timestamp: "2026-05-01 18:03:22" }, godot);
  await send("recording", { eventId: "bosskill" }, godot);
  await send("recording", { eventId: "skyhook_barrel_roll" }, godot);
  await send("monitor", { message, stackTrace }, nwjs);
  await send("recording", { eventId: "lanternwood_boss_defeated" }, nwjs);
  await send("social", { eventId: "lanternwood_boss_defeated" }, nwjs);
}

/** A palette of 256 colours is enough for text on plain backgrounds, and needs a quarter of the bytes. */
function writeWithPalette(path: string, png: Buffer): void {
  const palette = "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=dither=none";
  execFileSync(pathOf("ffmpeg"), ["-v", "error", "-y", "-i", "pipe:0", "-vf", palette, path], { input: png });
}

type Recorded = Stage & { readonly game: SampleGame };

/** A launcher that may record a screen on which the sample game runs. */
async function openRecorded(colorScheme: "light" | "dark"): Promise<Recorded> {
  await using opened = new AsyncDisposableStack();
  const display = await openDisplay("1280x720");
  opened.defer(display.close);
  const game = opened.use(await openSampleGame(display.name));
  const options = { colorScheme, deviceScaleFactor: 2 };
  const stage = opened.use(await openStage(options, { port: defaultPort, display: display.name }));
  const open = opened.move();
  return { ...stage, game, [Symbol.asyncDispose]: () => open.disposeAsync() };
}

async function take({ page }: Stage, name: string): Promise<void> {
  // After the animation of a new row, and with the pointer outside the picture.
  await page.mouse.move(0, 0);
  await pause(2_000);
  writeWithPalette(join(images, `${name}.png`), await page.screenshot());
}

async function takeLive(colorScheme: "light" | "dark"): Promise<void> {
  await using stage = await openRecorded(colorScheme);
  const { page, launcher, game } = stage;
  await game.show("boss");
  await recordAlways(launcher, 12);
  await sendSample(stage);
  const boss = page.locator(".row").filter({ hasText: "Recording" }).filter({ hasText: "Boss defeated" });
  await boss.filter({ hasText: "Saved" }).waitFor({ timeout: 60_000 });
  await boss.click();
  await page.locator(".clip-tile img").waitFor();
  await take(stage, `live-${colorScheme}`);
}

async function takeConnect(colorScheme: "light" | "dark"): Promise<void> {
  await using stage = await openRecorded(colorScheme);
  const { launcher, page } = stage;
  await recordAlways(launcher, 12);
  await page.goto(`http://127.0.0.1:${launcher.port}/#/connect/godot`);
  await page.getByText("SHA-256").waitFor();
  await page.getByRole("status").filter({ hasText: "Waiting" }).waitFor();
  await launcher.send("recording", { eventId: "mygame_boss_defeated" }, godot);
  await page.getByRole("region", { name: "First event" }).getByText("Saved").waitFor({ timeout: 60_000 });
  await take(stage, `connect-${colorScheme}`);
}

const colourSchemes = ["light", "dark"] as const;

/** One error with the events before it and its video, in both colour schemes. */
async function takeIssue(): Promise<void> {
  await using stage = await openRecorded("light");
  const { page, launcher, game } = stage;
  await game.show("forest");
  await recordAlways(launcher, 6);
  for (const name of ["lantern_lit", "prologue_done"]) {
    await launcher.send("recording", { eventId: `lanternwood_${name}` }, nwjs);
    await pause(1_500);
  }
  await game.show("boss");
  await launcher.send("recording", { eventId: "lanternwood_boss_seen" }, nwjs);
  await pause(1_000);
  for (let times = 0; times < 14; times += 1) {
    await launcher.send("monitor", { message, stackTrace }, nwjs);
    await pause(betweenMs / 7);
  }
  await page.setViewportSize({ width: 1280, height: 1000 });
  await page.goto(`http://127.0.0.1:${launcher.port}/#/issues`);
  await page.locator(".issue-row a").first().click();
  await page.locator(".kept-reports a").last().click();
  await page.locator("video").waitFor({ timeout: 60_000 });
  for (const colorScheme of colourSchemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.getByRole("heading", { level: 1 }).scrollIntoViewIfNeeded();
    await take(stage, `issue-${colorScheme}`);
  }
}

/** The same clips in both colour schemes, so that they are recorded only once. */
async function takeClips(): Promise<void> {
  await using stage = await openRecorded("light");
  const { page, launcher, game } = stage;
  await recordSampleClips(launcher, game);
  for (const colorScheme of colourSchemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.goto(`http://127.0.0.1:${launcher.port}/#/clips`);
    await page.locator(".clip-card img").first().waitFor();
    await take(stage, `clips-${colorScheme}`);
  }
}

/** Two drafts, a sent post and a skipped one. */
async function takePosts(): Promise<void> {
  // The pictures must not store keys in the keyring of whoever makes them.
  process.env.KIT_SECRETS = "file";
  await using network = await openSampleNetwork("Boss log");
  await using stage = await openRecorded("light");
  const { page, launcher, game } = stage;
  await makeSamplePosts(launcher, game, network.url);
  await page.setViewportSize({ width: 1280, height: 1000 });
  for (const colorScheme of colourSchemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.goto(`http://127.0.0.1:${launcher.port}/#/posts`);
    await page.locator(".post img").first().waitFor();
    await take(stage, `posts-${colorScheme}`);
  }
}

/** Every page of one launcher that has everything to show. */
async function takeGuide(): Promise<void> {
  process.env.KIT_SECRETS = "file";
  await using network = await openSampleNetwork("Boss log");
  await using stage = await openRecorded("light");
  const { page, launcher, game } = stage;
  await makeSamplePosts(launcher, game, network.url);
  await game.show("boss");
  for (let times = 0; times < 6; times += 1) await launcher.send("monitor", { message, stackTrace }, nwjs);
  await launcher.send("recording", { eventId: "lanternwood_boss_defeated" }, nwjs);
  const saved = page.locator(".row").filter({ hasText: "Boss defeated" }).filter({ hasText: "Saved" });
  await page.goto(`http://127.0.0.1:${launcher.port}/#/live`);
  await saved.first().waitFor({ timeout: 90_000 });
  await visitAll(page, launcher, (name) => take(stage, name));
}

async function takeLiveAndConnect(): Promise<void> {
  for (const colorScheme of colourSchemes) {
    await takeLive(colorScheme);
    await takeConnect(colorScheme);
  }
}

/** Makes all pictures, or those of the named pages: `live`, `clips`, `issue`, `posts`, `guide`. */
const pages: Record<string, () => Promise<void>> = {
  live: takeLiveAndConnect,
  clips: takeClips,
  issue: takeIssue,
  posts: takePosts,
  guide: takeGuide,
};
mkdirSync(join(images, "guide"), { recursive: true });
const named = process.argv.slice(2);
for (const [page, takePage] of Object.entries(pages)) if (named.length === 0 || named.includes(page)) await takePage();
