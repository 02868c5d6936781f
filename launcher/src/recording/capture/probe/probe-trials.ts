// Tries sources, encoders and sound by running them, so that the choice is known to work on this machine.
import type { RecorderSettings, TestRecording } from "@kit/contract";
import type { Ffmpeg } from "../../ffmpeg/ffmpeg.ts";
import { FfmpegFailed, runFfmpeg } from "../../ffmpeg/run.ts";
import { type CaptureChoice, createChoice, type ProbeRefusal, stepDown } from "./choice.ts";
import { type CaptureSpec, expectedSize, type Size, type SoundInput } from "./commands.ts";
import { soundArgs } from "./commands-input.ts";
import { type JobPriority, tryEncoders } from "./probe-encoder.ts";
import type { StreamVerdict } from "./probe-stream.ts";
import type { Source } from "./source.ts";

type SoundSource = { readonly input: SoundInput; readonly name: string };

/** Names of loopback devices, which record what the machine plays. */
const loopbackNames =
  /stereo ?mi(x|sch)|what u hear|wave out mix|virtual-audio-capturer|cable output|blackhole|soundflower|loopback audio/i;

type Listing = (format: "avfoundation" | "dshow") => Promise<string>;

/** `why` explains what is missing if `sources` is empty. */
type SoundSources = { readonly sources: readonly SoundSource[]; readonly why: string };

/** Finds devices that record what the machine plays. Never uses a microphone. */
export async function findSoundSources(platform: NodeJS.Platform, listDevices: Listing): Promise<SoundSources> {
  if (platform === "win32") return parseWindowsSound(await listDevices("dshow"));
  if (platform === "darwin") return parseMacSound(await listDevices("avfoundation"));
  // The server resolves this name to the current output; PipeWire supports it too.
  const input = { kind: "pulse", device: "@DEFAULT_MONITOR@" } as const;
  return { sources: [{ input, name: "what the default output plays" }], why: "" };
}

/** Each device is listed with its name, and below it with an alternative name that is safe for dshow. */
function parseWindowsSound(listing: string): SoundSources {
  const devices = [
    ...listing.matchAll(/"([^"]+)"(?: \((?:audio|none)\))?\s*\r?\n[^\n]*Alternative name "(@device_[^"]+)"/g),
  ];
  const found = devices.filter(([, name = ""]) => loopbackNames.test(name));
  return {
    sources: found.map(([, name = "", device = ""]) => ({ input: { kind: "dshow", device }, name })),
    why: "Windows gives ffmpeg no device with what is played: switch on Stereo Mix, or install virtual-audio-capturer",
  };
}

function parseMacSound(listing: string): SoundSources {
  const audio = listing.slice(Math.max(0, listing.indexOf("audio devices")));
  const names = [...audio.matchAll(/\] \[\d+\] (.+?)\s*$/gm)].map(([, name = ""]) => name);
  // avfoundation cannot open names with a colon.
  const found = names.filter((name) => loopbackNames.test(name) && !name.includes(":"));
  return {
    sources: found.map((name) => ({ input: { kind: "avfoundation", device: name }, name })),
    why: "macOS gives no program what is played: install a loopback device such as BlackHole",
  };
}

export type ProbeRequest = {
  readonly ffmpeg: Ffmpeg;
  readonly settings: Pick<RecorderSettings, "window" | "frameRate" | "height" | "quality" | "sound">;
  readonly display: string | undefined;
  readonly wayland: boolean;
  /** For tests; the default is process.platform. */
  readonly platform?: NodeJS.Platform;
};

type ProbeResults = TestRecording["tried"];
export type Trial = { readonly request: ProbeRequest; readonly tried: ProbeResults; readonly priority: JobPriority };

const soundTimeoutMs = 4_000;

export const errorMessage = (error: unknown) => (error instanceof Error ? error.message : String(error));

export function createDeviceLister(ffmpeg: Ffmpeg): (format: "avfoundation" | "dshow") => Promise<string> {
  return async (format) => {
    const args = ["-v", "info", "-f", format, "-list_devices", "true", "-i", format === "dshow" ? "dummy" : ""];
    // Listing always ends with an error because no device is opened.
    return runFfmpeg(ffmpeg, args, { outBytesMax: 65_536, timeoutMs: 10_000 }).then(
      ({ stderr }) => stderr,
      (error: unknown) => (error instanceof FfmpegFailed ? error.stderr : ""),
    );
  };
}

function soundFailureReason(error: unknown): string {
  if (!(error instanceof FfmpegFailed)) return errorMessage(error);
  if (/Unknown input format|Unrecognized option/.test(error.stderr)) return "this ffmpeg was built without PulseAudio";
  const isAbsent = /No such process|Connection refused/.test(error.stderr);
  return isAbsent ? "no PulseAudio or PipeWire server answers" : error.message;
}

/** Tries sound alone, because a missing sound server would also end the capture of the picture. */
export async function findWorkingSound({ request, tried, priority }: Trial): Promise<SoundInput | null> {
  if (request.settings.sound === "off") return null;
  const platform = request.platform ?? process.platform;
  const { sources, why } = await findSoundSources(platform, createDeviceLister(request.ffmpeg));
  if (sources.length === 0) tried.push({ what: "sound", ok: false, why });
  for (const { input, name } of sources) {
    // avfoundation captures sound together with the picture, so both are tried together.
    if (input.kind === "avfoundation") return input;
    const args = ["-v", "error", ...soundArgs(input), "-t", "0.1", "-f", "null", "-"];
    const job = { outBytesMax: 4_096, timeoutMs: soundTimeoutMs, ...priority };
    try {
      await runFfmpeg(request.ffmpeg, args, job);
      tried.push({ what: `sound: ${name}`, ok: true, why: "it works" });
      return input;
    } catch (error) {
      tried.push({ what: `sound: ${name}`, ok: false, why: soundFailureReason(error) });
    }
  }
  return null;
}

