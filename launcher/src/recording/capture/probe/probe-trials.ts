// Tries source, encoder and sound by running them, so that what is chosen is known to work here.
import type { RecorderSettings, TestRecording } from "@kit/contract";
import type { Ffmpeg } from "../../ffmpeg/ffmpeg.ts";
import { FfmpegFailed, runFfmpeg } from "../../ffmpeg/run.ts";
import { type Choice, choiceOf, type Refusal, stepDown } from "./choice.ts";
import { type CaptureOrder, expectedSize, type Size, type SoundInput } from "./commands.ts";
import { soundArgs } from "./commands-input.ts";
import { type Urgency, workingEncoders } from "./probe-encoder.ts";
import type { StreamVerdict } from "./probe-stream.ts";
import type { Source } from "./source.ts";

type SoundSource = { readonly input: SoundInput; readonly name: string };

/** Devices that give back what is played, by the names their makers gave them. */
const playedBack =
  /stereo ?mi(x|sch)|what u hear|wave out mix|virtual-audio-capturer|cable output|blackhole|soundflower|loopback audio/i;

type Listing = (format: "avfoundation" | "dshow") => Promise<string>;

/** `why` says what is missing where there is none. */
type SoundSources = { readonly sources: readonly SoundSource[]; readonly why: string };

/** Where the sound the machine plays can be had. A microphone is never taken: nobody asked for their voice. */
export async function findSound(platform: NodeJS.Platform, listDevices: Listing): Promise<SoundSources> {
  if (platform === "win32") return soundOfWindows(await listDevices("dshow"));
  if (platform === "darwin") return soundOfMac(await listDevices("avfoundation"));
  // The server itself knows what it plays to, also when that is changed; PipeWire answers to the same name.
  const input = { kind: "pulse", device: "@DEFAULT_MONITOR@" } as const;
  return { sources: [{ input, name: "what the default output plays" }], why: "" };
}

/** Each device is listed by its name, and below it by one without characters that dshow would read as its own. */
function soundOfWindows(listing: string): SoundSources {
  const devices = [
    ...listing.matchAll(/"([^"]+)"(?: \((?:audio|none)\))?\s*\r?\n[^\n]*Alternative name "(@device_[^"]+)"/g),
  ];
  const found = devices.filter(([, name = ""]) => playedBack.test(name));
  return {
    sources: found.map(([, name = "", device = ""]) => ({ input: { kind: "dshow", device }, name })),
    why: "Windows gives ffmpeg no device with what is played: switch on Stereo Mix, or install virtual-audio-capturer",
  };
}

function soundOfMac(listing: string): SoundSources {
  const audio = listing.slice(Math.max(0, listing.indexOf("audio devices")));
  const names = [...audio.matchAll(/\] \[\d+\] (.+?)\s*$/gm)].map(([, name = ""]) => name);
  // A colon would end the name for avfoundation.
  const found = names.filter((name) => playedBack.test(name) && !name.includes(":"));
  return {
    sources: found.map((name) => ({ input: { kind: "avfoundation", device: name }, name })),
    why: "macOS gives no program what is played: install a loopback device such as BlackHole",
  };
}

export type CaptureWish = {
  readonly ffmpeg: Ffmpeg;
  readonly settings: Pick<RecorderSettings, "window" | "frameRate" | "height" | "quality" | "sound">;
  readonly display: string | undefined;
  readonly wayland: boolean;
  /** process.platform unless a test says otherwise. */
  readonly platform?: NodeJS.Platform;
};

type Tried = TestRecording["tried"];
export type Trial = { readonly wish: CaptureWish; readonly tried: Tried; readonly urgency: Urgency };

const soundTimeoutMs = 4_000;

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

export function deviceLister(ffmpeg: Ffmpeg): (format: "avfoundation" | "dshow") => Promise<string> {
  return async (format) => {
    const args = ["-v", "info", "-f", format, "-list_devices", "true", "-i", format === "dshow" ? "dummy" : ""];
    // Listing ends as a failure always: nothing was opened.
    return runFfmpeg(ffmpeg, args, { outBytesMax: 65_536, timeoutMs: 10_000 }).then(
      ({ stderr }) => stderr,
      (error: unknown) => (error instanceof FfmpegFailed ? error.said : ""),
    );
  };
}

function whyNoSound(error: unknown): string {
  if (!(error instanceof FfmpegFailed)) return messageOf(error);
  if (/Unknown input format|Unrecognized option/.test(error.said)) return "this ffmpeg was built without PulseAudio";
  const isAbsent = /No such process|Connection refused/.test(error.said);
  return isAbsent ? "no PulseAudio or PipeWire server answers" : error.message;
}

/** Runs the sound alone: a server that is not there would end the picture with it. */
export async function findWorkingSound({ wish, tried, urgency }: Trial): Promise<SoundInput | null> {
  if (wish.settings.sound === "off") return null;
  const platform = wish.platform ?? process.platform;
  const { sources, why } = await findSound(platform, deviceLister(wish.ffmpeg));
  if (sources.length === 0) tried.push({ what: "sound", ok: false, why });
  for (const { input, name } of sources) {
    // avfoundation's sound comes with the picture, and is tried with it.
    if (input.kind === "avfoundation") return input;
    const args = ["-v", "error", ...soundArgs(input), "-t", "0.1", "-f", "null", "-"];
    const job = { outBytesMax: 4_096, timeoutMs: soundTimeoutMs, ...urgency };
    try {
      await runFfmpeg(wish.ffmpeg, args, job);
      tried.push({ what: `sound: ${name}`, ok: true, why: "it could be heard" });
      return input;
    } catch (error) {
      tried.push({ what: `sound: ${name}`, ok: false, why: whyNoSound(error) });
    }
  }
  return null;
}

