// Plays a file to its end in a real browser.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { openBrowser } from "../../launcher/test/support/browser.ts";

/** Result of playing a file. */
export type Played = {
  readonly seconds: number;
  readonly height: number;
  readonly pictures: number;
  readonly reachedEnd: boolean;
};

/** Reasons why a file does not play correctly. */
export function playFaults({ seconds: lasts, pictures, reachedEnd }: Played, seconds: number): string[] {
  return [
    ...(Math.abs(lasts - seconds) > 0.5 ? [`the browser says it is ${lasts} s long instead of ${seconds} s`] : []),
    ...(reachedEnd && pictures > 0 ? [] : [`the browser showed ${pictures} pictures and did not come to its end`]),
  ];
}

/** Runs in the page. At 8x speed the browser shows only some frames but decodes all of them. */
const playScript = `async (url) => {
  const video = document.createElement("video");
  const happens = (name) => new Promise((resolve, reject) => {
    video.addEventListener(name, resolve, { once: true });
    video.addEventListener("error", () => reject(new Error("the browser: " + video.error?.message)), { once: true });
  });
  let pictures = 0;
  const onPicture = () => {
    pictures += 1;
    video.requestVideoFrameCallback(onPicture);
  };
  video.requestVideoFrameCallback(onPicture);
  video.muted = true;
  video.src = url;
  document.body.append(video);
  await happens("canplay");
  video.playbackRate = 8;
  const ended = happens("ended");
  await video.play();
  await ended;
  const { duration: seconds, videoHeight: height } = video;
  return { seconds, height, pictures, reachedEnd: video.ended };
}`;

export async function playInBrowser(path: string): Promise<Played> {
  const file = readFileSync(path);
  const server = createServer((request, response) => {
    if (request.url !== "/clip.mp4") {
      return void response.setHeader("content-type", "text/html").end("<!doctype html><title>a clip</title>");
    }
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
  const browser = await openBrowser([]);
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return await page.evaluate<Played>(`(${playScript})("/clip.mp4")`);
  } finally {
    await browser.close();
    server.close();
    server.closeAllConnections();
  }
}
