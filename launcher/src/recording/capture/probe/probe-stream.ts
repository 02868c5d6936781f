// Runs a capture for a moment exactly as it will be run, and judges what arrives through the pipe.
import type { Ffmpeg } from "../../ffmpeg/ffmpeg.ts";
import { runFfmpeg } from "../../ffmpeg/run.ts";
import { captureNiceness, jobNiceness, readableSaying, startFfmpeg } from "../../ffmpeg/start.ts";
import { createBoxSplitter } from "../../mp4/box-splitter.ts";
import { type Fragment, readFragment } from "../../mp4/fragment.ts";
import { type Init, readInit } from "../../mp4/init.ts";
import type { CaptureOrder } from "./commands.ts";
import { captureArgs } from "./commands.ts";
import { isSteady } from "./commands-input.ts";
import type { Urgency } from "./probe-encoder.ts";

export type StreamVerdict =
  | {
      readonly is: "good";
      readonly width: number;
      readonly height: number;
      readonly frameRate: number;
      readonly sound: boolean;
      /** Nothing but black was seen: true of a dark scene as well. */
      readonly black: boolean;
      /** Why the machine cannot keep up with it; null when it can. */
      readonly slow: string | null;
    }
  | { readonly is: "bad"; readonly why: string };

type Seen = {
  init: Init | undefined;
  readonly fragments: (Fragment & { readonly arrivedMs: number })[];
  /** The stream as it came, to be decoded. */
  readonly boxes: Uint8Array[];
  broken: string | undefined;
};

const spanMs = 1_500;
/** The first frames come in a burst, or haltingly, while everything starts. */
const settlingMs = 400;
const patienceMs = 8_000;
const boxBytesMax = 16 * 1024 * 1024;
const streamBytesMax = 48 * 1024 * 1024;
const frameShareMin = 0.8;
const latenessMaxMs = 1_000;
const clockErrorMaxMs = 3_000;
/** What video calls black is 16 of 255. */
const blackLumaMax = 20;
/** The mouse alone is no picture. */
const brightShareMax = 0.01;
const picture = { width: 64, height: 36 };

/** Ends by itself when enough has arrived, when nothing does, or when ffmpeg ends. */
async function watch(
  ffmpeg: Ffmpeg,
  order: CaptureOrder,
  { awaited, signal }: Urgency,
): Promise<Seen & { said: string }> {
  const seen: Seen = { init: undefined, fragments: [], boxes: [], broken: undefined };
  const child = startFfmpeg(ffmpeg, captureArgs(order), { niceness: awaited ? captureNiceness : jobNiceness });
  const end = () => void child.kill("SIGKILL");
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-8_192);
  });
  const splitter = createBoxSplitter({ onBox: (type, bytes) => take(seen, type, bytes), boxBytesMax });
  child.stdout?.on("data", (chunk: Buffer) => {
    try {
      splitter.push(chunk);
    } catch (error) {
      seen.broken ??= error instanceof Error ? error.message : String(error);
    }
    if (seen.broken !== undefined || isEnough(seen, order)) end();
  });
  const timer = setTimeout(end, patienceMs);
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted) end();
  await new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", (error) => {
      said += error.message;
      if (child.pid === undefined) resolve();
    });
  });
  clearTimeout(timer);
  signal?.removeEventListener("abort", end);
  return { ...seen, said: readableSaying(said) };
}

function take(seen: Seen, type: string, bytes: Uint8Array): void {
  const before = seen.boxes.at(-1);
  seen.boxes.push(bytes);
  if (type === "moov") seen.init = readInit(bytes);
  if (type !== "mdat" || seen.init === undefined || before === undefined) return;
  seen.fragments.push({ ...readFragment(seen.init, before, bytes), arrivedMs: Date.now() });
}

const withVideo = ({ fragments }: Seen) => fragments.filter(({ video }) => video.length > 0);