export const refusalOf = (why: string, tried: Tried): Refusal => ({
  refused: `ffmpeg could not record the screen: ${why}. Run a test recording after changing something; OBS can record instead.`,
  tried,
});

export function orderOf({ ffmpeg, settings }: CaptureWish, source: Source): Omit<CaptureOrder, "encoder"> {
  return {
    input: source.input,
    inputSize: source.size,
    heightMax: settings.height,
    frameRate: settings.frameRate,
    quality: settings.quality,
    sound: null,
    fpsMode: ffmpeg.fpsMode,
  };
}

/** Why the very same command might work with something else in it. */
function plainReason(why: string): string {
  return why.includes("window_id") ? "this ffmpeg is too old to capture one window; install a newer one" : why;
}

type Attempt = { readonly choice: Choice } | { readonly why: string };

/**
 * Once more when it was slow, as the machine may only have been busy; then with less, until it keeps up. What is still
 * too slow at the end is taken all the same: a moment in few frames is worth more than none.
 */
async function tryOrder(trial: Trial, order: CaptureOrder, source: Source): Promise<Attempt> {
  const { wish, tried, urgency } = trial;
  const wanted = choiceOf(order, expectedSize(order), { source: source.name, warnings: [], tried, degraded: null });
  const steps = [wanted, ...stepsBelow(wanted)];
  let size: Size | undefined;
  for (const [index, choice] of steps.entries()) {
    const { tryStream } = await import("./probe-stream.ts");
    const verdict = await tryStream(wish.ffmpeg, choice.order, urgency);
    if (verdict.is === "bad") {
      tried.push({ what: nameOf(choice), ok: false, why: plainReason(verdict.why) });
      return { why: plainReason(verdict.why) };
    }
    const isLast = index === steps.length - 1;
    tried.push({ what: nameOf(choice), ok: verdict.slow === null || isLast, why: goodWhy(verdict, choice.frameRate) });
    // Where only the stream says how large the picture is, the first says it for all.
    size ??= { width: verdict.width, height: verdict.height };
    if (verdict.slow !== null && !isLast) continue;
    return { choice: { ...wanted, ...size, level: Math.max(0, index - 1), warnings: warningsOf(verdict, wish) } };
  }
  return { why: "nothing was tried" };
}

const nameOf = ({ source, encoder, frameRate, sound }: Choice) =>
  `${source}, ${encoder}, ${frameRate} frames a second${sound ? ", sound" : ""}`;

/** The same again, then each step down. */
function* stepsBelow(wanted: Choice): Generator<Choice> {
  yield wanted;
  for (let level = 1; ; level += 1) {
    const less = stepDown(wanted, level);
    if (less === undefined) return;
    yield less;
  }
}

type Good = Extract<StreamVerdict, { is: "good" }>;

function goodWhy({ width, height, frameRate, black, slow }: Good, wanted: number): string {
  const arrived =
    frameRate >= wanted * 0.97 ? "every frame arrived" : `${frameRate.toFixed(1)} frames a second arrived`;
  return `${width}×${height}, ${slow ?? arrived}${black ? ", all black" : ""}`;
}

function warningsOf({ black, sound, slow }: Good, { settings }: CaptureWish): string[] {
  const says: [is: boolean, warning: string][] = [
    [black, "The picture was black all through the test. If the game was not, capture its window, or use OBS."],
    [settings.sound === "system" && !sound, "Clips have no sound: a test recording says why."],
    [slow !== null, `This machine could not keep up in the test: ${slow}.`],
  ];
  return says.filter(([is]) => is).map(([, warning]) => warning);
}

async function tryWithSound(trial: Trial, order: CaptureOrder, source: Source): Promise<Attempt> {
  const first = await tryOrder(trial, order, source);
  if ("choice" in first || order.sound === null || trial.urgency.signal?.aborted) return first;
  return tryOrder(trial, { ...order, sound: null }, source);
}

export async function tryAll(trial: Trial, sources: readonly Source[]): Promise<Choice | Refusal> {
  const { wish, tried, urgency } = trial;
  const sound = await findWorkingSound(trial);
  let why = "no encoder for H.264 works here; install an ffmpeg with libx264";
  for (const source of sources) {
    const order = orderOf(wish, source);
    const picture = { size: expectedSize(order), frameRate: order.frameRate, quality: order.quality };
    for await (const { tried: said, encoder } of workingEncoders(wish.ffmpeg, platformOf(wish), picture, urgency)) {
      if (!tried.some(({ what }) => what === said.what)) tried.push(said);
      if (encoder === null) continue;
      const attempt = await tryWithSound(trial, { ...order, encoder, sound }, source);
      if ("choice" in attempt) return { ...attempt.choice, tried };
      why = attempt.why;
    }
  }
  return refusalOf(urgency.signal?.aborted ? "the test was called off" : why, tried);
}

export const platformOf = ({ platform }: CaptureWish) => platform ?? process.platform;
