// `npm run bench -- capture`: what recording costs, and how soon a clip is there. See ../README.md.
import { openStage } from "../../launcher/test/recording-scene.ts";
import { absentOf } from "../../tools/engines/locate.ts";
import { provideLauncher } from "../provide.ts";
import { machineAndNode } from "../results.ts";
import { type CostRun, costRound } from "./cost.ts";
import { type CaptureOptions, captureHelp, readCaptureOptions } from "./options.ts";
import { measureReady, type ReadyRun } from "./ready.ts";
import { captureReport } from "./report.ts";
import { type CaptureResults, faultsOf } from "./results.ts";
import { judgeCapture } from "./targets.ts";

const say = (line: string) => console.error(`bench: ${line}`);

async function measureAll(options: CaptureOptions): Promise<CaptureResults> {
  await using stage = await openStage();
  const at = new Date().toISOString();
  const [cost, invalid]: [CostRun[], string[]] = [[], []];
  let ready: ReadyRun[] = [];
  for (let round = 1; round <= options.rounds; round += 1) {
    say(`round ${round} of ${options.rounds}`);
    try {
      const runs = await costRound(stage, round, options);
      const faults = options.quick ? [] : faultsOf(runs);
      if (faults.length === 0) cost.push(...runs);
      invalid.push(...faults);
    } catch (error) {
      invalid.push(`round ${round}: ${(error as Error).message}`);
    }
  }
  say(`${options.clips} clips`);
  try {
    ready = await measureReady(stage, options);
  } catch (error) {
    invalid.push(`clips: ${(error as Error).message}`);
  }
  return { machine: machineAndNode(), at, quick: options.quick, cost, ready, invalid };
}

export async function benchCapture(words: readonly string[]): Promise<void> {
  const options = readCaptureOptions(words);
  if (options === undefined) return console.log(captureHelp);
  const absent = absentOf(["Xvfb", "ffmpeg"]);
  if (absent.length > 0) throw new Error(`${absent.join(" and ")} absent. Run: node tools/engines/provide.ts`);
  provideLauncher();
  const results = await measureAll(options);
  const targets = judgeCapture(results);
  console.log(options.json ? JSON.stringify({ ...results, targets }, null, 2) : captureReport(results));
  if (results.invalid.length > 0) process.exitCode = 1;
}