function isEnough(seen: Seen, order: CaptureOrder): boolean {
  const fragments = withVideo(seen);
  const first = fragments[0];
  const last = fragments.at(-1);
  if (first === undefined || last === undefined) return false;
  if (seen.boxes.reduce((sum, { length }) => sum + length, 0) > streamBytesMax) return true;
  return last.endMs - first.startMs >= (isSteady(order.input) ? spanMs + settlingMs : 1);
}

/** Times of its frames in milliseconds, once it has settled. */
function settledTimes(seen: Seen): number[] {
  const timescale = seen.init?.video.timescale ?? 1;
  const all = withVideo(seen).flatMap(({ video }) => video.map(({ showTicks }) => (showTicks / timescale) * 1_000));
  const begin = (all[0] ?? 0) + settlingMs;
  return all.filter((time) => time >= begin);
}

const rateOf = (times: readonly number[]): number => {
  const spanned = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return spanned > 0 ? ((times.length - 1) * 1_000) / spanned : 0;
};

/** Why it is of no use; undefined when it is. */
function faultOf(seen: Seen & { said: string }): string | undefined {
  const fragments = withVideo(seen);
  const last = fragments.at(-1);
  const because = seen.said === "" ? "" : `: ${seen.said}`;
  if (seen.broken !== undefined) return `what it wrote is no stream (${seen.broken})${because}`;
  if (last === undefined) return `no picture arrived${because}`;
  if (fragments[0]?.key !== true) return "its first picture is no keyframe";
  const latenessMs = last.arrivedMs - last.endMs;
  if (latenessMs < -clockErrorMaxMs || latenessMs > patienceMs) return "its times are not this machine's";
  return undefined;
}

function slownessOf(seen: Seen, order: CaptureOrder): string | null {
  if (!isSteady(order.input)) return null;
  const frameRate = rateOf(settledTimes(seen));
  if (frameRate < order.frameRate * frameShareMin) {
    return `${frameRate.toFixed(1)} of ${order.frameRate} frames a second arrived`;
  }
  const last = withVideo(seen).at(-1);
  const latenessMs = last === undefined ? 0 : last.arrivedMs - last.endMs;
  return latenessMs > latenessMaxMs ? `pictures arrived ${(latenessMs / 1_000).toFixed(1)} s late` : null;
}

/** Decodes what arrived: undefined when it cannot be. */
async function isBlack(ffmpeg: Ffmpeg, { boxes }: Seen, urgency: Urgency): Promise<boolean | undefined> {
  const { width, height } = picture;
  const input = ["-v", "error", "-protocol_whitelist", "file,pipe", "-f", "mp4", "-i", "pipe:0", "-map", "0:v"];
  const rate = [ffmpeg.fpsMode ? "-fps_mode" : "-vsync", "passthrough"];
  const output = ["-vf", `scale=${width}:${height}:flags=area,format=gray`, ...rate, "-f", "rawvideo", "pipe:1"];
  const job = { input: Buffer.concat(boxes), outBytesMax: width * height * 1_000, timeoutMs: 15_000 };
  try {
    const { stdout } = await runFfmpeg(ffmpeg, [...input, ...output], { ...job, ...urgency });
    if (stdout.length === 0) return undefined;
    const bright = stdout.reduce((count, luma) => count + (luma > blackLumaMax ? 1 : 0), 0);
    return bright <= stdout.length * brightShareMax;
  } catch {
    return undefined;
  }
}

/** Takes two to three seconds; never rejects. */
export async function tryStream(ffmpeg: Ffmpeg, order: CaptureOrder, urgency: Urgency): Promise<StreamVerdict> {
  const seen = await watch(ffmpeg, order, urgency);
  if (urgency.signal?.aborted) return { is: "bad", why: "the test was called off" };
  const fault = faultOf(seen);
  const { init } = seen;
  if (fault !== undefined || init === undefined) return { is: "bad", why: fault ?? "no picture arrived" };
  const black = await isBlack(ffmpeg, seen, urgency);
  if (black === undefined) return { is: "bad", why: "what it wrote cannot be decoded" };
  const { width, height } = init;
  const frameRate = rateOf(settledTimes(seen));
  return { is: "good", width, height, frameRate, sound: init.sound !== null, black, slow: slownessOf(seen, order) };
}
