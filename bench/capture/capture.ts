// `npm run bench -- capture`: measures the cost of recording and the delay of clips. See ../README.md.
import { openStage } from "../../launcher/test/recording/scene.ts";
import { defineBench } from "../bench.ts";
import { ratioOf, spreadOf } from "../figures.ts";
import { shown, shownOf, table } from "../tables.ts";
import { atMost } from "../targets.ts";
import { type CaptureOptions, type CostRun, type CostSubject, costRound, costSubjects } from "./cost.ts";
import { measureReady, type ReadyRun } from "./ready.ts";

type Results = {
  readonly cost: readonly CostRun[];
  readonly ready: readonly ReadyRun[];
  /** Invalid rounds with reasons. They are excluded from the results. */
  readonly faults: readonly string[];
};

const ratioMax = 1.05;
const readyMsMax = 250;
/** Minimum captured frame rate. A capture that drops frames does less work and must not be compared. */
const frameRateMin = 28.5;

const names: Readonly<Record<CostSubject, string>> = {
  kit: "Kit: the launcher and its capture",
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

async function measure(rounds: number, options: CaptureOptions, say: (line: string) => void): Promise<Results> {
  await using stage = await openStage();
  const cost: CostRun[] = [];
  const faults: string[] = [];
  const attempt = async (what: string, work: () => Promise<void>) => {
    say(what);
    await work().catch((error: Error) => faults.push(`${what}: ${error.message}`));
  };
  for (let round = 1; round <= rounds; round += 1) {
    await attempt(`round ${round} of ${rounds}`, async () => {
      const runs = await costRound(stage, round, options);
      const found = options.isQuick ? [] : faultsOf(runs);
      if (found.length === 0) cost.push(...runs);
      faults.push(...found);
    });
  }
  let ready: ReadyRun[] = [];
  await attempt(`${options.clips} clips`, async () => {
    ready = await measureReady(stage, options);
  });
  return { cost, ready, faults };
}

const megabytes = (bytes: number) => bytes / 1e6;

function costTable(cost: readonly CostRun[]): string {
  const rows = costSubjects.flatMap((subject) => {
    const own = cost.filter((run) => run.subject === subject);
    if (subject === "nothing" || own.length === 0) return [];
    const figures = [
      shownOf(own, ({ cpuPercent }) => cpuPercent, 1),
      shownOf(own, ({ residentBytes }) => megabytes(residentBytes)),
      shownOf(own, ({ frameRate }) => frameRate, 1),
    ];
    return [[names[subject], ...figures]];
  });
  const head = ["", "% of a core", "MB resident", "frames a second"];
  return table("Recording 1280×720 at 30: median (min–max)", head, rows);
}

/** Splits the launcher's memory into Node, footage and the rest. */
function partsTable(cost: readonly CostRun[]): string {
  const parts = cost.flatMap((run) => run.parts ?? []);
  if (parts.length === 0) return "";
  const rows = [
    ["launcher before it records", shownOf(parts, (part) => megabytes(part.launcherIdleBytes)), "MB"],
    ["launcher while it records", shownOf(parts, (part) => megabytes(part.launcherBytes)), "MB"],
    ["of that, footage it holds", shownOf(parts, (part) => megabytes(part.heldBytes), 1), "MB"],
    ["the footage's length", shownOf(parts, (part) => part.heldSeconds, 1), "s"],
    ["its capture", shownOf(parts, (part) => megabytes(part.captureBytes)), "MB"],
    ["launcher without its capture", shownOf(parts, (part) => part.launcherCpuPercent, 2), "% of a core"],
  ];
  return table("What Kit's figures are made of", ["", "", ""], rows);
}

function gameTable(cost: readonly CostRun[]): string {
  const of = (subject: CostSubject) => cost.filter((run) => run.subject === subject);
  const p99 = ({ game }: CostRun) => game.p99Ms;
  const rows = costSubjects.map((subject) => [
    names[subject],
    shownOf(of(subject), ({ game }) => game.medianMs, 2),
    shownOf(of(subject), p99, 2),
    shown(subject === "nothing" ? undefined : ratioOf(of(subject), of("nothing"), p99), 2),
    shownOf(of(subject), ({ game }) => game.frameRate, 1),
  ]);
  const title = "The game beside it: time to paint one frame";
  return cost.length === 0 ? "" : table(title, ["", "median ms", "p99 ms", "× no capture", "frames a second"], rows);
}

function readyTable(ready: readonly ReadyRun[]): string {
  if (ready.length === 0) return "";
  const rows = [
    ["receipt says saved, ms", shownOf(ready, ({ readyMs }) => readyMs)],
    ["seen from outside, ms", shownOf(ready, ({ seenMs }) => seenMs)],
    ["plain copy and fsync, ms", shownOf(ready, ({ copyMs }) => copyMs)],
    ["length of the clip, s", shownOf(ready, ({ duration }) => duration, 2)],
    ["size of the clip, MB", shownOf(ready, ({ bytes }) => megabytes(bytes), 1)],
  ];
  return table("A clip, after its last second: median (min–max)", ["", ""], rows);
}

export const capture = defineBench({
  summary: "what recording costs, and how soon a clip is there",
  about: `Measures what recording costs: the launcher recording a game at 720p30 beside the same ffmpeg alone, the game with
and without, and how soon a clip of 17 s is ready, beside a plain copy of it.`,
  flags: {
    rounds: { says: "rounds, each with every subject in turn", usual: 5, quick: 1 },
    seconds: { says: "length of each measurement", usual: 20, quick: 3 },
    held: {
      says: "seconds of footage the replay buffer holds, and is filled with before",
      usual: 30,
      quick: 20,
      least: 20,
    },
    clips: { says: "clips that are timed", usual: 9, quick: 1 },
  },
  needs: ["Xvfb", "ffmpeg"],
  usesLauncher: true,
  measure({ rounds, seconds, held, clips, isQuick }, say) {
    const fillSeconds = isQuick ? 2 : held - 2;
    return measure(rounds, { seconds, heldSeconds: held, fillSeconds, clips, isQuick }, say);
  },
  tables: ({ cost, ready }) => [costTable(cost), partsTable(cost), gameTable(cost), readyTable(ready)],
  targets({ cost, ready }) {
    const of = (subject: CostSubject) => cost.filter((run) => run.subject === subject);
    const toFfmpeg = (value: (run: CostRun) => number) => ratioOf(of("kit"), of("ffmpeg"), value);
    const alone = "while recording, to the same ffmpeg alone";
    return [
      ...atMost(
        `processor ${alone}`,
        ratioMax,
        "×",
        toFfmpeg((run) => run.cpuPercent),
      ),
      ...atMost(
        `memory ${alone}`,
        ratioMax,
        "×",
        toFfmpeg((run) => run.residentBytes),
      ),
      ...atMost(
        "clip of 17 s ready after its last second",
        readyMsMax,
        "ms",
        spreadOf(ready.map((run) => run.readyMs)),
      ),
    ];
  },
  faults: ({ faults }) => faults,
});
