// Tests that whatever Kit makes of a clip shows the pure colours of its screen: in ffmpeg, and on a canvas of Chromium.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { test } from "vitest";
import { pathOf, skipWithout } from "../../../../tools/engines/locate.ts";
import { openClipsFolder, planWith } from "../../../test/recording/clips-folder.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { pictureArguments } from "../clips/clip-files.ts";
import { MediaFitter } from "../exports/media-fitter.ts";
import { makeReelFile } from "../reels/make-reel.ts";
import { encodeRange } from "../trim/trim.ts";
import {
  assertPure,
  assertShowsPureColours,
  bt709,
  captureIn,
  height,
  tagsOf,
  untaggedIn,
  width,
} from "./test/pure-colours.ts";

const skip = skipWithout("ffmpeg", "Chromium");
const ffmpeg = async () => ({ path: pathOf("ffmpeg"), hasFpsMode: true });
/** Without a graphics card, Chromium converts with 6 bits behind the point, and shows pure blue as 243. */
const libyuvOffMax = 18;
const signal = new AbortController().signal;

/** A clip as Kit saves it: the pictures of a capture in an ordinary MP4. */
async function clipIn(folder: string): Promise<string> {
  const clip = join(folder, "clip.mp4");
  execFileSync(pathOf("ffmpeg"), ["-v", "error", "-i", await captureIn(folder), "-c", "copy", "-y", clip]);
  return clip;
}

/** The first row of the pictures on a canvas, as RGB. */
async function onCanvas(files: readonly string[]): Promise<Uint8Array[]> {
  const browser = await chromium.launch({ executablePath: pathOf("Chromium") });
  try {
    const page = await browser.newPage();
    const shown: Uint8Array[] = [];
    for (const file of files) {
      const type = file.endsWith("mp4")
        ? "video/mp4"
        : `image/${file.endsWith("jpg") ? "jpeg" : file.slice(-4).replace(".", "")}`;
      const url = `data:${type};base64,${readFileSync(file).toString("base64")}`;
      const pixels = await page.evaluate(
        `(async (url, isVideo) => {
          const element = document.createElement(isVideo ? "video" : "img");
          element.src = url;
          if (isVideo) {
            const shown = new Promise((resolve, reject) => Object.assign(element, { onseeked: resolve, onerror: reject }));
            element.currentTime = 0.2;
            await shown;
          }
          else await element.decode();
          const size = { width: element.videoWidth ?? element.naturalWidth, height: 360 };
          const pen = Object.assign(document.createElement("canvas"), size).getContext("2d");
          pen.drawImage(element, 0, 0);
          return [...pen.getImageData(0, 100, size.width, 1).data].filter((_, i) => i % 4 < 3);
        })(${JSON.stringify(url)}, ${type === "video/mp4"})`,
      );
      shown.push(Uint8Array.from(pixels as number[]));
    }
    return shown;
  } finally {
    await browser.close();
  }
}

test("trims, copies for networks and reels show the pure colours of the screen, and are tagged BT.709", {
  skip,
}, async (t) => {
  const folder = temporaryFolder("colours", t);
  const made: string[] = [];
  const clip = await clipIn(folder);
  for (const [name, source] of Object.entries({ clip, untagged: await untaggedIn(folder) })) {
    const trim = join(folder, `${name}-trim.mp4`);
    const range = { source, part: trim, fromSeconds: 0, seconds: 0.9, startedAt: "2026-05-03T10:20:30Z" };
    await encodeRange(await ffmpeg(), range, signal);
    const fitter = new MediaFitter({ dir: join(folder, "fitted"), ffmpeg });
    const media = {
      path: source,
      kind: "clip",
      seconds: 1,
      width,
      height,
      bytes: readFileSync(source).length,
    } as const;
    const limits = { bytesMax: 1_000_000, frameRateMax: 20 };
    const options = { name, onProgress: () => undefined, signal };
    const copy = await fitter.fit(media, limits, options);
    made.push(trim, copy.path);
  }
  await using clips = await openClipsFolder();
  const plan = planWith({ toMs: planWith().fromMs + 1_600 });
  const sources = [...made.slice(0, 2), clip].map((path, i) => {
    return {
      clip: plan.id,
      title: `part ${i}`,
      path,
      verifiedBytes: null,
      fromSeconds: 0,
      toSeconds: 0.5,
      fades: false,
    };
  });
  const deps = { files: clips.files, ffmpeg, onStage() {}, onProgress() {}, signal };
  const reel = await makeReelFile(deps, plan, sources as never);
  made.push(join(clips.clipsDir, reel.file.file));
  for (const path of made) {
    assert.match(tagsOf(path), bt709, path);
    assertShowsPureColours(path);
  }
  for (const [i, pixels] of (await onCanvas([clip, ...made])).entries())
    assertPure(pixels, `canvas ${i}`, { offMax: libyuvOffMax });
});

test("a GIF, a WebP and a picture of a clip show the pure colours of the screen on a canvas", {
  skip,
}, async (t) => {
  const folder = temporaryFolder("colours", t);
  const source = await clipIn(folder);
  const fitter = new MediaFitter({ dir: join(folder, "fitted"), ffmpeg });
  const media = { path: source, kind: "clip", seconds: 1, width, height, bytes: readFileSync(source).length } as const;
  const animation = async (format: "gif" | "webp") => {
    const shape = { format, range: undefined, cropPosition: undefined };
    const options = { name: format, onProgress: () => undefined, signal, shape };
    return (await fitter.makeCopy(media, { bytesMax: 8_000_000 }, options)).path;
  };
  const picture = join(folder, "picture.jpg");
  const look = { scale: "iw:ih", quality: 2 };
  writeFileSync(picture, execFileSync(pathOf("ffmpeg"), pictureArguments(source, 0, look)));
  const files = [await animation("gif"), await animation("webp"), picture];
  for (const [i, pixels] of (await onCanvas(files)).entries()) assertPure(pixels, String(files[i]), { offMax: 8 });
});
