// Where the sound the machine plays can be had. A microphone is never taken: nobody asked for their voice.
import type { SoundInput } from "./commands.ts";

type SoundSource = { readonly input: SoundInput; readonly name: string };

/** Devices that give back what is played, by the names their makers gave them. */
const playedBack =
  /stereo ?mi(x|sch)|what u hear|wave out mix|virtual-audio-capturer|cable output|blackhole|soundflower|loopback audio/i;

type Listing = (format: "avfoundation" | "dshow") => Promise<string>;

/** `why` says what is missing where there is none. */
export type SoundSources = { readonly sources: readonly SoundSource[]; readonly why: string };

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
