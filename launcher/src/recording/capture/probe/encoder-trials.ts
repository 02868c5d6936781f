// Finds a working encoder by running each one: most builds list encoders for graphics cards that are absent.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Message, TestRecording } from "@kit/contract";
import { message, reasonOf, toMessage } from "@kit/contract/messages";
import type { Ffmpeg } from "../../ffmpeg/find.ts";
import { FfmpegFailed, type FfmpegJob, readableStderr, runFfmpeg } from "../../ffmpeg/run.ts";
import {
  type Encoder,
  type EncoderName,
  encoderCandidates,
  encoderTestArgs,
  isSoftware,
  type PictureFormat,
  type Preset,
} from "./commands.ts";

type ProbeResult = TestRecording["tried"][number];

/** The result of one trial. `encoder` is null if it failed. */
export type EncoderTrial = { readonly tried: ProbeResult; readonly encoder: Encoder | null };

const timeoutMs = 15_000;
/** Maximum share of one core for software encoding and colour conversion beside a game. */
const coreShareMax = 0.5;
/** Measured cost of reading the screen and converting colours at 720p and 30 frames a second. */
const conversionCoreShare = 0.15;
/** A game's picture needs this many times the processor time of the synthetic one. */
const gameFactor = 1.5;

/** Returns the first graphics card that can encode on Linux, or null. */
export function renderNode(): string | null {
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

/** Reads the processor time for one second of the synthetic picture. Returns NaN if ffmpeg does not print it. */
export function parseCoreShare(stderr: string, frameRate: number): number {
  const line = /^bench: .*utime.*$/m.exec(stderr)?.[0] ?? "";
  return ((parseSeconds(line, "utime") + parseSeconds(line, "stime")) * frameRate) / 30;
}

/** Chooses the better preset if the machine is fast enough. Processor time is measured, so other programs hardly matter. */
export function choosePreset(coreShare: number, { size, frameRate }: PictureFormat): Preset {
  const pictures = (size.width * size.height * frameRate) / (1280 * 720 * 30);
  const expected = coreShare * gameFactor + conversionCoreShare * pictures;
  return expected <= coreShareMax ? "superfast" : "ultrafast";
}

/** Prefers the encoder's own message: ffmpeg only adds that the encoder failed. */
function failureReason(name: EncoderName, error: unknown): Message {
  if (!(error instanceof FfmpegFailed)) return reasonOf(error);
  if (/Unknown encoder|Unrecognized option|Option not found/.test(error.stderr)) return message("encoder.not_in_build");
  const ownMessage = error.stderr.split("\n").find((line) => line.startsWith(`[${name}`));
  return ownMessage === undefined ? reasonOf(error) : toMessage(readableStderr(ownMessage));
}

/** Priority and abort signal of a trial. */
export type JobPriority = Pick<FfmpegJob, "urgent" | "signal">;

async function tryEncoder(
  ffmpeg: Ffmpeg,
  name: EncoderName,
  picture: PictureFormat,
  priority: JobPriority,
): Promise<EncoderTrial> {
  const device = name === "h264_vaapi" ? renderNode() : null;
  const fail = (why: Message) => ({ tried: { what: toMessage(name), ok: false, why }, encoder: null });
  if (name === "h264_vaapi" && device === null) return fail(message("encoder.no_graphics_card"));
  const encoder: Encoder = { name, device, preset: "superfast" };
  const job = { outBytesMax: 65_536, timeoutMs, ...priority };
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

/** Yields each trial, hardware first. The next encoder is only tried if the caller continues. */
export async function* tryEncoders(
  ffmpeg: Ffmpeg,
  platform: NodeJS.Platform,
  picture: PictureFormat,
  priority: JobPriority,
): AsyncGenerator<EncoderTrial> {
  for (const name of encoderCandidates(platform)) {
    if (priority.signal?.aborted) return;
    const trial = await tryEncoder(ffmpeg, name, picture, priority);
    yield trial;
    // A working software encoder ends the search: if its capture fails, the input is the cause.
    if (trial.encoder !== null && isSoftware(name)) return;
  }
}
