// Makes copies of a clip with the launcher's code and with plain ffmpeg, alternately.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";
import { type Aim, aimFor, fitClip, type MediaToFit } from "../../launcher/test/recording/export-rig.ts";
import { pathOf } from "../../tools/engines/locate.ts";
import { cpuSecondsOf } from "../machine.ts";

export const fitSubjects = ["kit", "ffmpeg"] as const;
export type FitSubject = (typeof fitSubjects)[number];

export type FitRun = {
  readonly subject: FitSubject;
  readonly round: number;
  readonly wallMs: number;
  /** Processor time of all processes. */
  readonly cpuMs: number;
  readonly bytes: number;
};

/** The priority of the launcher's jobs. */
const lowest = 19;
export const bytesPerSecond = (10 * 2 ** 20) / 60;

async function ffmpeg(args: readonly string[], folder: string): Promise<void> {
  const child = spawn(pathOf("ffmpeg"), ["-v", "error", "-nostdin", "-y", ...args], {
    cwd: folder,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (child.pid !== undefined) setPriority(child.pid, lowest);
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}`);
}

/** Makes a clip of about a megabyte a second with noise, which is hard to compress. */
export async function makeClip(folder: string, seconds: number, height: number): Promise<MediaToFit> {
  const path = join(folder, "clip.mp4");
  const width = (height * 16) / 9;
  const picture = ["-f", "lavfi", "-i", `testsrc2=s=${width}x${height}:r=30,noise=alls=12:allf=t`];
  const sound = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000"];
  const rate = ["-b:v", "8M", "-maxrate", "9M", "-bufsize", "8M", "-pix_fmt", "yuv420p", "-g", "60"];
  const encode = ["-c:v", "libx264", "-preset", "ultrafast", ...rate, "-c:a", "aac", "-b:a", "128k"];
  const output = ["-movflags", "+faststart", "-f", "mp4", path];
  await ffmpeg([...picture, ...sound, "-t", String(seconds), ...encode, ...output], folder);
  return { path, kind: "clip", seconds, width, height, bytes: statSync(path).size };
}

/** The plain ffmpeg equivalent: two passes with the same preset and bit rate. */
async function plainly(folder: string, media: MediaToFit, { height, videoBits, soundBits }: Aim): Promise<string> {
  const path = join(folder, "plain.mp4");
  const picture = ["-i", media.path, "-vf", `scale=-2:${height}`, "-c:v", "libx264", "-preset", "veryfast"];
  const rate = ["-pix_fmt", "yuv420p", "-b:v", String(videoBits)];
  await ffmpeg([...picture, ...rate, "-pass", "1", "-an", "-f", "null", "-"], folder);
  const sound = ["-c:a", "aac", "-b:a", String(soundBits)];
  await ffmpeg([...picture, ...rate, "-pass", "2", ...sound, "-movflags", "+faststart", "-f", "mp4", path], folder);
  return path;
}

/** Processor time of this process and its ended children. */
const cpuMs = () => cpuSecondsOf(process.pid, true) * 1_000;

export async function measureFit(
  folder: string,
  media: MediaToFit,
  rounds: number,
  say: (line: string) => void,
): Promise<{ runs: FitRun[]; path: string }> {
  const bytesMax = Math.floor(media.seconds * bytesPerSecond);
  const aim = aimFor(media, bytesMax);
  const runs: FitRun[] = [];
  let last = "";
  const subjects = {
    kit: async (round: number) => {
      last = (await fitClip(pathOf("ffmpeg"), join(folder, "fitted"), `round-${round}`, media, bytesMax)).path;
      return last;
    },
    ffmpeg: () => plainly(folder, media, aim),
  };
  for (let round = 1; round <= rounds; round += 1) {
    say(`round ${round} of ${rounds}`);
    for (const subject of round % 2 === 1 ? fitSubjects : fitSubjects.toReversed()) {
      const beganMs = performance.now();
      const beganCpuMs = cpuMs();
      const path = await subjects[subject](round);
      const wallMs = performance.now() - beganMs;
      runs.push({ subject, round, wallMs, cpuMs: cpuMs() - beganCpuMs, bytes: statSync(path).size });
    }
  }
  return { runs, path: last };
}
