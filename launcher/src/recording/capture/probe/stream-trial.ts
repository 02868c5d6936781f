// Runs a capture for about two seconds exactly as it will be used, and judges the output.

import type { Message } from "@kit/contract";
import { message, reasonOf } from "@kit/contract/messages";
import type { Ffmpeg } from "../../ffmpeg/find.ts";
import { type FfmpegFailed, readableStderr, runFfmpeg } from "../../ffmpeg/run.ts";
import { createBoxSplitter } from "../../mp4/boxes.ts";
import { type Fragment, type InitSegment, readFragment, readInitSegment } from "../../mp4/fragment.ts";
import { frameBytes, sampleRate } from "../sound/mixer.ts";
import { explainWindowsFault } from "../windows-faults.ts";
import { type CaptureSpec, captureArgs, countSoundPipes, hasConstantFrameRate, withSoundStart } from "./commands.ts";

export type StreamVerdict =
  | {
      readonly is: "good";
      readonly width: number;
      readonly height: number;
      readonly frameRate: number;
      readonly sound: boolean;
      /** True if every picture was black. A dark scene looks like that, too. */
      readonly black: boolean;
      /** Why the machine cannot keep up; null if it can. */
      readonly slow: Message | null;
    }
  | { readonly is: "bad"; readonly why: Message };

type StreamSample = {
  init: InitSegment | undefined;
  readonly fragments: (Fragment & { readonly arrivedMs: number })[];
  /** The stream, to be decoded later. */
  readonly boxes: Uint8Array[];
  broken: Message | undefined;
};

type EndedSample = StreamSample & {
  readonly stderr: string;
  /** What `stderr` means, if it is a fault of Windows. */
  readonly explained: Message | undefined;
};

/** How much footage is judged. */
const spanMs = 1_500;
/** How much footage is skipped before that: the first frames come irregularly. */
const settlingMs = 400;
const timeoutMs = 8_000;
/** More than a trial takes. */
const silenceSeconds = 10;
const boxBytesMax = 16 * 1024 * 1024;
const streamBytesMax = 48 * 1024 * 1024;
/** The machine is too slow if a smaller share of the frames arrives, or if they arrive later than `latenessMaxMs`. */
const frameShareMin = 0.8;
const latenessMaxMs = 1_000;
/** Frame times further in the future show that the source uses another clock. */
const clockErrorMaxMs = 3_000;
/** Brightest gray that still counts as black, which is 16 of 255 in video. */
const blackLumaMax = 20;
/** With a smaller share of bright pixels, the picture counts as black: a mouse cursor alone is no picture. */
const brightShareMax = 0.01;
const grayFormat = { width: 64, height: 36 };

/** Captures until there is enough footage, the time is over, or ffmpeg ends. */
async function captureSample(
  ffmpeg: Ffmpeg,
  spec: CaptureSpec,
  cancelled: AbortSignal | undefined,
): Promise<EndedSample> {
  const sample: StreamSample = { init: undefined, fragments: [], boxes: [], broken: undefined };
  const enough = new AbortController();
  const splitter = createBoxSplitter({ onBox: (type, bytes) => addBox(sample, type, bytes), boxBytesMax });
  const onOutput = (chunk: Buffer) => {
    try {
      splitter.push(chunk);
    } catch (error) {
      sample.broken ??= reasonOf(error);
    }
    if (sample.broken !== undefined || isEnough(sample, spec)) enough.abort();
  };
  const job = { outBytesMax: Infinity, onOutput, timeoutMs };
  const signal = AbortSignal.any([enough.signal, ...(cancelled ? [cancelled] : [])]);
  const args = withSoundStart(captureArgs(spec), (Date.now() / 1_000).toFixed(3));
  const silence = { pipes: countSoundPipes(args), bytes: silenceSeconds * sampleRate * frameBytes };
  const stderr = await runFfmpeg(ffmpeg, args, { ...job, signal, silence }).then(
    (result) => result.stderr,
    (error: FfmpegFailed) => error.stderr || (signal.aborted ? "" : error.message),
  );
  return { ...sample, stderr: readableStderr(stderr), explained: explainWindowsFault(stderr) };
}

function addBox(sample: StreamSample, type: string, bytes: Uint8Array): void {
  const before = sample.boxes.at(-1);
  sample.boxes.push(bytes);
  if (type === "moov") sample.init = readInitSegment(bytes);
  if (type !== "mdat" || sample.init === undefined || before === undefined) return;
  sample.fragments.push({ ...readFragment(sample.init, before, bytes), arrivedMs: Date.now() });
}

const videoFragments = ({ fragments }: StreamSample) => fragments.filter(({ video }) => video.length > 0);

