// Makes a real picture and clip with ffmpeg, because servers look into uploaded files.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { quickFfmpeg } from "../../../../test/support/quick-ffmpeg.ts";
import type { PostMedia } from "../network.ts";

const width = 320;
const height = 180;
const seconds = 1;

export type Footage = { readonly picture: PostMedia; readonly clip: PostMedia; [Symbol.dispose](): void };

export function makeFootage(): Footage {
  const folder = mkdtempSync(join(tmpdir(), "kit-footage-"));
  const make = (name: string, ...words: string[]): Pick<PostMedia, "path" | "bytes" | "width" | "height"> => {
    const path = join(folder, name);
    const source = ["-f", "lavfi", "-i", `testsrc2=size=${width}x${height}:rate=30:duration=${seconds}`];
    execFileSync(quickFfmpeg(), ["-v", "error", ...source, ...words, path]);
    return { path, bytes: statSync(path).size, width, height };
  };
  return {
    picture: { ...make("picture.jpg", "-frames:v", "1"), kind: "screenshot", mime: "image/jpeg", seconds: 0 },
    clip: { ...make("clip.mp4", "-pix_fmt", "yuv420p"), kind: "clip", mime: "video/mp4", seconds },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
