// Tests of playback in a real browser: the length of a clip, its first picture, any other, and playing to the end.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, test } from "vitest";
import { skipWithout } from "../../../../tools/engines/locate.ts";
import { openBrowser } from "../../../test/support/browser.ts";
import { planOf } from "../plans/test/plan-of.ts";
import { assembleMovie } from "./assemble.ts";
import { fragmentsOf, record } from "./test/stamped-footage.ts";

const startMs = 1_790_000_000_000;
const fromMs = startMs + 1512;
const toMs = startMs + 6321;
const frameMs = 1000 / 30;

/** How often the sound of a second becomes positive. A string, because it runs in the browser. */
const countCrossings = `async (url) => {
  const bytes = await (await fetch(url)).arrayBuffer();
  const sound = await new OfflineAudioContext(1, 48_000, 48_000).decodeAudioData(bytes);
  const samples = sound.getChannelData(0).subarray(48_000, 96_000);
  return samples.reduce((count, sample, i) => count + (sample >= 0 && samples[i - 1] < 0 ? 1 : 0), 0);
}`;

describe("clips in Chromium", { skip: skipWithout("ffmpeg", "Chromium") }, () => {
  const files = new Map<string, Buffer>();
  let server: Server;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const file = files.get(request.url ?? "");
      if (file === undefined)
        return void response.setHeader("content-type", "text/html").end("<!doctype html><title>clips</title>");
      const [, first = "0", last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "bytes=0-") ?? [];
      const end = Math.min(file.length, last ? Number(last) + 1 : file.length);
      response.writeHead(206, {
        "content-type": "video/mp4",
        "accept-ranges": "bytes",
        "content-length": end - Number(first),
        "content-range": `bytes ${first}-${end - 1}/${file.length}`,
      });
      response.end(file.subarray(Number(first), end));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    browser = await openBrowser([]);
    page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  test("Chromium plays the first sound track of a clip with a microphone", async () => {
    const footage = fragmentsOf(await record({ startMs, seconds: 6, sound: true, microphone: true }));
    files.set("/talk.mp4", Buffer.concat(assembleMovie(footage, planOf(fromMs, startMs + 5_000)).parts));
    const crossings = await page.evaluate<number>(`(${countCrossings})("/talk.mp4")`);
    assert.ok(Math.abs(crossings - 440) < 3, `${crossings} Hz`);
  });

  const watch = (url: string) => page.evaluate<Watched>(`(${watchScript})(${JSON.stringify(url)})`);

  const offMs = ({ atSeconds, shownMs }: Seen) => shownMs - fromMs - atSeconds * 1000;

  function assertPlayed(watched: Watched): void {
    assert.ok(Math.abs(watched.durationSeconds - (toMs - fromMs) / 1000) < 0.002, `lasts ${watched.durationSeconds} s`);
    for (const seen of watched.sought)
      assert.ok(
        Math.abs(offMs(seen)) <= frameMs + 2,
        `at ${seen.atSeconds} s it shows what was ${offMs(seen)} ms later`,
      );
    // While a clip plays, the page of a busy machine looks late: at any picture up to the position reached by then.
    for (const seen of watched.played)
      assert.ok(
        offMs(seen) >= -300 && offMs(seen) <= 300 + (seen.reachedSeconds - seen.atSeconds) * 1000,
        `playing at ${seen.atSeconds} s it shows what was ${offMs(seen)} ms later`,
      );
    assert.ok(watched.endedSeconds > 4.7, `it played until ${watched.endedSeconds} s`);
  }

  for (const [name, recording] of Object.entries({
    "of an encoder like Kit's": { sound: true },
    "with pictures decoded in another order than shown": { reordered: true, keySeconds: 3, sound: true },
  })) {
    test(`a clip ${name} shows each picture at its time`, async () => {
      const fragments = fragmentsOf(await record({ startMs, seconds: 8, height: 128, ...recording }));
      const offsetMs = startMs - (fragments[0]?.startMs ?? 0);
      const { parts } = assembleMovie(fragments, planOf(fromMs, toMs), offsetMs);
      files.set("/clip.mp4", Buffer.concat(parts));
      assertPlayed(await watch("/clip.mp4"));
    });
  }

  test("a clip across an encoder's crash plays to the end, with the last picture during the gap", async () => {
    const killed = await record({ startMs, seconds: 6, sound: true });
    const again = await record({ startMs: startMs + 4500, seconds: 3, sound: true });
    const fragments = [...fragmentsOf(killed.subarray(0, Math.floor(killed.length * 0.6))), ...fragmentsOf(again)];
    const { parts, footage } = assembleMovie(fragments, planOf(fromMs, toMs));
    assert.equal(footage.gaps.length, 1);
    files.set("/joined.mp4", Buffer.concat(parts));
    const watched = await watch("/joined.mp4");
    const outside = ({ atSeconds }: { atSeconds: number }) =>
      footage.gaps.every(
        (hole) => atSeconds * 1000 + fromMs < hole.fromMs - frameMs || atSeconds * 1000 + fromMs > hole.toMs + frameMs,
      );
    assertPlayed({ ...watched, sought: watched.sought.filter(outside), played: watched.played.filter(outside) });
  });
});

type Seen = { atSeconds: number; shownMs: number };
type Played = Seen & { reachedSeconds: number };
type Watched = { durationSeconds: number; sought: Seen[]; played: Played[]; endedSeconds: number };

/** Runs in the page: seeks and plays a clip, and reads the time in each picture. */
const watchScript = `async (url) => {
  const video = document.createElement("video");
  const happens = (name) => new Promise((resolve, reject) => {
    video.addEventListener(name, resolve, { once: true });
    video.addEventListener("error", () => reject(new Error("the browser: " + video.error?.message)), { once: true });
  });
  const context = new OffscreenCanvas(384, 16).getContext("2d", { willReadFrequently: true });
  const shownMs = () => {
    context.drawImage(video, 0, 0, 384, 16, 0, 0, 384, 16);
    const { data } = context.getImageData(0, 8, 384, 1);
    return Array.from({ length: 48 }, (_, cell) => data[(cell * 8 + 4) * 4] > 128).reduce((time, bit) => time * 2 + Number(bit), 0);
  };
  const painted = new Promise((resolve) => video.requestVideoFrameCallback(resolve));
  video.muted = true;
  video.preload = "auto";
  video.src = url;
  document.body.append(video);
  await Promise.race([painted, happens("never")]);
  const sought = [{ atSeconds: video.currentTime, shownMs: shownMs() }];
  for (const atSeconds of [2.5, 0.7, 4.6, 1.9, 0]) {
    const done = happens("seeked");
    video.currentTime = atSeconds;
    await done;
    sought.push({ atSeconds, shownMs: shownMs() });
  }
  const played = [];
  const onPicture = (_, { mediaTime }) => {
    played.push({ atSeconds: mediaTime, shownMs: shownMs(), reachedSeconds: video.currentTime });
    video.requestVideoFrameCallback(onPicture);
  };
  video.requestVideoFrameCallback(onPicture);
  // Slower each time, until a busy machine shows more than a few pictures.
  for (let rate = 2; played.length <= 3; rate /= 2) {
    video.playbackRate = rate;
    const ended = happens("ended");
    await video.play();
    await ended;
  }
  const seen = { durationSeconds: video.duration, sought, played, endedSeconds: video.currentTime };
  video.remove();
  return seen;
}`;
