// Finds the encoder by running each: most builds list encoders for graphics cards that are not there.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { TestRecording } from "@kit/contract";
import type { Ffmpeg } from "../../ffmpeg/ffmpeg.ts";
import { FfmpegFailed, type FfmpegJob, runFfmpeg } from "../../ffmpeg/run.ts";
import { readableSaying } from "../../ffmpeg/start.ts";
import type { Encoder, EncoderName, Picture, Preset } from "./commands.ts";
import { encodersOf, encoderTestArgs, isSoftware } from "./commands-encoder.ts";

type Tried = TestRecording["tried"][number];

/** What was run, and the encoder when it worked. */
export type EncoderTrial = { readonly tried: Tried; readonly encoder: Encoder | null };

const timeoutMs = 15_000;
/** Beside a game, software may take this much of one core, the colours' conversion included. */
const coreShareMax = 0.5;
/** Reading the screen and turning its colours, as measured at 720p and 30 frames a second. */
const conversionShare = 0.15;
/** A game's picture has this many times the work of the made-up one. */
const harderThanMadeUp = 1.5;

/** Where Linux keeps the cards that encode. */
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

const seconds = (text: string, name: string) => Number(new RegExp(`${name}=([\\d.]+)s`).exec(text)?.[1] ?? Number.NaN);

/** Its processor time for a second of the made-up picture; NaN when this ffmpeg does not say. */
export function coreShareOf(said: string, frameRate: number): number {
  const line = /^bench: .*utime.*$/m.exec(said)?.[0] ?? "";
  return ((seconds(line, "utime") + seconds(line, "stime")) * frameRate) / 30;
}

/** The better preset where this machine has the room for it; processor time is counted, so other work matters little. */
export function presetFor(coreShare: number, { size, frameRate }: Picture): Preset {
  const pictures = (size.width * size.height * frameRate) / (1280 * 720 * 30);
  const expected = coreShare * harderThanMadeUp + conversionShare * pictures;
  return expected <= coreShareMax ? "superfast" : "ultrafast";
}

/** What the encoder itself said first; what ffmpeg adds to it only says that it failed. */
function whyNot(name: EncoderName, error: unknown): string {
  if (!(error instanceof FfmpegFailed)) return String(error);
  if (/Unknown encoder|Unrecognized option|Option not found/.test(error.said))
    return "this ffmpeg was built without it";
  const own = error.said.split("\n").find((line) => line.startsWith(`[${name}`));
  return own === undefined ? error.message : readableSaying(own);
}

/** How a trial is run: until when, and how soon. */
export type Urgency = Pick<FfmpegJob, "awaited" | "signal">;

async function tryOne(ffmpeg: Ffmpeg, name: EncoderName, picture: Picture, urgency: Urgency): Promise<EncoderTrial> {
  const device = name === "h264_vaapi" ? renderNode() : null;
  const no = (why: string) => ({ tried: { what: name, ok: false, why }, encoder: null });
  if (name === "h264_vaapi" && device === null) return no("no graphics card that encodes is there");
  const encoder: Encoder = { name, device, preset: "superfast" };
  const job = { outBytesMax: 65_536, timeoutMs, ...urgency };
  try {
    const { stderr } = await runFfmpeg(ffmpeg, encoderTestArgs(encoder, picture), job);
    const share = coreShareOf(stderr, picture.frameRate);
    const cost = Number.isNaN(share) ? "" : `, ${Math.round(share * 100)} % of one core for a made-up picture`;
    if (name !== "libx264") return { tried: { what: name, ok: true, why: `it encoded${cost}` }, encoder };
    const preset = presetFor(share, picture);
    return {
      tried: { what: `${name} ${preset}`, ok: true, why: `it encoded${cost}` },
      encoder: { ...encoder, preset },
    };
  } catch (error) {
    return no(whyNot(name, error));
  }
}

/** Those that work, hardware first; the software ones are only tried once something asks for more. */
export async function* workingEncoders(
  ffmpeg: Ffmpeg,
  platform: NodeJS.Platform,
  picture: Picture,
  urgency: Urgency,
): AsyncGenerator<EncoderTrial> {
  for (const name of encodersOf(platform)) {
    if (urgency.signal?.aborted) return;
    const trial = await tryOne(ffmpeg, name, picture, urgency);
    yield trial;
    // A second software encoder would fail as the first did: what is wrong is the input.
    if (trial.encoder !== null && isSoftware(name)) return;
  }
}
