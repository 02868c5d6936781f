// Tests a hundred uploads to a real S3 store over a network that cuts connections, and plays one of them from its link.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { chromium } from "playwright-core";
import { test } from "vitest";
import { browserOptions } from "../../../tools/engines/browser-options.ts";
import { pathOf, skipWithout } from "../../../tools/engines/locate.ts";
import { until } from "../support/until.ts";
import { type BucketServer, openBucketServer } from "./bucket-server.ts";
import { beganMs, reportWith } from "./monitor-folder.ts";
import { openVideoFolder, type VideoFolder, videosAfterWaits } from "./video-folder.ts";

const skip = skipWithout("Swift", "Chromium", "ffmpeg");
const rounds = 5;
const clipsEach = 20;
const dayMs = 86_400_000;
const partBytes = 14_000;
const cutShare = 0.07;

/** The same numbers in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const openFolder = ({ settings, keys }: BucketServer) =>
  openVideoFolder({
    deps: { limits: { growthEveryMs: 200, pauseMs: 0, partBytes } },
    change: { bucket: { ...settings, ...keys } },
  });

function recordVideo(path: string): void {
  const source = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=30:duration=1"];
  const encoding = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-preset", "ultrafast", "-movflags", "+faststart"];
  execFileSync(pathOf("ffmpeg"), ["-v", "error", "-y", ...source, ...encoding, path], { windowsHide: true });
}

/** Lets errors of as many issues happen, saves a clip of each, and returns the hashes by event. */
async function saveClips(folder: VideoFolder, round: number): Promise<[event: string, hash: string][]> {
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  const entries = letters
    .slice(0, clipsEach)
    .map((letter) =>
      reportWith(`Room ${letter.repeat(4)}${letters[round]?.repeat(4)} has no door`, { atMs: beganMs + round * dayMs }),
    );
  const { delivered } = await folder.target();
  await folder.take(entries);
  await folder.target((target) => target.delivered === delivered + clipsEach);
  return entries.map(({ event: { id } }, n) => {
    folder.save(id, 500 + n * 1_000);
    const clip = folder.clips.get(id);
    const path = clip?.state === "saved" ? clip.path : assert.fail();
    if (round === 0 && n === 0 && clip?.state === "saved") {
      recordVideo(path);
      folder.clips.set(id, { ...clip, bytes: statSync(path).size });
    }
    return [id.replaceAll("-", ""), createHash("sha256").update(readFileSync(path)).digest("hex")];
  });
}

type SentVideo = { readonly video_event?: string; readonly video_url: string };
const linksOf = ({ server }: VideoFolder): Map<string, string> =>
  new Map(
    server.received
      .filter(({ body }) => body !== "")
      .map(({ body }) => JSON.parse(body.split("\n")[2] ?? "").contexts.kit as SentVideo)
      .flatMap(({ video_event: event, video_url: url }) => (event === undefined ? [] : [[event, url]])),
  );

test("of 100 clips with 7 % of requests cut, each arrives intact or is reported as not uploaded, and its link plays", {
  skip,
}, async () => {
  await using server = await openBucketServer();
  const random = randomNumbers(7);
  let cuts = 0;
  server.fault = () => {
    if (random() >= cutShare) return undefined;
    cuts += 1;
    return random() < 0.5 ? "early" : "late";
  };
  await using folder = await openFolder(server);
  const hashes = new Map<string, string>();
  for (let round = 0; round < rounds; round += 1) {
    for (const [event, hash] of await saveClips(folder, round)) hashes.set(event, hash);
    await videosAfterWaits(folder, ({ sent, unsent }) => sent + unsent === hashes.size);
    // A target gets 20 videos in a day.
    folder.clock.ms += dayMs;
  }
  server.fault = () => undefined;
  const links = linksOf(folder);
  const { unsent = 0 } = (await folder.target()).videoQueue ?? {};
  assert.equal(links.size + unsent, rounds * clipsEach);
  for (const [event, url] of links) {
    const file = Buffer.from(await (await fetch(url)).arrayBuffer());
    assert.equal(createHash("sha256").update(file).digest("hex"), hashes.get(event));
  }
  assert.ok(cuts > 10 && links.size > 90, `${cuts} cuts, ${links.size} arrived`);
  await until("nothing is left to abort", async () => (await server.uploads()).length === 0);
  const [played = ""] = hashes.keys();
  await using browser = await chromium.launch(browserOptions());
  const page = await browser.newPage();
  await page.setContent(`<video muted autoplay src="${links.get(played)?.replaceAll("&", "&amp;")}"></video>`);
  await page.waitForFunction("document.querySelector('video').currentTime > 0.3", undefined, { timeout: 0 });
});
