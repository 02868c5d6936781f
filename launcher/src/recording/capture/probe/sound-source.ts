// Finds out where a capture gets its sound from, and whether that works here.

import type { Message, RecorderSettings, TestRecording } from "@kit/contract";
import { message, reasonOf } from "@kit/contract/messages";
import type { Ffmpeg } from "../../ffmpeg/find.ts";
import { FfmpegFailed, runFfmpeg } from "../../ffmpeg/run.ts";
import { canRecordStreams } from "../sound/pulse.ts";
import { hasSoundProgram } from "../sound/windows.ts";
import { type SoundInput, soundArgs } from "./commands.ts";

type SoundRequest = {
  readonly ffmpeg: Ffmpeg;
  readonly settings: Pick<RecorderSettings, "sound" | "microphone">;
  readonly platform?: NodeJS.Platform;
};
type SoundTrial = {
  readonly request: SoundRequest;
  readonly tried: TestRecording["tried"];
  readonly signal: AbortSignal | undefined;
};
type SoundSource = { readonly input: SoundInput; readonly name: string };

/** Names of loopback devices, which record what the machine plays. */
const loopbackNames =
  /stereo ?mi(x|sch)|what u hear|wave out mix|virtual-audio-capturer|cable output|blackhole|soundflower|loopback audio/i;

/** Returns what ffmpeg prints about the devices of this format. */
type ListDevices = (format: "avfoundation" | "dshow") => Promise<string>;

/** `why` says what is missing if `sources` is empty. */
type SoundSources = { readonly sources: readonly SoundSource[]; readonly why: Message };

/** Finds devices that record what the machine plays. */
export async function findSoundSources(platform: NodeJS.Platform, listDevices: ListDevices): Promise<SoundSources> {
  if (platform === "win32" && hasSoundProgram()) {
    const input = { kind: "pipe", device: "wasapi" } as const;
    return { sources: [{ input, name: "what a game or the default output plays" }], why: message("sound.name") };
  }
  if (platform === "win32") return parseWindowsSound(await listDevices("dshow"));
  if (platform === "darwin") return parseMacSound(await listDevices("avfoundation"));
  if (await canRecordStreams()) {
    const input = { kind: "pipe", device: "pulse" } as const;
    return { sources: [{ input, name: "what a game or the default output plays" }], why: message("sound.no_server") };
  }
  // PulseAudio and PipeWire resolve this name to the output in use.
  const input = { kind: "pulse", device: "@DEFAULT_MONITOR@" } as const;
  return { sources: [{ input, name: "what the default output plays" }], why: message("sound.no_server") };
}

/** ffmpeg lists each device with its name, and below with an alternative name, which is safe to pass to dshow. */
function parseWindowsSound(listing: string): SoundSources {
  const devices = [
    ...listing.matchAll(/"([^"]+)"(?: \((?:audio|none)\))?\s*\r?\n[^\n]*Alternative name "(@device_[^"]+)"/g),
  ];
  const found = devices.filter(([, name = ""]) => loopbackNames.test(name));
  return {
    sources: found.map(([, name = "", device = ""]) => ({ input: { kind: "dshow", device }, name })),
    why: message("sound.no_device_windows"),
  };
}

function parseMacSound(listing: string): SoundSources {
  const audio = listing.slice(Math.max(0, listing.indexOf("audio devices")));
  const names = [...audio.matchAll(/\] \[\d+\] (.+?)\s*$/gm)].map(([, name = ""]) => name);
  // avfoundation cannot open names with a colon.
  const found = names.filter((name) => loopbackNames.test(name) && !name.includes(":"));
  return {
    sources: found.map((name) => ({ input: { kind: "avfoundation", device: name }, name })),
    why: message("sound.no_device_macos"),
  };
}

/** A sound server or a driver may hang. */
const timeoutMs = 15_000;
/** The track of a microphone is never the first one, so it needs a track of sound, which may be silent. */
export const wantsSound = ({ settings }: Pick<SoundRequest, "settings">) =>
  settings.sound !== "off" || settings.microphone;

export function createDeviceLister(ffmpeg: Ffmpeg): ListDevices {
  return async (format) => {
    const args = ["-v", "info", "-f", format, "-list_devices", "true", "-i", format === "dshow" ? "dummy" : ""];
    // Listing always ends with an error, because it opens no device.
    return runFfmpeg(ffmpeg, args, { outBytesMax: 65_536, timeoutMs }).then(
      ({ stderr }) => stderr,
      (error: unknown) => (error instanceof FfmpegFailed ? error.stderr : ""),
    );
  };
}

function soundFailureReason(error: unknown): Message {
  if (!(error instanceof FfmpegFailed)) return reasonOf(error);
  if (/Unknown input format|Unrecognized option/.test(error.stderr)) return message("sound.no_pulseaudio_in_build");
  const isAbsent = /No such process|Connection refused/.test(error.stderr);
  return isAbsent ? message("sound.no_server") : reasonOf(error);
}

/** Tries sound by itself first: without a sound server, a capture with sound would also fail for the picture. */
export async function findWorkingSound({ request, tried, signal }: SoundTrial): Promise<SoundInput | null> {
  if (!wantsSound(request)) return null;
  const platform = request.platform ?? process.platform;
  const { sources, why } = await findSoundSources(platform, createDeviceLister(request.ffmpeg));
  if (sources.length === 0) tried.push({ what: message("sound.name"), ok: false, why });
  for (const { input, name } of sources) {
    // avfoundation captures sound together with the picture, so both are tried together.
    if (input.kind === "avfoundation") return input;
    if (input.kind === "pipe") {
      tried.push({ what: message("sound.source", { name }), ok: true, why: message("sound.works") });
      return input;
    }
    const args = ["-v", "error", ...soundArgs(input), "-t", "0.1", "-f", "null", "-"];
    const job = { outBytesMax: 4_096, timeoutMs, ...(signal && { signal }) };
    try {
      await runFfmpeg(request.ffmpeg, args, job);
      tried.push({ what: message("sound.source", { name }), ok: true, why: message("sound.works") });
      return input;
    } catch (error) {
      tried.push({ what: message("sound.source", { name }), ok: false, why: soundFailureReason(error) });
    }
  }
  return null;
}
