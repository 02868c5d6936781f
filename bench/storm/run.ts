// `npm run bench -- storm`: a game that throws in every frame, and what the launcher makes of it. See ../README.md.
import { provideLauncher } from "../provide.ts";
import { machineAndNode } from "../results.ts";
import { measureStorm } from "./measure.ts";
import { readStormOptions, stormHelp } from "./options.ts";
import { stormReport } from "./report.ts";
import type { StormResults } from "./results.ts";
import { judgeStorm } from "./targets.ts";

export async function benchStorm(words: readonly string[]): Promise<void> {
  const options = readStormOptions(words);
  if (options === undefined) return console.log(stormHelp);
  provideLauncher();
  const at = new Date().toISOString();
  const figures = await measureStorm(options, (line) => console.error(`bench: ${line}`));
  const targets = judgeStorm(figures);
  const results: StormResults = { machine: machineAndNode(), at, quick: options.quick, figures, targets };
  console.log(options.json ? JSON.stringify(results, null, 2) : stormReport(results));
  if (targets.some(({ isPromise, reached }) => isPromise && !reached)) process.exitCode = 1;
}
