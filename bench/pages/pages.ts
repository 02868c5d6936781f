// `npm run bench -- pages`: measures the dashboard's pages with little and with much data. See ../README.md.
import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { openBrowser } from "../../launcher/test/support/browser.ts";
import { pathOf } from "../../tools/engines/locate.ts";
import { defineBench, inRounds, inTurn, type Say } from "../bench.ts";
import { atMost, type Column, cellsOf, headsOf, ratioOf, spreadOf, table, where } from "../figures.ts";
import { type Amount, amounts, inFolder, withFewAndMany } from "../machine.ts";
import { type Footage, fill, type Size } from "./fill.ts";
import { type ClipListRun, measureClipList, openTab, places, type Visit, type Visited } from "./visit.ts";

type VisitRun = Visit & { readonly amount: Amount; readonly round: number };
type Results = {
  readonly sizes: Readonly<Record<Amount, Size>>;
  readonly visits: readonly VisitRun[];
  readonly clipList: readonly ClipListRun[];
};

const sizeOf = (times: number): Size => ({ clips: 100 * times, events: 1_000 * times, sessions: 10 * times });

function makeFootage(folder: string): Footage {
  const video = join(folder, "clip.mp4");
  const poster = join(folder, "poster.jpg");
  const ffmpeg = (...words: readonly string[]) => execFileSync(pathOf("ffmpeg"), ["-v", "error", "-y", ...words]);
  ffmpeg("-f", "lavfi", "-i", "testsrc2=s=320x180:r=15:d=2", "-pix_fmt", "yuv420p", video);
  ffmpeg("-i", video, "-frames:v", "1", "-vf", "scale=320:-2", poster);
  return { video, poster, bytes: statSync(video).size };
}

/** Visits each page of both launchers in turn. */
async function visitAll(
  launchers: Readonly<Record<Amount, Visited>>,
  rounds: number,
  isQuick: boolean,
  say: Say,
): Promise<Pick<Results, "visits" | "clipList">> {
  await using opened = new AsyncDisposableStack();
  const browser = opened.adopt(await openBrowser([]), (each) => each.close());
  const tabs = { few: await openTab(browser, launchers.few), many: await openTab(browser, launchers.many) };
  const visitRound = async (round: number) => {
    const visits: VisitRun[] = [];
    for (const [index, place] of places.entries()) {
      for (const amount of inTurn(amounts, round + index)) {
        visits.push({ ...(await tabs[amount](place)), amount, round });
      }
    }
    return visits;
  };
  // Warm-up.
  if (!isQuick) await visitRound(0);
  const clipList: ClipListRun[] = [];
  const visits = await inRounds(rounds, say, async (round) => {
    const ofRound = await visitRound(round);
    clipList.push(await measureClipList(browser, launchers.many, round));
    return ofRound;
  });
  return { visits, clipList };
}

const visitColumns: readonly Column<VisitRun>[] = [
  ["content ms", "contentMs"],
  ["answer ms", "slowestMs"],
  ["moved", "shift", 4],
];
const clipListColumns: readonly Column<ClipListRun>[] = [
  ["first visit KiB", "firstVisitKib"],
  ["longest task while scrolling ms", "longestTaskMs"],
];

function tablesOf({ sizes: { few, many }, visits, clipList }: Results): string[] {
  const rows = places.map(({ page }) => [
    page,
    ...amounts.flatMap((amount) => cellsOf(where(visits, { page, amount }), visitColumns)),
  ]);
  const [content = "", ...others] = headsOf(visitColumns);
  const head = ["", `little: ${content}`, ...others, `much: ${content}`, ...others];
  return [
    `${few.clips} and ${many.clips} clips, ${few.events} and ${many.events} events, ${few.sessions} and ${many.sessions} sessions`,
    table("The pages: median of the rounds (min–max)", head, rows),
    table("The list of clips with much", headsOf(clipListColumns), [cellsOf(clipList, clipListColumns)]),
  ];
}

const contentMsMax = 1_000;
const answerMsMax = 100;
/** Maximum invisible layout shift. */
const shiftMax = 0.001;
const firstVisitKibMax = 1_024;
const longestTaskMsMax = 80;

export const pages = defineBench({
  summary: "the dashboard's pages with little and with much to show",
  about: `Measures the dashboard's pages in Chromium with little and with much to show: two launchers, visited in turn.
One launcher holds 100 clips, 1,000 events and 10 sessions, the other one a hundred times as much of each.`,
  flags: { rounds: { says: "rounds, each with every page of both launchers", usual: 7, quick: 1, most: 999 } },
  needs: ["Chromium", "ffmpeg"],
  usesLauncher: true,
  measure: ({ rounds, isQuick }, say) =>
    inFolder(async (folder): Promise<Results> => {
      const footage = makeFootage(folder);
      const sizes = { few: sizeOf(1), many: sizeOf(isQuick ? 3 : 100) };
      const write = (amount: Amount, dataDir: string) => {
        const { clips, events, sessions } = sizes[amount];
        say(`writing ${events} events, ${clips} clips and ${sessions} sessions`);
        fill(dataDir, sizes[amount], footage);
      };
      return withFewAndMany(write, async (launchers) => ({
        sizes,
        ...(await visitAll(launchers, rounds, isQuick, say)),
      }));
    }),
  tables: tablesOf,
  /** Targets for each page with much data, compared with little data. */
  targets: ({ visits, clipList }) => [
    ...places.flatMap(({ page }) => {
      const many = where(visits, { page, amount: "many" });
      const toLittle = ratioOf(many, where(visits, { page, amount: "few" }), "contentMs");
      return [
        ...atMost(`${page}: first content`, contentMsMax, "ms", spreadOf(many, "contentMs")),
        ...atMost(`${page}: first content, to little`, 2, "×", toLittle),
        ...atMost(`${page}: slowest answer to a key`, answerMsMax, "ms", spreadOf(many, "slowestMs")),
        ...atMost(`${page}: what moved by itself`, shiftMax, "", spreadOf(many, "shift")),
      ];
    }),
    ...atMost("Clips: first visit with an empty cache", firstVisitKibMax, "KiB", spreadOf(clipList, "firstVisitKib")),
    ...atMost("Clips: longest task while scrolling", longestTaskMsMax, "ms", spreadOf(clipList, "longestTaskMs")),
  ],
});
