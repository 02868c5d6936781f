// `npm run bench -- senders`: whether Kit knows who sent an event, and what knowing it costs. See ../README.md.
import { startOwnLauncher } from "../../launcher/test/own-launcher.ts";
import { provideLauncher } from "../provide.ts";
import { machineAndNode } from "../results.ts";
import { costOf } from "./cost.ts";
import { playThree } from "./games.ts";
import { readSenderOptions, type SenderOptions, sendersHelp } from "./options.ts";
import { sendersReport } from "./report.ts";
import { type CostRun, connectionWays, type GameRun, type SenderResults } from "./results.ts";
import { judgeSenders } from "./targets.ts";

const say = (line: string) => console.error(`bench: ${line}`);
/** Nothing is to be recorded of the events that only measure. */
const started = (senders: "on" | "off") => startOwnLauncher({ env: { KIT_SENDERS: senders, DISPLAY: "" } });

async function measureGames(runs: number): Promise<GameRun[]> {
  await using launcher = await started("on");
  const games: GameRun[] = [];
  for (let run = 1; run <= runs; run += 1) {
    if (run % 20 === 1) say(`three games at once, ${run} of ${runs}`);
    games.push(await playThree(launcher));
  }
  return games;
}

async function measureCosts({ rounds, events }: SenderOptions): Promise<CostRun[]> {
  await using on = await started("on");
  await using off = await started("off");
  const costs: CostRun[] = [];
  // Round 0 finds code that was never run, and is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    say(`round ${round} of ${rounds}`);
    for (const way of connectionWays) {
      for (const looked of round % 2 === 0 ? [true, false] : [false, true]) {
        const { p50Ms, p99Ms } = await costOf((looked ? on : off).port, way, events);
        if (round > 0) costs.push({ round, looked, way, p50Ms, p99Ms });
      }
    }
  }
  return costs;
}

export async function benchSenders(words: readonly string[]): Promise<void> {
  const options = readSenderOptions(words);
  if (options === undefined) return console.log(sendersHelp);
  if (process.platform !== "linux") throw new Error("Who sends an event is looked for on Linux only.");
  provideLauncher();
  const at = new Date().toISOString();
  const games = await measureGames(options.runs);
  const costs = await measureCosts(options);
  const results: SenderResults = { machine: machineAndNode(), at, quick: options.quick, games, costs };
  const targets = judgeSenders(results);
  console.log(options.json ? JSON.stringify({ ...results, targets }, null, 2) : sendersReport(results));
}