export const createRefusal = (why: string, tried: ProbeResults): ProbeRefusal => ({
  refused: `ffmpeg could not record the screen: ${why}. Run a test recording after changing something; OBS can record instead.`,
  tried,
});

export function captureSpec({ ffmpeg, settings }: ProbeRequest, source: Source): Omit<CaptureSpec, "encoder"> {
  return {
    input: source.input,
    inputSize: source.size,
    heightMax: settings.height,
    frameRate: settings.frameRate,
    quality: settings.quality,
    sound: null,
    hasFpsMode: ffmpeg.hasFpsMode,
  };
}

/** Replaces a known ffmpeg message by an explanation for a person. */
function explainReason(why: string): string {
  return why.includes("window_id") ? "this ffmpeg is too old to capture one window; install a newer one" : why;
}

type Attempt = { readonly choice: CaptureChoice } | { readonly why: string };

/**
 * Tries a command. If it was slow, tries it once more, because the machine may only have been busy, and then with lower
 * quality until the machine keeps up. Accepts the lowest quality even if it is slow: a clip with few frames is better than none.
 */
async function trySpec(trial: Trial, spec: CaptureSpec, source: Source): Promise<Attempt> {
  const { request, tried, priority } = trial;
  const firstChoice = createChoice(spec, expectedSize(spec), {
    source: source.name,
    warnings: [],
    tried,
    degraded: null,
  });
  const steps = [firstChoice, ...laterAttempts(firstChoice)];
  let size: Size | undefined;
  for (const [index, choice] of steps.entries()) {
    const { tryStream } = await import("./probe-stream.ts");
    const verdict = await tryStream(request.ffmpeg, choice.spec, priority);
    if (verdict.is === "bad") {
      tried.push({ what: describeChoice(choice), ok: false, why: explainReason(verdict.why) });
      return { why: explainReason(verdict.why) };
    }
    const isLast = index === steps.length - 1;
    tried.push({
      what: describeChoice(choice),
      ok: verdict.slow === null || isLast,
      why: describeVerdict(verdict, choice.frameRate),
    });
    // If the input size is unknown, the first stream determines the size.
    size ??= { width: verdict.width, height: verdict.height };
    if (verdict.slow !== null && !isLast) continue;
    return {
      choice: { ...firstChoice, ...size, level: Math.max(0, index - 1), warnings: collectWarnings(verdict, request) },
    };
  }
  return { why: "nothing was tried" };
}

const describeChoice = ({ source, encoder, frameRate, sound }: CaptureChoice) =>
  `${source}, ${encoder}, ${frameRate} frames a second${sound ? ", sound" : ""}`;

/** Yields the same choice again, then each quality step down. */
function* laterAttempts(firstChoice: CaptureChoice): Generator<CaptureChoice> {
  yield firstChoice;
  for (let level = 1; ; level += 1) {
    const lower = stepDown(firstChoice, level);
    if (lower === undefined) return;
    yield lower;
  }
}

type GoodVerdict = Extract<StreamVerdict, { is: "good" }>;

function describeVerdict({ width, height, frameRate, black, slow }: GoodVerdict, requestedRate: number): string {
  const arrived =
    frameRate >= requestedRate * 0.97 ? "every frame arrived" : `${frameRate.toFixed(1)} frames a second arrived`;
  return `${width}×${height}, ${slow ?? arrived}${black ? ", all black" : ""}`;
}

function collectWarnings({ black, sound, slow }: GoodVerdict, { settings }: ProbeRequest): string[] {
  const conditions: [is: boolean, warning: string][] = [
    [black, "The picture was black all through the test. If the game was not, capture its window, or use OBS."],
    [settings.sound === "system" && !sound, "Clips have no sound: a test recording says why."],
    [slow !== null, `This machine could not keep up in the test: ${slow}.`],
  ];
  return conditions.filter(([is]) => is).map(([, warning]) => warning);
}

async function tryWithSound(trial: Trial, spec: CaptureSpec, source: Source): Promise<Attempt> {
  const first = await trySpec(trial, spec, source);
  if ("choice" in first || spec.sound === null || trial.priority.signal?.aborted) return first;
  return trySpec(trial, { ...spec, sound: null }, source);
}

export async function tryAllSources(trial: Trial, sources: readonly Source[]): Promise<CaptureChoice | ProbeRefusal> {
  const { request, tried, priority } = trial;
  const sound = await findWorkingSound(trial);
  let why = "no encoder for H.264 works here; install an ffmpeg with libx264";
  for (const source of sources) {
    const spec = captureSpec(request, source);
    const picture = { size: expectedSize(spec), frameRate: spec.frameRate, quality: spec.quality };
    for await (const { tried: said, encoder } of tryEncoders(
      request.ffmpeg,
      requestPlatform(request),
      picture,
      priority,
    )) {
      if (!tried.some(({ what }) => what === said.what)) tried.push(said);
      if (encoder === null) continue;
      const attempt = await tryWithSound(trial, { ...spec, encoder, sound }, source);
      if ("choice" in attempt) return { ...attempt.choice, tried };
      why = attempt.why;
    }
  }
  return createRefusal(priority.signal?.aborted ? "the test was cancelled" : why, tried);
}

export const requestPlatform = ({ platform }: ProbeRequest) => platform ?? process.platform;
