// `node dashboard/test/screenshots.ts`: makes the pictures in docs/images with the real launcher, which records a sample game.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import {
  addAccount,
  addPostRule,
  approvePost,
  type Client,
  changeClip,
  changePostSettings,
  changeRecorder,
  changeRecordingRule,
  createClient,
  defaultPort,
  getRecorder,
  listClips,
  listPosts,
} from "@kit/contract";
import { openDisplay } from "../../tools/engines/display.ts";
import { pathOf } from "../../tools/engines/locate.ts";
import { openSampleGame, type SampleGame } from "./sample-game.ts";
import { openSampleNetwork } from "./sample-network.ts";
import { openStage, type Stage } from "./stage.ts";

const images = join(import.meta.dirname, "../../docs/images");
const nwjs = { "user-agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/124.0.6367.61 NW.js/0.87.0" };
const godot = { "user-agent": "GodotEngine/4.6.stable (Windows)" };

const message = "TypeError: Cannot read properties of undefined (reading 'setup')";
const stackTrace = [
  message,
  "    at Game_Actors.actor (js/rmmz_objects.js:4021:18)",
  "    at Game_Party.leader (js/rmmz_objects.js:5130:29)",
  "    at Scene_Map.onMapLoaded (js/rmmz_scenes.js:834:20)",
].join("\n");

const moments = [
  { eventId: "lanternwood_lantern_lit", shows: "forest", text: "The lantern is lit. Into the woods!" },
  { eventId: "skyhook_lap_record", shows: "sky", text: "New lap record in Skyhook: {{clipLength}} without a wall." },
  { eventId: "lanternwood_boss_defeated", shows: "boss", text: "The Hollow King falls!\n\nThree hearts left." },
] as const;

async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await pause(200);
}

/** Records whatever runs, with short clips, and makes a draft of each moment for a channel of the sample network. */
async function prepare(client: Client, url: string): Promise<void> {
  await client.call(changeRecorder, { body: { when: "always", sound: "off", picture: "screen" } });
  const { account } = await client.call(addAccount, { body: { network: "discord", fields: { url }, name: "#clips" } });
  await client.call(changePostSettings, { body: { undoSeconds: 0 } });
  const short = { preSeconds: 6, postSeconds: 3, mergeGapSeconds: 1, cooldownSeconds: 0 };
  for (const { eventId, text } of moments) {
    await client.call(addPostRule, { body: { pattern: eventId, accounts: [account.id], text } });
    await client.call(changeRecordingRule, { body: { eventId, ...short } });
  }
  await until(async () => (await client.call(getRecorder)).state.heldSeconds > 6);
}

/** Plays the moments and an error that repeats. Resolves when all clips are saved, with one post sent and two drafts. */
async function play(client: Client, launcher: Stage["launcher"], game: SampleGame): Promise<void> {
  for (const { eventId, shows } of moments) {
    await game.show(shows);
    await pause(10_000);
    await launcher.send("recording", { eventId }, nwjs);
    await launcher.send("social", { eventId }, nwjs);
  }
  await pause(9_000);
  for (let times = 0; times < 14; times += 1) {
    await launcher.send("monitor", { message, stackTrace }, nwjs);
    await pause(100);
  }
  await until(async () => (await client.call(listPosts, { query: {} })).posts.length === moments.length);
  await until(async () => {
    const { clips } = await client.call(listClips, { query: {} });
    return clips.length > moments.length && clips.every(({ state, poster }) => state !== "pending" && poster);
  });
  const { clips } = await client.call(listClips, { query: {} });
  const boss = clips.find(({ events }) => events.some(({ eventId }) => eventId === "lanternwood_boss_defeated"));
  if (boss === undefined) throw new Error("the boss has no clip");
  await client.call(changeClip, { params: { id: boss.id }, body: { title: "The Hollow King falls", pinned: true } });
  const { posts } = await client.call(listPosts, { query: {} });
  const first = posts.find(({ eventId }) => eventId === "lanternwood_lantern_lit");
  if (first === undefined) throw new Error("the first moment has no draft");
  await client.call(approvePost, { params: { id: first.id } });
  await until(async () =>
    (await client.call(listPosts, { query: {} })).posts.some(({ id, state }) => id === first.id && state === "sent"),
  );
}

/** A palette of 256 colours is enough for text on plain backgrounds, and needs a quarter of the bytes. */
function writeWithPalette(path: string, png: Buffer): void {
  const palette = "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=dither=none";
  execFileSync(pathOf("ffmpeg"), ["-v", "error", "-y", "-i", "pipe:0", "-vf", palette, path], { input: png });
}

// The pictures must not store keys in the keyring of whoever makes them.
process.env.KIT_SECRETS = "file";
await using network = await openSampleNetwork("Boss log");
const display = await openDisplay("1280x720");
await using opened = new AsyncDisposableStack();
opened.defer(display.close);
const game = opened.use(await openSampleGame(display.name));
const stage = opened.use(
  await openStage({ colorScheme: "light", deviceScaleFactor: 1.5 }, { port: defaultPort, display: display.name }),
);
const { page, launcher } = stage;
const client = createClient(`http://127.0.0.1:${launcher.port}`, () => ({
  authorization: `Bearer ${readFileSync(join(launcher.dataDir, "secret"), "utf8").trim()}`,
}));
const visit = async (place: string) => await page.goto(`http://127.0.0.1:${launcher.port}/#/${place}`);

async function take(name: string): Promise<void> {
  // After the animation of a new row, and with the pointer outside the picture.
  await page.mouse.move(0, 0);
  await page.waitForFunction(() => [...document.images].every((image) => image.complete && image.naturalWidth > 0));
  await pause(2_000);
  writeWithPalette(join(images, `${name}.png`), await page.screenshot());
}

await page.setViewportSize({ width: 1280, height: 860 });
await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
await prepare(client, network.url);
await play(client, launcher, game);

await visit("home");
await page.locator(".home-clip img").first().waitFor();
await take("home");

await visit("clips");
await page.locator(".clip-card", { hasText: "The Hollow King falls" }).locator(".clip-link").click();
await page.locator("video").waitFor();
await take("player");

await visit("posts");
await page.locator(".post img").first().waitFor();
await take("posts");

await visit("issues");
await page.locator(".issue-link").first().click();
await page.locator(".kept-reports a").last().click();
await page.locator("video").waitFor();
await page.getByRole("heading", { level: 1 }).scrollIntoViewIfNeeded();
await take("issue");

await visit("connect/godot");
await page.getByRole("status").filter({ hasText: "Waiting" }).waitFor();
await launcher.send("recording", { eventId: "mygame_boss_defeated" }, godot);
await page.getByRole("region", { name: "First event" }).getByText("Saved").waitFor();
await take("connect");
