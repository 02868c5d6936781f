// `npm run bench -- fit`: measures how long it takes to make a copy of a clip that fits a network's limits. See ../README.md.
import { defineBench } from "../bench.ts";
import { ratioOf, spreadOf } from "../figures.ts";
import { inFolder } from "../machine.ts";
import { shown, shownOf, table } from "../tables.ts";
import { atMost } from "../targets.ts";
import { bytesPerSecond, type FitRun, type FitSubject, fitSubjects, makeClip, measureFit } from "./measure.ts";
import { type Played, playFaults, playInBrowser } from "./play.ts";

export type FitResults = {
  readonly clip: { readonly seconds: number; readonly bytes: number; readonly bytesMax: number };
  readonly runs: readonly FitRun[];
  readonly played: Played;
  readonly faults: readonly string[];
};

const ratioMax = 1.15;
const names: Readonly<Record<FitSubject, string>> = { kit: "Kit", ffmpeg: "plain ffmpeg, two passes" };

function ratio(runs: readonly FitRun[], value: (run: FitRun) => number) {
  const own = (subject: FitSubject) => runs.filter((run) => run.subject === subject);
  return ratioOf(own("kit"), own("ffmpeg"), value);
}

function runTable({ runs, clip }: FitResults): string {
  const rows = fitSubjects.map((subject) => {
    const own = runs.filter((run) => run.subject === subject);
    return [
      names[subject],
      shownOf(own, ({ wallMs }) => wallMs / 1_000, 1),
      shownOf(own, ({ cpuMs }) => cpuMs / 1_000, 1),
      shownOf(own, ({ bytes }) => bytes / 1e6, 2),
    ];
  });
  const ratios = [(run: FitRun) => run.wallMs, (run: FitRun) => run.cpuMs].map((value) => shown(ratio(runs, value), 2));
  const limit = (clip.bytesMax / 1e6).toFixed(2);
  const title = `${clip.seconds} s of 1920×1080, ${(clip.bytes / 1e6).toFixed(1)} MB, into ${limit} MB: median (min–max)`;
  return table(title, ["", "s", "s of processor", "MB"], [...rows, ["×", ...ratios, ""]]);
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
    seconds: {
      says: "length of the clip; the limit is a sixth of a MiB for each second",
      usual: 60,
      quick: 4,
      least: 3,
    },
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
  tables: (results) => [runTable(results), playTable(results)],
  targets({ runs, clip }) {
    const sizes = spreadOf(runs.filter(({ subject }) => subject === "kit").map(({ bytes }) => bytes / 1e6));
    return [
      ...atMost(
        "a clip is made to fit, to plain ffmpeg in two passes",
        ratioMax,
        "×",
        ratio(runs, ({ wallMs }) => wallMs),
      ),
      // Uses the maximum, because a median would hide a copy that is too large.
      ...atMost("its largest size, to the limit", clip.bytesMax / 1e6, "MB", sizes && { ...sizes, median: sizes.max }),
    ];
  },
  faults: ({ faults }) => faults,
});
