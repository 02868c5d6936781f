// Real files for every clip of a page: a video, a poster and a preview, made with the real ffmpeg.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page, Route } from "playwright-core";
import { pathOf } from "../../tools/engines/locate.ts";

/** A video of 17 s, and a preview of 2 s. */
function makeMedia(): { video: Buffer; poster: Buffer; preview: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), "kit-media-"));
  const make = (name: string, args: string[]) => {
    execFileSync(pathOf("ffmpeg"), ["-v", "error", "-nostdin", "-f", "lavfi", ...args, join(folder, name)]);
    return readFileSync(join(folder, name));
  };
  const source = "testsrc2=size=320x180:rate=30";
  const h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-movflags", "+faststart"];
  try {
    return {
      video: make("video.mp4", ["-i", source, "-t", "17", ...h264]),
      poster: make("poster.jpg", ["-i", source, "-frames:v", "1"]),
      preview: make("preview.mp4", ["-i", source, "-t", "2", ...h264]),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Answers with the requested byte range, as the launcher does. A browser cannot seek without it. */
function fulfillPart(route: Route, body: Buffer, contentType: string): Promise<void> {
  const range = /bytes=(\d+)-(\d*)/u.exec(route.request().headers().range ?? "");
  if (range === null) return route.fulfill({ body, contentType, headers: { "accept-ranges": "bytes" } });
  const from = Number(range[1]);
  const to = range[2] ? Number(range[2]) : body.length - 1;
  const headers = { "accept-ranges": "bytes", "content-range": `bytes ${from}-${to}/${body.length}` };
  return route.fulfill({ status: 206, body: body.subarray(from, to + 1), contentType, headers });
}

/** Answers the requests for files of clips of all pages in the browser context. */
export async function answerMedia(page: Page): Promise<void> {
  const media = makeMedia();
  await page.context().route(/\/api\/clip[^?]*\/(?:video|preview|file|frame|poster)(?:\?|$)/u, async (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    const part = pathname.split("/").at(-1);
    if (part === "preview") return await fulfillPart(route, media.preview, "video/mp4");
    if (part === "poster") return await fulfillPart(route, media.poster, "image/jpeg");
    if (part !== "frame") return await fulfillPart(route, media.video, "video/mp4");
    const headers = { "content-disposition": `attachment; filename="boss at ${searchParams.get("at")}.png"` };
    return await route.fulfill({ body: media.poster, contentType: "image/png", headers });
  });
}
