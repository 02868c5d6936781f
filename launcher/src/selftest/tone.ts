// A quiet tone that the self-test plays, and how much of a recording it is.
import { type ChildProcess, fork, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const toneHertz = 1_000;
const playedRate = 44_100;

export const unmute = "Unmute this computer, and run the self-test again.";
const installPlayer = "Install the package pulseaudio-utils, and run the self-test again.";
export const connectOutput = "Connect loudspeakers or headphones, and run the self-test again.";
/** A tenth of full loudness. */
const amplitude = 3_276;

/** Sample rate that `secondsWithTone` expects. */
export const analysedRate = 8_000;
/** A twentieth of a second. */
const windowSamples = 400;

function makeSamples(seconds: number, hertz: number): Buffer {
  const samples = Buffer.alloc(Math.round(seconds * playedRate) * 2);
  for (let i = 0; i < samples.length / 2; i += 1)
    samples.writeInt16LE(Math.round(amplitude * Math.sin((2 * Math.PI * hertz * i) / playedRate)), i * 2);
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

type Player = { readonly child: ChildProcess; readonly program: string };

const ownProgram = () =>
  fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? "./tone-process.ts" : "./tone-process.js", import.meta.url));

function startPlayer(platform: NodeJS.Platform, samples: Buffer, file: string): Player {
  if (platform === "linux") {
    const format = ["--raw", "--format=s16le", `--rate=${playedRate}`, "--channels=1"];
    const child = spawn("pacat", ["--playback", ...format], { stdio: ["pipe", "ignore", "ignore"], windowsHide: true });
    child.stdin.on("error", () => undefined).end(samples);
    return { child, program: "pacat" };
  }
  writeFileSync(file, wavOf(samples));
  if (platform === "darwin")
    return { child: spawn("/usr/bin/afplay", [file], { stdio: "ignore", windowsHide: true }), program: "afplay" };
  const child = fork(ownProgram(), [], {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    execArgv: ["--disable-warning=ExperimentalWarning"],
    windowsHide: true,
  });
  // Not as an argument: an executable passes none on to its processes.
  child.send(file, () => undefined);
  return { child, program: "Windows" };
}

export type Tone = {
  /** The process of the player; undefined if it did not start. */
  readonly pid: number | undefined;
  /** Resolves when the player has exited: to undefined, or to why it could not play and what to do. */
  readonly ended: Promise<string | undefined>;
  stop(): void;
};

export type PlayedTone = { readonly seconds: number; readonly folder: string; readonly hertz?: number };

/** Plays the tone through the default output of the system, in a process of its own. */
export function playTone({ seconds, folder, hertz = toneHertz }: PlayedTone): Tone {
  const file = join(folder, `tone-${hertz}.wav`);
  const { child, program } = startPlayer(process.platform, makeSamples(seconds, hertz), file);
  const ended = new Promise<string | undefined>((resolve) => {
    child.once("error", (error: NodeJS.ErrnoException) =>
      resolve(error.code === "ENOENT" ? `${program} is not installed. ${installPlayer}` : `${error.message}.`),
    );
    child.once("exit", (code, signal) => {
      if (code === 0 || signal !== null) resolve(undefined);
      else
        resolve(
          `${program === "Windows" ? "Windows reported a failure" : `${program} ended with ${code}`}. ${connectOutput}`,
        );
    });
  });
  return { pid: child.pid, ended, stop: () => child.kill("SIGKILL") };
}

/** Returns how much of a piece's power the tone is, from 0 to 1, by the Goertzel algorithm. */
function shareOf(samples: Float32Array, hertz: number): number {
  const turn = (2 * Math.PI * hertz) / analysedRate;
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

/** Returns how many seconds of the recording have the tone, with at least `shareMin` of their power. */
export function secondsWithTone(samples: Float32Array, { hertz = toneHertz, shareMin = 0.5 } = {}): number {
  let windows = 0;
  for (let at = 0; at + windowSamples <= samples.length; at += windowSamples)
    if (shareOf(samples.subarray(at, at + windowSamples), hertz) > shareMin) windows += 1;
  return (windows * windowSamples) / analysedRate;
}