function isEnough(sample: StreamSample, spec: CaptureSpec): boolean {
  const fragments = videoFragments(sample);
  const first = fragments[0];
  const last = fragments.at(-1);
  if (first === undefined || last === undefined) return false;
  if (sample.boxes.reduce((sum, { length }) => sum + length, 0) > streamBytesMax) return true;
  return last.endMs - first.startMs >= (hasConstantFrameRate(spec.input) ? spanMs + settlingMs : 1);
}

/** Returns the times of the frames after the irregular start, in milliseconds. */
function settledTimes(sample: StreamSample): number[] {
  const timescale = sample.init?.video.timescale ?? 1;
  const all = videoFragments(sample).flatMap(({ video }) =>
    video.map(({ presentTicks: showTicks }) => (showTicks / timescale) * 1_000),
  );
  const begin = (all[0] ?? 0) + settlingMs;
  return all.filter((time) => time >= begin);
}

const measureFrameRate = (times: readonly number[]): number => {
  const spanned = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return spanned > 0 ? ((times.length - 1) * 1_000) / spanned : 0;
};

/** Returns why the stream is unusable, or undefined. */
function streamFault(sample: EndedSample): Message | undefined {
  const fragments = videoFragments(sample);
  const last = fragments.at(-1);
  const withDetails = (what: Message) =>
    sample.explained ?? (sample.stderr === "" ? what : message("join.reason", { what, why: sample.stderr }));
  if (sample.broken !== undefined) return withDetails(message("capture.not_video", { why: sample.broken }));
  if (last === undefined) return withDetails(message("capture.no_picture"));
  if (fragments[0]?.startsWithKeyframe !== true) return message("capture.first_picture_no_keyframe");
  const latenessMs = last.arrivedMs - last.endMs;
  if (latenessMs < -clockErrorMaxMs || latenessMs > timeoutMs) return message("capture.times_differ");
  return undefined;
}

function slowReason(sample: StreamSample, spec: CaptureSpec): Message | null {
  if (!hasConstantFrameRate(spec.input)) return null;
  const frameRate = measureFrameRate(settledTimes(sample));
  if (frameRate < spec.frameRate * frameShareMin) {
    return message("capture.frames_arrived", { rate: frameRate.toFixed(1), wanted: spec.frameRate });
  }
  const last = videoFragments(sample).at(-1);
  const latenessMs = last === undefined ? 0 : last.arrivedMs - last.endMs;
  return latenessMs > latenessMaxMs
    ? message("capture.pictures_late", { seconds: (latenessMs / 1_000).toFixed(1) })
    : null;
}

/** Decodes the stream to see whether it is black. Returns undefined if it cannot be decoded. */
async function isBlack(
  ffmpeg: Ffmpeg,
  { boxes }: StreamSample,
  cancelled: AbortSignal | undefined,
): Promise<boolean | undefined> {
  const { width, height } = grayFormat;
  const input = ["-v", "error", "-protocol_whitelist", "file,pipe", "-f", "mp4", "-i", "pipe:0", "-map", "0:v"];
  const rate = [ffmpeg.hasFpsMode ? "-fps_mode" : "-vsync", "passthrough"];
  const output = ["-vf", `scale=${width}:${height}:flags=area,format=gray`, ...rate, "-f", "rawvideo", "pipe:1"];
  const job = {
    input: Buffer.concat(boxes),
    outBytesMax: width * height * 1_000,
    ...(cancelled && { signal: cancelled }),
  };
  try {
    const { stdout } = await runFfmpeg(ffmpeg, [...input, ...output], job);
    if (stdout.length === 0) return undefined;
    const bright = stdout.reduce((count, luma) => count + (luma > blackLumaMax ? 1 : 0), 0);
    return bright <= stdout.length * brightShareMax;
  } catch {
    return undefined;
  }
}

/** Tries a capture, which takes two to three seconds. Never rejects. */
export async function tryCapture(
  ffmpeg: Ffmpeg,
  spec: CaptureSpec,
  cancelled: AbortSignal | undefined,
): Promise<StreamVerdict> {
  const sample = await captureSample(ffmpeg, spec, cancelled);
  if (cancelled?.aborted) return { is: "bad", why: message("capture.test_cancelled") };
  const fault = streamFault(sample);
  const { init } = sample;
  if (fault !== undefined || init === undefined) return { is: "bad", why: fault ?? message("capture.no_picture") };
  const black = await isBlack(ffmpeg, sample, cancelled);
  if (black === undefined) return { is: "bad", why: message("capture.not_decodable") };
  const { width, height } = init;
  const frameRate = measureFrameRate(settledTimes(sample));
  return { is: "good", width, height, frameRate, sound: init.sounds.length > 0, black, slow: slowReason(sample, spec) };
}
