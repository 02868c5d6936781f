// Builds the ffmpeg arguments for posters, previews and screenshots. They contain no text of a game.

/** Posters are shown large, and attached to posts. */
export const posterWidth = 480;
/** Thumbnails are shown in lists, about 25 on a page. */
export const thumbnailWidth = 320;
const previewWidth = 320;
const previewFrameRate = 15;
const previewMs = 3_000;

const fileOnly = ["-v", "error", "-protocol_whitelist", "file,pipe"];
const seconds = (ms: number) => (ms / 1_000).toFixed(3);

/** Returns arguments that write a JPEG to stdout: a frame of a video, or a converted image. */
export function pictureArguments(source: string, offsetMs: number, output: readonly string[]): string[] {
  const from = source.endsWith(".jpg") ? ["-f", "jpeg_pipe"] : ["-ss", seconds(Math.max(0, offsetMs)), "-f", "mp4"];
  const input = [...from, "-i", `file:${source}`, "-map", "0:v:0", "-frames:v", "1"];
  return [...fileOnly, ...input, ...output, "-c:v", "mjpeg", "-f", "image2pipe", "pipe:1"];
}

/** Returns arguments that write a preview with `offsetMs` in its middle. One thread, because a game is running. */
export const previewArguments = (source: string, offsetMs: number, target: string): string[] => [
  ...fileOnly,
  ...[
    "-ss",
    seconds(Math.max(0, offsetMs - previewMs / 2)),
    "-f",
    "mp4",
    "-i",
    `file:${source}`,
    "-map",
    "0:v:0",
    "-an",
  ],
  ...["-t", seconds(previewMs), "-vf", `fps=${previewFrameRate},scale=${previewWidth}:-2,format=yuv420p`],
  ...["-c:v", "libx264", "-preset", "veryfast", "-crf", "28", "-threads", "1"],
  ...["-movflags", "+faststart", "-f", "mp4", "-y", `file:${target}`],
];
