// Encodes a clip in two passes, looks through the result, and says how far it is.

import { readdir, rm, stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { basename, dirname, join } from "node:path";
import { isWholeMp4, probeVideo, VerifyFailed } from "../clips/verify.ts";
import { runFfmpeg } from "../ffmpeg/run.ts";
import { firstPassArguments, type PassFiles, secondPassArguments } from "./arguments.ts";
import type { EncodePlan } from "./encode-plan.ts";
import type { Measured } from "./limits.ts";

/** A newer one than 5.1 takes -fps_mode; that is what it is when nothing else is said. */
export type Encoder = { readonly path: string; readonly fpsMode?: boolean };

export type EncodeOptions = {
  readonly ffmpeg: Encoder;
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
};

/** A game beside it leaves it little of the processor. */
const timeoutMs = 3_600_000;
const outBytesMax = 64 * 1024 * 1024;
/** More cost memory, and a game needs that. */
const threadsMax = 4;
/** The first pass looks, the second writes. */
const firstPassShare = 0.35;
const secondsOffMax = 0.5;

const threads = () => Math.min(threadsMax, Math.ceil(availableParallelism() * 1.5));

/** Reads ffmpeg's line a picture; calls with the seconds it has come to. */
function createListener(onSeconds: (seconds: number) => void): (chunk: Buffer) => void {
  let rest = "";
  let tick = 0;
  return (chunk) => {
    const lines = (rest + chunk.toString("latin1")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const [, numerator, denominator] = /^#tb 0: (\d+)\/(\d+)/.exec(line) ?? [];
      if (numerator !== undefined) tick = Number(numerator) / Number(denominator);
      const [, ticks] = /^0, *(-?\d+),/.exec(line) ?? [];
      if (ticks !== undefined) onSeconds(Number(ticks) * tick);
    }
  };
}

/** What the passes leave for each other. */
export async function removePasses(log: string): Promise<void> {
  const names = await readdir(dirname(log)).catch(() => []);
  const own = names.filter((name) => name.startsWith(`${basename(log)}-`));
  await Promise.all(own.map((name) => rm(join(dirname(log), name), { force: true })));
}

/** What a file holds. Throws VerifyFailed when it does not play. */
export async function measure(ffmpeg: { readonly path: string }, path: string): Promise<Measured> {
  if (!(await isWholeMp4(path))) throw new VerifyFailed("its end is not there");
  const { durationMs, frames, width, height } = await probeVideo(ffmpeg, path);
  const seconds = durationMs / 1_000;
  return { seconds, width, height, frameRate: frames / seconds, bytes: (await stat(path)).size };
}

/** Throws FfmpegFailed, also when it is called off, or VerifyFailed. */
export async function encode(plan: EncodePlan, files: PassFiles, options: EncodeOptions): Promise<Measured> {
  const { ffmpeg, signal, onProgress } = options;
  const run = (args: readonly string[], from: number, share: number) => {
    const onOutput = createListener((seconds) =>
      onProgress(from + share * Math.min(1, Math.max(0, seconds / plan.seconds))),
    );
    return runFfmpeg(ffmpeg, args, { outBytesMax, timeoutMs, signal, onOutput });
  };
  const running = { threads: threads(), fpsMode: ffmpeg.fpsMode ?? true };
  await run(firstPassArguments(plan, files, running), 0, firstPassShare);
  await run(secondPassArguments(plan, files, running), firstPassShare, 1 - firstPassShare);
  const made = await measure(ffmpeg, files.part);
  if (Math.abs(made.seconds - plan.seconds) > secondsOffMax) {
    throw new VerifyFailed(`it is ${made.seconds.toFixed(1)} s long instead of ${plan.seconds.toFixed(1)} s`);
  }
  return made;
}
