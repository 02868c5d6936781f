// A quiet tone that the self-test plays, and how much of a recording it is.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

export const toneHertz = 1_000;
const playedRate = 44_100;
/** A tenth of full loudness. */
const amplitude = 3_276;

/** Sample rate that `secondsWithTone` expects. */
export const analysedRate = 8_000;
/** A twentieth of a second. */
const windowSamples = 400;

function makeSamples(seconds: number): Buffer {
  const samples = Buffer.alloc(Math.round(seconds * playedRate) * 2);
  for (let i = 0; i < samples.length / 2; i += 1)
    samples.writeInt16LE(Math.round(amplitude * Math.sin((2 * Math.PI * toneHertz * i) / playedRate)), i * 2);
  return samples;
}

/** Returns a WAV file of one channel. */
function wavOf(samples: Buffer): Buffer {
  const header = Buffer.alloc(44);
  header.write("RIFF");
  header.writeUInt32LE(36 + samples.length, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(playedRate, 24);
  header.writeUInt32LE(playedRate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36);
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}

const playOnWindows =
  "(New-Object Media.SoundPlayer ((New-Object IO.StreamReader([Console]::OpenStandardInput(), [Text.Encoding]::UTF8)).ReadToEnd())).PlaySync()";

type Player = { readonly program: string; readonly args: readonly string[]; readonly input: Buffer | string };

function playerOf(platform: NodeJS.Platform, samples: Buffer, folder: string): Player {
  if (platform === "linux") {
    const format = ["--raw", "--format=s16le", `--rate=${playedRate}`, "--channels=1"];
    return { program: "pacat", args: ["--playback", ...format], input: samples };
  }
  const file = join(folder, "tone.wav");
  writeFileSync(file, wavOf(samples));
  if (platform === "darwin") return { program: "/usr/bin/afplay", args: [file], input: "" };
  const args = ["-NoProfile", "-NonInteractive", "-Command", playOnWindows];
  return { program: "powershell.exe", args, input: file };
}

export type Tone = {
  /** Resolves when the program that plays ends: to undefined, or to why it could not play. */
  readonly ended: Promise<string | undefined>;
  stop(): void;
};

/** Plays the tone through the default output of the system. */
export function playTone(seconds: number, folder: string): Tone {
  const { program, args, input } = playerOf(process.platform, makeSamples(seconds), folder);
  const child = spawn(program, args, { stdio: ["pipe", "ignore", "ignore"], windowsHide: true });
  child.stdin.on("error", () => undefined).end(input);
  const ended = new Promise<string | undefined>((resolve) => {
    child.once("error", (error: NodeJS.ErrnoException) =>
      resolve(error.code === "ENOENT" ? `${program} is not installed` : error.message),
    );
    child.once("exit", (code, signal) =>
      resolve(code === 0 || signal !== null ? undefined : `${program} ended with ${code}`),
    );
  });
  return { ended, stop: () => child.kill("SIGKILL") };
}

/** Returns how much of a piece's power the tone is, from 0 to 1, by the Goertzel algorithm. */
function shareOf(samples: Float32Array): number {
  const turn = (2 * Math.PI * toneHertz) / analysedRate;
  const factor = 2 * Math.cos(turn);
  let previous = 0;
  let before = 0;
  let power = 0;
  for (const sample of samples) {
    const now = sample + factor * previous - before;
    before = previous;
    previous = now;
    power += sample * sample;
  }
  const tone = previous * previous + before * before - factor * previous * before;
  return power < 1e-6 ? 0 : Math.min(1, (2 * tone) / (samples.length * power));
}

/** Returns how many seconds of the recording the tone clearly fills. */
export function secondsWithTone(samples: Float32Array): number {
  let windows = 0;
  for (let at = 0; at + windowSamples <= samples.length; at += windowSamples)
    if (shareOf(samples.subarray(at, at + windowSamples)) > 0.5) windows += 1;
  return (windows * windowSamples) / analysedRate;
}
