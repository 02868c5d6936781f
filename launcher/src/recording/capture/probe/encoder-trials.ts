// Finds an encoder that works by running each one: most builds of ffmpeg list encoders for graphics cards that are absent.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Message, TestRecording } from "@kit/contract";
import { message, reasonOf, toMessage } from "@kit/contract/messages";
import type { Ffmpeg } from "../../ffmpeg/find.ts";
import { FfmpegFailed, readableStderr, runFfmpeg } from "../../ffmpeg/run.ts";
import {
  type Encoder,
  type EncoderName,
  encoderCandidates,
  encoderTestArgs,
  isSoftwareEncoder,
  type PictureFormat,
  type X264Preset,
} from "./commands.ts";

type ProbeResult = TestRecording["tried"][number];

/** The result of one trial. `encoder` is null if it failed. */
export type EncoderTrial = { readonly tried: ProbeResult; readonly encoder: Encoder | null };

const timeoutMs = 15_000;
/** How much of a core software encoding and colour conversion may use beside a game. */
const coreShareMax = 0.5;
/** How much of a core it takes to read the screen and convert colours at 720p and 30 frames a second, as measured. */
const conversionCoreShare = 0.15;
/** Encoding the picture of a game takes this many times the processor time of the synthetic one. */
const gameFactor = 1.5;

/** Returns the device of the first graphics card that can render, on Linux; otherwise null. */
export function findRenderDevice(): string | null {
  try {
    const node = readdirSync("/dev/dri")
      .filter((name) => name.startsWith("renderD"))
      .sort()[0];
    return node === undefined ? null : join("/dev/dri", node);
  } catch {
    return null;
  }
}

const parseSeconds = (text: string, name: string) =>
  Number(new RegExp(`${name}=([\\d.]+)s`).exec(text)?.[1] ?? Number.NaN);

/** Reads how much of a core encoding the synthetic picture took. Returns NaN if ffmpeg does not print it. */
export function parseCoreShare(stderr: string, frameRate: number): number {
  const line = /^bench: .*utime.*$/m.exec(stderr)?.[0] ?? "";
  return ((parseSeconds(line, "utime") + parseSeconds(line, "stime")) * frameRate) / 30;
}

/**
 * Chooses the better preset if the machine is fast enough. Other programs hardly change the result, because the trial measured
 * processor time.
 */
export function choosePreset(coreShare: number, { size, frameRate }: PictureFormat): X264Preset {
  const pictures = (size.width * size.height * frameRate) / (1280 * 720 * 30);
  const expected = coreShare * gameFactor + conversionCoreShare * pictures;
  return expected <= coreShareMax ? "superfast" : "ultrafast";
}

/** Prefers the encoder's own message, because ffmpeg's says only that the encoder failed. */
function failureReason(name: EncoderName, error: unknown): Message {
  if (!(error instanceof FfmpegFailed)) return reasonOf(error);
  if (/Unknown encoder|Unrecognized option|Option not found/.test(error.stderr)) return message("encoder.not_in_build");
  const ownMessage = error.stderr.split("\n").find((line) => line.startsWith(`[${name}`));
  return ownMessage === undefined ? reasonOf(error) : toMessage(readableStderr(ownMessage));
}

async function tryEncoder(
  ffmpeg: Ffmpeg,
  name: EncoderName,
  picture: PictureFormat,
  signal: AbortSignal | undefined,
): Promise<EncoderTrial> {
  const device = name === "h264_vaapi" ? findRenderDevice() : null;
  const fail = (why: Message) => ({ tried: { what: toMessage(name), ok: false, why }, encoder: null });
  if (name === "h264_vaapi" && device === null) return fail(message("encoder.no_graphics_card"));
  const encoder: Encoder = { name, device, preset: "superfast" };
  const job = { outBytesMax: 65_536, timeoutMs, ...(signal && { signal }) };
  try {
    const { stderr } = await runFfmpeg(ffmpeg, encoderTestArgs(encoder, picture), job);
    const share = parseCoreShare(stderr, picture.frameRate);
    const why = Number.isNaN(share)
      ? message("encoder.works")
      : message("encoder.works_at_cost", { percent: Math.round(share * 100) });
    if (name !== "libx264") return { tried: { what: toMessage(name), ok: true, why }, encoder };
    const preset = choosePreset(share, picture);
    return {
      tried: { what: toMessage(`${name} ${preset}`), ok: true, why },
      encoder: { ...encoder, preset },
    };
  } catch (error) {
    return fail(failureReason(name, error));
  }
}

/** Yields each trial, hardware first. The next encoder is tried only when the caller asks for another trial. */
export async function* tryEncoders(
  ffmpeg: Ffmpeg,
  platform: NodeJS.Platform,
  picture: PictureFormat,
  signal: AbortSignal | undefined,
): AsyncGenerator<EncoderTrial> {
  for (const name of encoderCandidates(platform)) {
    if (signal?.aborted) return;
    const trial = await tryEncoder(ffmpeg, name, picture, signal);
    yield trial;
    // A working software encoder ends the search: if its capture fails, the input is the cause.
    if (trial.encoder !== null && isSoftwareEncoder(name)) return;
  }
}
