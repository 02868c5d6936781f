// `npm run bench -- fit`: what it takes to make a clip fit where it is posted. See ../README.md.
import { absentOf } from "../../tools/engines/locate.ts";
import { machineAndNode } from "../results.ts";
import { inFolder } from "../subjects.ts";
import { bytesPerSecond, makeClip, measureFit } from "./measure.ts";
import { type FitOptions, fitHelp, readFitOptions } from "./options.ts";
import { playInBrowser } from "./play.ts";
import { fitReport } from "./report.ts";
import { type FitResults, playFaults } from "./results.ts";
import { judgeFit } from "./targets.ts";

const say = (line: string) => console.error(`bench: ${line}`);

async function measureAll(options: FitOptions): Promise<FitResults> {
  const at = new Date().toISOString();
  const { quick, seconds } = options;
  return inFolder(async (folder) => {
    say(`a clip of ${seconds} s`);
    const media = await makeClip(folder, seconds, quick ? 360 : 1_080);
    const { runs, path } = await measureFit(folder, media, options, say);
    const played = await playInBrowser(path);
    const clip = { seconds, bytes: media.bytes, bytesMax: Math.floor(seconds * bytesPerSecond) };
    return { machine: machineAndNode(), at, quick, clip, runs, played, invalid: playFaults(played, seconds) };
  });
}

export async function benchFit(words: readonly string[]): Promise<void> {
  const options = readFitOptions(words);
  if (options === undefined) return console.log(fitHelp);
  const absent = absentOf(["ffmpeg", "Chromium"]);
  if (absent.length > 0) throw new Error(`${absent.join(" and ")} absent. Run: node tools/engines/provide.ts`);
  const results = await measureAll(options);
  const targets = judgeFit(results);
  console.log(options.json ? JSON.stringify({ ...results, targets }, null, 2) : fitReport(results));
  if (results.invalid.length > 0) process.exitCode = 1;
}
