// Support: a program that plays tones and sends events like a game, and what a clip has of these tones.
import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { pathOf } from "../../../tools/engines/locate.ts";

export type SoundCommand =
  /** With `beeps`, 200 ms at the start of each second of the wall clock. */
  | { readonly do: "play"; readonly hertz: number; readonly beeps?: boolean; readonly device?: string }
  /** Plays it as programs do that know PipeWire and not PulseAudio. */
  | { readonly do: "play-by-pipewire"; readonly hertz: number }
  | { readonly do: "stop"; readonly hertz: number }
  | { readonly do: "send"; readonly url: string; readonly eventId: string };

export type SoundProgram = {
  /** Resolves with the id of the event, if it was to send one. */
  order(command: SoundCommand): Promise<string>;
  end(): Promise<void>;
};

export async function openSoundProgram(server: string): Promise<SoundProgram> {
  const child = fork(join(import.meta.dirname, "sound-program-process.ts"), {
    execArgv: ["--disable-warning=ExperimentalWarning"],
    env: { ...process.env, PULSE_SERVER: server, XDG_RUNTIME_DIR: dirname(server.slice("unix:".length)) },
  });
  const ended = once(child, "exit");
  const answer = () =>
    Promise.race([
      once(child, "message"),
      ended.then(([code]) => Promise.reject(new Error(`the sound program ended with ${code}`))),
    ]);
  await answer();
  return {
    async order(command) {
      const answered = answer();
      child.send(command);
      return String((await answered)[0]);
    },
    async end() {
      child.kill();
      await ended;
    },
  };
}

const rate = 48_000;
const run = promisify(execFile);

/** Returns the sound of a track of a file, one channel. */
export async function readSound(path: string, track: number): Promise<Int16Array> {
  const args = ["-v", "error", "-i", path, "-map", `0:a:${track}`, "-af", "aresample=async=1:first_pts=0"];
  const { stdout } = await run(pathOf("ffmpeg"), [...args, "-ac", "1", "-ar", String(rate), "-f", "s16le", "-"], {
    encoding: "buffer",
    maxBuffer: 256 * 1024 * 1024,
  });
  return new Int16Array(new Uint8Array(stdout).buffer);
}

export async function countTracks(path: string): Promise<number> {
  const { stderr } = await run(pathOf("ffmpeg"), ["-hide_banner", "-i", path]).catch(
    (error) => error as { stderr: string },
  );
  return [...stderr.matchAll(/Stream #0:\d+.*: Audio/g)].length;
}

/** Goertzel's algorithm: about 1 for a tone of `openSoundProgram`. */
function loudnessOf(part: Int16Array, hertz: number): number {
  const factor = 2 * Math.cos((2 * Math.PI * hertz) / rate);
  let [last, before] = [0, 0];
  for (const sample of part) [last, before] = [sample + factor * last - before, last];
  const power = last ** 2 + before ** 2 - factor * last * before;
  return (2 * Math.sqrt(power)) / part.length / 8_000;
}

/**
 * Returns how loud a tone is between two seconds: the mean of tenths of a second, because a sound server sometimes skips a few
 * samples, and parts that are out of step would cancel each other.
 */
export function loudness(sound: Int16Array, hertz: number, fromSeconds = 0, toSeconds = sound.length / rate): number {
  const pieces = Math.max(1, Math.round((toSeconds - fromSeconds) * 10));
  const pieceSeconds = (toSeconds - fromSeconds) / pieces;
  let sum = 0;
  for (let piece = 0; piece < pieces; piece += 1) {
    const at = (index: number) => Math.round((fromSeconds + index * pieceSeconds) * rate);
    sum += loudnessOf(sound.subarray(at(piece), at(piece + 1)), hertz);
  }
  return sum / pieces;
}

/** Returns when the tone begins to sound, in seconds, to about 5 ms. */
export function onsets(sound: Int16Array, hertz: number): number[] {
  const step = 0.005;
  const found: number[] = [];
  let wasHeard = true;
  for (let at = 0; at + 0.01 <= sound.length / rate; at += step) {
    const isHeard = loudness(sound, hertz, at, at + 0.01) > 0.4;
    if (isHeard && !wasHeard) found.push(at);
    wasHeard = isHeard;
  }
  return found;
}
