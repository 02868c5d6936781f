// `npm run bench -- capture`: measures the cost of recording and the delay of clips. See ../README.md.
import { openStage } from "../../launcher/test/recording/scene.ts";
import { defineBench, inRounds, type Say } from "../bench.ts";
import { atMost, type Column, ratioOf, runTable, spreadOf, where } from "../figures.ts";
import {
  type CaptureOptions,
  type CostRun,
  type CostSubject,
  costRound,
  costSubjects,
  measureReady,
  type ReadyRun,
} from "./measure.ts";

type Results = {
  readonly cost: readonly CostRun[];
  readonly ready: readonly ReadyRun[];
  /** Invalid rounds with reasons. They are excluded from the results. */
  readonly faults: readonly string[];
};

const ratioMax = 1.05;
const windowRatioMax = 1.1;
const readyMsMax = 250;
/** Minimum captured frame rate. A capture that drops frames does less work and must not be compared. */
const frameRateMin = 28.5;

const names: Readonly<Record<CostSubject, string>> = {
  kit: "Kit: the launcher and its capture",
  window: "Kit, which captures the window alone",
  ffmpeg: "the same ffmpeg, writing nowhere",
  nothing: "no capture",
};

/** Reasons why rounds are invalid. */
export const faultsOf = (runs: readonly CostRun[]): string[] =>
  runs
    .filter(({ subject, frameRate }) => subject !== "nothing" && !(frameRate >= frameRateMin))
    .map(
      ({ subject, round, frameRate }) => `round ${round}: ${subject} captured ${frameRate.toFixed(1)} frames a second`,
    );

async function measure(rounds: number, options: CaptureOptions, say: Say): Promise<Results> {
  await using stage = await openStage();
  const faults: string[] = [];
  const attempt = async <R>(what: string, work: () => Promise<R[]>): Promise<R[]> => {
    try {
      return await work();
    } catch (error) {
      faults.push(`${what}: ${(error as Error).message}`);
      return [];
    }
  };
  const cost = await inRounds(rounds, say, (round) =>
    attempt(`round ${round}`, async () => {
      const runs = await costRound(stage, round, options);
      const found = options.isQuick ? [] : faultsOf(runs);
      faults.push(...found);
      return found.length === 0 ? runs : [];
    }),
  );
  say(`${options.clips} clips`);
  const ready = await attempt("clips", () => measureReady(stage, options));
  return { cost, ready, faults };
}

const withServer = ({ cpuPercent, serverPercent }: CostRun) => cpuPercent + serverPercent;

const costColumns: readonly Column<CostRun>[] = [
  ["% of a core", "cpuPercent", 1],
  ["% of the X server", "serverPercent", 1],
  ["MB resident", ({ residentBytes }) => residentBytes / 1e6],
  ["frames a second", "frameRate", 1],
];
const gameColumns: readonly Column<CostRun>[] = [
  ["median ms", ({ game }) => game.medianMs, 2],
  ["p99 ms", ({ game }) => game.p99Ms, 2],
  ["frames a second", ({ game }) => game.frameRate, 1],
];
const readyColumns: readonly Column<ReadyRun>[] = [
  ["ms until saved", "readyMs"],
  ["s of clip", "duration", 2],
  ["MB", ({ bytes }) => bytes / 1e6, 1],
];

function tablesOf({ cost, ready }: Results): string[] {
  const groups = costSubjects.map((subject) => [names[subject], where(cost, { subject })] as const);
  return [
    runTable("Recording 1280×720 at 30: median (min–max)", costColumns, groups.slice(0, 3)),
    runTable("The game beside it: time to paint one frame", gameColumns, groups),
    runTable("After a clip's last second: median (min–max)", readyColumns, [["clips", ready]]),
  ];
}

export const capture = defineBench({
  summary: "what recording costs, and how soon a clip is there",
  about: `Measures what recording costs: the launcher recording a game at 720p30 beside the same ffmpeg alone, the game with
and without, and how soon a clip of 17 s is ready.`,
  flags: {
    rounds: { says: "rounds, each with every subject in turn", usual: 5, quick: 1 },
    seconds: { says: "length of each measurement", usual: 20, quick: 3 },
    held: { says: "seconds of footage in the replay buffer, which is filled before", usual: 30, quick: 20, least: 20 },
    clips: { says: "clips that are timed", usual: 9, quick: 1 },
  },
  needs: ["Xvfb", "ffmpeg"],
  usesLauncher: true,
  measure({ rounds, seconds, held, clips, isQuick }, say) {
    const fillSeconds = isQuick ? 2 : held - 2;
    return measure(rounds, { seconds, heldSeconds: held, fillSeconds, clips, isQuick }, say);
  },
  tables: tablesOf,
  targets({ cost, ready }) {
    const toFfmpeg = (value: "cpuPercent" | "residentBytes") =>
      ratioOf(where(cost, { subject: "kit" }), where(cost, { subject: "ffmpeg" }), value);
    const alone = "while recording, to the same ffmpeg alone";
    return [
      ...atMost(`processor ${alone}`, ratioMax, "×", toFfmpeg("cpuPercent")),
      ...atMost(`memory ${alone}`, ratioMax, "×", toFfmpeg("residentBytes")),
      ...atMost(
        "processor while recording a window, with the X server, to recording the same area",
        windowRatioMax,
        "×",
        ratioOf(where(cost, { subject: "window" }), where(cost, { subject: "kit" }), withServer),
      ),
      ...atMost("clip of 17 s ready after its last second", readyMsMax, "ms", spreadOf(ready, "readyMs")),
    ];
  },
  faults: ({ faults }) => faults,
});
