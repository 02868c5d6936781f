// Probes a clip before it is encoded again, without decoding it.
import { VerifyFailed } from "../clips/verify.ts";
import { runFfmpeg } from "../ffmpeg/run.ts";
import type { SourceFacts } from "./encode-plan.ts";

const timeoutMs = 20_000;
const read = (path: string) => ["-v", "error", "-protocol_whitelist", "file,pipe", "-f", "mp4", "-i", `file:${path}`];
/** Frames read to measure the frame rate: ten seconds of most clips. */
const picturesMax = 300;

/** Throws VerifyFailed when it contains no video frame, and FfmpegFailed. */
export async function probeClip(
  ffmpeg: { readonly path: string },
  path: string,
): Promise<Pick<SourceFacts, "width" | "height" | "frameRate" | "hasSound">> {
  const some = ["-map", "0:v:0", "-map", "0:a:0?", "-c", "copy", "-frames:v", String(picturesMax), "-frames:a", "1"];
  const job = { outBytesMax: 1024 * 1024, timeoutMs };
  const { stdout } = await runFfmpeg(ffmpeg, [...read(path), ...some, "-f", "framecrc", "pipe:1"], job);
  const said = stdout.toString("latin1");
  const [, numerator = 0, denominator = 1] = (/^#tb 0: (\d+)\/(\d+)/m.exec(said) ?? []).map(Number);
  const [, width = 0, height = 0] = (/^#dimensions 0: (\d+)x(\d+)/m.exec(said) ?? []).map(Number);
  const lasted = [...said.matchAll(/^0, *-?\d+, *-?\d+, *(\d+),/gm)].map(([, ticks]) => Number(ticks));
  const seconds = (lasted.reduce((sum, ticks) => sum + ticks, 0) * numerator) / denominator;
  if (width === 0 || seconds === 0) throw new VerifyFailed("it contains no video frame");
  return { width, height, frameRate: lasted.length / seconds, hasSound: /^#media_type 1: audio/m.test(said) };
}

/** Start times of the clip's chapters in seconds, which are its moments. */
export async function chapterTimes(ffmpeg: { readonly path: string }, path: string): Promise<number[]> {
  const job = { outBytesMax: 4 * 1024 * 1024, timeoutMs };
  const said = await runFfmpeg(ffmpeg, [...read(path), "-f", "ffmetadata", "pipe:1"], job).catch(() => undefined);
  const chapters = (said?.stdout.toString() ?? "").matchAll(/^\[CHAPTER\]\nTIMEBASE=(\d+)\/(\d+)\nSTART=(\d+)$/gm);
  return [...chapters].map(
    ([, numerator, denominator, ticks]) => (Number(ticks) * Number(numerator)) / Number(denominator),
  );
}
