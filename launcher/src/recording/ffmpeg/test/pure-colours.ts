// Support: a video whose source shows pure colours side by side, as a screen capture delivers them, and what a picture shows of them.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathOf } from "../../../../../tools/engines/locate.ts";
import { captureArgs } from "../../capture/probe/commands.ts";

export const pureColours = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 0],
  [0, 255, 255],
  [255, 0, 255],
  [255, 255, 255],
  [0, 0, 0],
] as const;
const colourWidth = 80;
export const width = pureColours.length * colourWidth;
export const height = 360;
const frameRate = 30;
const frames = 30;

/** Writes the raw pictures of a screen, and returns the input that takes the place of the one which captures it. */
async function screenIn(folder: string): Promise<string[]> {
  const line = Buffer.concat(pureColours.map(([r, g, b]) => Buffer.alloc(colourWidth * 4, Uint8Array.of(b, g, r, 0))));
  const path = join(folder, "screen.bgr0");
  // The lowest lines change, because an animation of equal pictures would be one picture.
  const picture = (frame: number) => [
    ...new Array<Buffer>(height - 20).fill(line),
    Buffer.alloc(line.length * 20, frame * 8),
  ];
  await writeFile(path, Buffer.concat(Array.from({ length: frames }, (_, frame) => picture(frame)).flat()));
  const size = `${width}x${height}`;
  return ["-f", "rawvideo", "-pix_fmt", "bgr0", "-video_size", size, "-framerate", String(frameRate), "-i", path];
}

/** The file of a capture of the colours, made by the command of Kit for an X screen, except for its input. */
export async function captureIn(folder: string): Promise<string> {
  const args = captureArgs({
    input: { kind: "x11-screen", display: ":0", x: 0, y: 0 },
    inputSize: { width, height },
    heightMax: 0,
    frameRate,
    quality: "high",
    sound: null,
    encoder: { name: "libx264", preset: "superfast", device: null },
    hasFpsMode: true,
  });
  const from = args.indexOf("-thread_queue_size");
  args.splice(from, args.indexOf("-i") + 2 - from, ...(await screenIn(folder)));
  const stream = execFileSync(pathOf("ffmpeg"), ["-hide_banner", "-nostdin", ...args], { maxBuffer: 16_000_000 });
  const path = join(folder, "captured.mp4");
  await writeFile(path, stream);
  return path;
}

/** A video without tags, as ffmpeg makes it of RGB if nobody chooses the colours. */
export async function untaggedIn(folder: string): Promise<string> {
  const path = join(folder, "untagged.mp4");
  const encode = ["-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-crf", "12", "-y", path];
  execFileSync(pathOf("ffmpeg"), ["-v", "error", ...(await screenIn(folder)), ...encode]);
  return path;
}

/** How far the rows of RGB pixels are from the pure colours, in the middle of each. */
export function assertPure(rgb: Uint8Array, name: string, { offMax = 6 } = {}): void {
  const shown = pureColours.map((_, i) => {
    const at = Math.floor(((i + 0.5) * width) / pureColours.length) * 3;
    return [...rgb.subarray(at, at + 3)];
  });
  const off = shown.map((pixel, i) =>
    Math.max(...pixel.map((value, c) => Math.abs(value - (pureColours[i]?.[c] ?? 0)))),
  );
  assert.ok(Math.max(...off) <= offMax, `${name} shows ${JSON.stringify(shown)}`);
}

/** Decodes the first picture, and asserts that it shows the pure colours. */
export function assertShowsPureColours(path: string): void {
  const crop = ["-vf", `crop=${width}:2:0:100:exact=1,format=rgb24`];
  const row = ["-frames:v", "1", ...crop, "-f", "rawvideo", "pipe:1"];
  assertPure(execFileSync(pathOf("ffmpeg"), ["-v", "error", "-i", path, ...row]), path);
}

/** What ffmpeg says about the colours of a video. */
export function tagsOf(path: string): string {
  const args = ["-v", "info", "-hide_banner", "-i", path, "-map", "0:v", "-c", "copy", "-f", "null", "-"];
  const said = execFileSync("sh", ["-c", '"$0" "$@" 2>&1', pathOf("ffmpeg"), ...args]).toString();
  return / (yuvj?\d+p\w*\([^)]*\)|yuvj?\d+p\w*|nv12)/.exec(said)?.[1] ?? said;
}
export const bt709 = /^yuv420p\(tv, bt709(, progressive)?\)$/;
