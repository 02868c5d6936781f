// `npm run bench -- pages`: measures the dashboard's pages with little and with much data. See ../README.md.
import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { openBrowser } from "../../launcher/test/support/browser.ts";
import { pathOf } from "../../tools/engines/locate.ts";
import { defineBench } from "../bench.ts";
import { ratioOf, spreadOf } from "../figures.ts";
import { startFilled } from "../filled.ts";
import { inFolder } from "../machine.ts";
import { shownOf, table } from "../tables.ts";
import { atMost } from "../targets.ts";
import { type ClipListRun, measureClipList } from "./clip-list.ts";
import { type Footage, fill, type Size } from "./fill.ts";
import { places } from "./places.ts";
import { openTab, type Visit, type Visited } from "./visit.ts";

const subjects = ["few", "many"] as const;
type Subject = (typeof subjects)[number];

type VisitRun = Visit & { readonly subject: Subject; readonly round: number };
type Results = {
  readonly sizes: Readonly<Record<Subject, Size>>;
  readonly visits: readonly VisitRun[];
  readonly clipList: readonly ClipListRun[];
};

const contentMsMax = 1_000;
const answerMsMax = 100;
/** Maximum invisible layout shift. */
const shiftMax = 0.001;
const firstVisitKibMax = 1_024;
const longestTaskMsMax = 80;

const sizeOf = (times: number): Size => ({ clips: 100 * times, events: 1_000 * times, sessions: 10 * times });

function makeFootage(folder: string): Footage {
  const video = join(folder, "clip.mp4");
  const poster = join(folder, "poster.jpg");
  const ffmpeg = (...words: readonly string[]) => execFileSync(pathOf("ffmpeg"), ["-v", "error", "-y", ...words]);
  ffmpeg("-f", "lavfi", "-i", "testsrc2=s=320x180:r=15:d=2", "-pix_fmt", "yuv420p", video);
  ffmpeg("-i", video, "-frames:v", "1", "-vf", "scale=320:-2", poster);
  return { video, poster, bytes: statSync(video).size };
}

/** Visits each page of both launchers in alternating order, so that disturbances affect both. */
async function visitAll(
  launchers: Readonly<Record<Subject, Visited>>,
  rounds: number,
  isQuick: boolean,
  say: (line: string) => void,
): Promise<Pick<Results, "visits" | "clipList">> {
  await using opened = new AsyncDisposableStack();
  const browser = opened.adopt(await openBrowser([]), (each) => each.close());
  const tabs = { few: await openTab(browser, launchers.few), many: await openTab(browser, launchers.many) };
  const visits: VisitRun[] = [];
  const clipList: ClipListRun[] = [];
  // Round 0 is a warm-up, which a quick run skips.
  for (let round = isQuick ? 1 : 0; round <= rounds; round += 1) {
    if (round > 0) say(`round ${round} of ${rounds}`);
    for (const [index, place] of places.entries()) {
      for (const subject of (round + index) % 2 === 0 ? subjects : subjects.toReversed()) {
        const visit = await tabs[subject](place);
        if (round > 0) visits.push({ ...visit, subject, round });
      }
    }
    if (round > 0) clipList.push(await measureClipList(browser, launchers.many, round));
  }
  return { visits, clipList };
}

const visitsOf = ({ visits }: Results, page: string, subject: Subject) =>
  visits.filter((visit) => visit.page === page && visit.subject === subject);

function tablesOf(results: Results): string[] {
  const { few, many } = results.sizes;
  const rows = places.map(({ page }) => [
    page,
    ...subjects.flatMap((subject) => {
      const runs = visitsOf(results, page, subject);
      return [
        shownOf(runs, ({ contentMs }) => contentMs),
        shownOf(runs, ({ slowestMs }) => slowestMs),
        shownOf(runs, ({ shift }) => shift, 4),
      ];
    }),
  ]);
  const head = ["", "little: content ms", "answer ms", "moved", "much: content ms", "answer ms", "moved"];
  return [
    `${few.clips} and ${many.clips} clips, ${few.events} and ${many.events} events, ${few.sessions} and ${many.sessions} sessions`,
    table("The pages: median of the rounds (min–max)", head, rows),
    table(
      "The list of clips with much",
      ["first visit KiB", "longest task while scrolling ms"],
      [[shownOf(results.clipList, (run) => run.firstVisitKib), shownOf(results.clipList, (run) => run.longestTaskMs)]],
    ),
  ];
}

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
      const start = (subject: Subject) => {
        const size = sizes[subject];
        say(`writing ${size.events} events, ${size.clips} clips and ${size.sessions} sessions`);
        return startFilled(join(folder, subject), (dataDir) => fill(dataDir, size, footage));
      };
      await using opened = new AsyncDisposableStack();
      const launchers = { few: opened.use(await start("few")), many: opened.use(await start("many")) };
      return { sizes, ...(await visitAll(launchers, rounds, isQuick, say)) };
    }),
  tables: tablesOf,
  /** Targets for each page with much data, compared with little data. */
  targets: (results) => [
    ...places.flatMap(({ page }) => {
      const many = visitsOf(results, page, "many");
      const spread = (value: (visit: Visit) => number) => spreadOf(many.map(value));
      const toLittle = ratioOf(many, visitsOf(results, page, "few"), ({ contentMs }) => contentMs);
      return [
        ...atMost(
          `${page}: first content`,
          contentMsMax,
          "ms",
          spread((visit) => visit.contentMs),
        ),
        ...atMost(`${page}: first content, to little`, 2, "×", toLittle),
        ...atMost(
          `${page}: slowest answer to a key`,
          answerMsMax,
          "ms",
          spread((visit) => visit.slowestMs),
        ),
        ...atMost(
          `${page}: what moved by itself`,
          shiftMax,
          "",
          spread((visit) => visit.shift),
        ),
      ];
    }),
    ...atMost(
      "Clips: first visit with an empty cache",
      firstVisitKibMax,
      "KiB",
      spreadOf(results.clipList.map((run) => run.firstVisitKib)),
    ),
    ...atMost(
      "Clips: longest task while scrolling",
      longestTaskMsMax,
      "ms",
      spreadOf(results.clipList.map((run) => run.longestTaskMs)),
    ),
  ],
});
