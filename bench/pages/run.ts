// `npm run bench -- pages`: the dashboard's pages with little and with much to show. See ../README.md.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { openBrowser } from "../../launcher/test/browser.ts";
import { startLauncher } from "../../launcher/test/launcher-process.ts";
import { pathOf } from "../../tools/engines/locate.ts";
import { provideLauncher } from "../provide.ts";
import { machineAndNode } from "../results.ts";
import { inFolder } from "../subjects.ts";
import { type Footage, fill } from "./fill.ts";
import { type PageOptions, pagesHelp, readPageOptions, type Size } from "./options.ts";
import { places } from "./places.ts";
import { pagesReport } from "./report.ts";
import type { PageResults, Subject, Visit } from "./results.ts";
import { judgePages } from "./targets.ts";
import { openTab, type Visited } from "./visit.ts";

const say = (line: string) => console.error(`bench: ${line}`);
const subjects: readonly Subject[] = ["few", "many"];

type Running = Visited & { end(): Promise<void> };

function makeFootage(folder: string): Footage {
  const [video, poster] = [join(folder, "clip.mp4"), join(folder, "poster.jpg")];
  const ffmpeg = (...words: readonly string[]) => execFileSync(pathOf("ffmpeg"), ["-v", "error", "-y", ...words]);
  ffmpeg("-f", "lavfi", "-i", "testsrc2=s=320x180:r=15:d=2", "-pix_fmt", "yuv420p", video);
  ffmpeg("-i", video, "-frames:v", "1", "-vf", "scale=640:-2", poster);
  return { video, poster, bytes: statSync(video).size };
}

/** The launcher makes its own tables; then it is stopped, filled and started again. */
async function startFilled(dataDir: string, size: Size, footage: Footage): Promise<Running> {
  mkdirSync(dataDir);
  const empty = await startLauncher(dataDir);
  await empty.end("SIGTERM");
  say(`writing ${size.events} events, ${size.clips} clips and ${size.sessions} sessions`);
  fill(dataDir, size, footage);
  const { port, end } = await startLauncher(dataDir);
  return { port, secret: readFileSync(join(dataDir, "secret"), "utf8").trim(), end: () => end("SIGTERM") };
}

/** Each place of both launchers, in turn, and who is first changes: what disturbs one disturbs the other. */
async function measure({ rounds, quick }: PageOptions, launchers: Record<Subject, Visited>): Promise<Visit[]> {
  const browser = await openBrowser([]);
  try {
    const tabs = { few: await openTab(browser, launchers.few), many: await openTab(browser, launchers.many) };
    const visits: Visit[] = [];
    // Round 0 fills the caches of browser and disk, and is not counted; figures that mean nothing do without it.
    for (let round = quick ? 1 : 0; round <= rounds; round += 1) {
      if (round > 0) say(`round ${round} of ${rounds}`);
      for (const [index, place] of places.entries()) {
        for (const subject of (round + index) % 2 === 0 ? subjects : subjects.toReversed()) {
          const visit = await tabs[subject](place);
          if (round > 0) visits.push({ ...visit, subject, round });
        }
      }
    }
    return visits;
  } finally {
    await browser.close();
  }
}

async function measureAll(options: PageOptions): Promise<PageResults> {
  const { few, many, quick } = options;
  const at = new Date().toISOString();
  return inFolder(async (folder) => {
    const footage = makeFootage(folder);
    const launchers = {
      few: await startFilled(join(folder, "few"), few, footage),
      many: await startFilled(join(folder, "many"), many, footage),
    };
    try {
      const visits = await measure(options, launchers);
      return { machine: machineAndNode(), at, quick, sizes: { few, many }, visits };
    } finally {
      await Promise.all([launchers.few.end(), launchers.many.end()]);
    }
  });
}

export async function benchPages(words: readonly string[]): Promise<void> {
  const options = readPageOptions(words);
  if (options === undefined) return console.log(pagesHelp);
  provideLauncher();
  const results = await measureAll(options);
  const targets = judgePages(results);
  console.log(options.json ? JSON.stringify({ ...results, targets }, null, 2) : pagesReport(results));
}
