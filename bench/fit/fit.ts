// `npm run bench -- fit`: measures how long it takes to make a copy of a clip that fits a network's limits. See ../README.md.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";
import { type Aim, aimFor, fitClip, type MediaToFit } from "../../launcher/test/recording/export-rig.ts";
import { pathOf } from "../../tools/engines/locate.ts";
import { defineBench, inRounds, inTurn, type Say } from "../bench.ts";
import { atMost, type Column, ratioOf, runTable, shown, spreadOf, table, where } from "../figures.ts";
import { cpuSecondsOf, inFolder } from "../machine.ts";
import { type Played, playFaults, playInBrowser } from "./play.ts";

const fitSubjects = ["kit", "ffmpeg"] as const;
type FitSubject = (typeof fitSubjects)[number];

type FitRun = {
  readonly subject: FitSubject;
  readonly round: number;
  readonly wallMs: number;
  /** Processor time of all processes. */
  readonly cpuMs: number;
  readonly bytes: number;
};

/** The priority of the launcher's jobs. */
const lowest = 19;
const bytesPerSecond = (10 * 2 ** 20) / 60;

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

/** Fits the clip with both in turn. Also returns the path of Kit's last file. */
async function measureFit(folder: string, media: MediaToFit, rounds: number, say: Say) {
  const bytesMax = Math.floor(media.seconds * bytesPerSecond);
  const aim = aimFor(media, bytesMax);
  let path = "";
  const subjects = {
    kit: async (round: number) => {
      path = (await fitClip(pathOf("ffmpeg"), join(folder, "fitted"), `round-${round}`, media, bytesMax)).path;
      return path;
    },
    ffmpeg: () => plainly(folder, media, aim),
  };
  const runs = await inRounds(rounds, say, async (round) => {
    const ofRound: FitRun[] = [];
    for (const subject of inTurn(fitSubjects, round - 1)) {
      const beganMs = performance.now();
      const beganCpuMs = cpuMs();
      const made = await subjects[subject](round);
      const wallMs = performance.now() - beganMs;
      ofRound.push({ subject, round, wallMs, cpuMs: cpuMs() - beganCpuMs, bytes: statSync(made).size });
    }
    return ofRound;
  });
  return { runs, path };
}

type FitResults = {
  readonly clip: { readonly seconds: number; readonly bytes: number; readonly bytesMax: number };
  readonly runs: readonly FitRun[];
  readonly played: Played;
  readonly faults: readonly string[];
};

const ratioMax = 1.15;
const names: Readonly<Record<FitSubject, string>> = { kit: "Kit", ffmpeg: "plain ffmpeg, two passes" };
const columns: readonly Column<FitRun>[] = [
  ["s", ({ wallMs }) => wallMs / 1_000, 1],
  ["s of processor", ({ cpuMs: used }) => used / 1_000, 1],
  ["MB", ({ bytes }) => bytes / 1e6, 2],
];

const ratio = (runs: readonly FitRun[], value: "wallMs" | "cpuMs") =>
  ratioOf(where(runs, { subject: "kit" }), where(runs, { subject: "ffmpeg" }), value);

function fitTable({ runs, clip }: FitResults): string {
  const ratios = (["wallMs", "cpuMs"] as const).map((value) => shown(ratio(runs, value), 2));
  const limit = (clip.bytesMax / 1e6).toFixed(2);
  const title = `${clip.seconds} s of 1920×1080, ${(clip.bytes / 1e6).toFixed(1)} MB, into ${limit} MB: median (min–max)`;
  const groups = fitSubjects.map((subject) => [names[subject], where(runs, { subject })] as const);
  return runTable(title, columns, groups, [["×", ...ratios, ""]]);
}

function playTable({ played: { seconds, height, pictures, reachedEnd } }: FitResults): string {
  const row = [seconds.toFixed(2), height, pictures, reachedEnd ? "yes" : "no"];
  return table("What Kit made, in Chromium", ["s", "height", "pictures shown", "to its end"], [row]);
}

export const fit = defineBench({
  summary: "what it takes to make a clip small enough to be posted",
  about: `Measures what it takes to make a clip fit where it is posted: a minute of 1080p into 10 MiB, beside plain ffmpeg in two
passes with the same preset, picture and bits; and whether what comes out plays in a browser.`,
  flags: {
    rounds: { says: "rounds, each with both in turn", usual: 3, quick: 1 },
    seconds: { says: "length of the clip; the limit is a sixth of a MiB a second", usual: 60, quick: 4, least: 3 },
  },
  needs: ["ffmpeg", "Chromium"],
  usesLauncher: false,
  measure: ({ rounds, seconds, isQuick }, say) =>
    inFolder(async (folder): Promise<FitResults> => {
      say(`a clip of ${seconds} s`);
      const media = await makeClip(folder, seconds, isQuick ? 360 : 1_080);
      const { runs, path } = await measureFit(folder, media, rounds, say);
      const played = await playInBrowser(path);
      const clip = { seconds, bytes: media.bytes, bytesMax: Math.floor(seconds * bytesPerSecond) };
      return { clip, runs, played, faults: playFaults(played, seconds) };
    }),
  tables: (results) => [fitTable(results), playTable(results)],
  targets({ runs, clip }) {
    const sizes = spreadOf(where(runs, { subject: "kit" }), ({ bytes }) => bytes / 1e6);
    return [
      ...atMost("a clip is made to fit, to plain ffmpeg in two passes", ratioMax, "×", ratio(runs, "wallMs")),
      // Uses the maximum, because a median would hide a copy that is too large.
      ...atMost("its largest size, to the limit", clip.bytesMax / 1e6, "MB", sizes && { ...sizes, median: sizes.max }),
    ];
  },
  faults: ({ faults }) => faults,
});
