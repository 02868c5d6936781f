// What the sound tracks of a clip are recorded from. Each system can have its own way to follow, name and record streams.

import { type FollowSoundServer, followPulse } from "./pulse.ts";
import { createWindowsSoundFollower, hasSoundProgram, recordOnWindows } from "./windows.ts";

/**
 * What PulseAudio or PipeWire calls it: `stream:12` is what one program plays, `device:NAME` what a device records. On Windows, the
 * number is that of a process.
 */
export type SoundStream = `stream:${number}` | `device:${string}`;

/** The tracks in their order in the file. */
export const trackNames = ["sound", "microphone"] as const;

/** The streams that are mixed in each track. */
export type SoundTracks = { readonly [Name in (typeof trackNames)[number]]: readonly SoundStream[] };

export const noSound: SoundTracks = { sound: [], microphone: [] };

/** Short, so that sound arrives soon, and long enough that the server does not wake up more often than for most games. */
const latencyMs = 30;

/** Returns the command that writes a stream to stdout. It only listens: the stream itself stays as it is. */
export function recordStreamCommand(
  stream: SoundStream,
  platform: NodeJS.Platform = process.platform,
): { readonly program: string; readonly args: string[] } {
  const [kind = "", ...rest] = stream.split(":");
  const name = rest.join(":");
  if (platform === "win32") return recordOnWindows(kind, name);
  const source = kind === "stream" ? `--monitor-stream=${name}` : `--device=${name}`;
  const format = ["--raw", "--format=s16le", "--rate=48000", "--channels=2"];
  return {
    program: "parec",
    args: [...format, `--latency-msec=${latencyMs}`, "--client-name=Kit", "--stream-name=Kit", source],
  };
}

/** Undefined where Kit cannot record single streams. */
export function followSystemSound(): FollowSoundServer | undefined {
  if (hasSoundProgram()) return createWindowsSoundFollower();
  return process.platform === "linux" ? followPulse : undefined;
}
