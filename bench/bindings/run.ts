// `npm run bench -- bindings`: what a call of each binding costs the game. See ../README.md.
import { absentOf } from "../../tools/engines/locate.ts";
import { provideLauncher } from "../provide.ts";
import { machineAndNode } from "../results.ts";
import { measureCalls } from "./calls.ts";
import { type EngineName, engines, type MeasuredEngine } from "./engines.ts";
import { judge } from "./limits.ts";
import { type BindingOptions, bindingsHelp, readBindingOptions } from "./options.ts";
import { fullSizes, launcherStates, quickSizes } from "./plan.ts";
import { bindingsReport } from "./report.ts";
import { type BindingResults, type EngineResults, faultsOf } from "./results.ts";
import { measureStorm } from "./storm.ts";

const say = (line: string) => console.error(`bench: ${line}`);

async function measureEngine(name: EngineName, quick: boolean): Promise<EngineResults> {
  const sizes = quick ? quickSizes : fullSizes;
  const { title, start, callsPerFrame, peer }: MeasuredEngine = engines[name];
  const withPeer = peer !== undefined && !quick;
  const calls: EngineResults["calls"][number][] = [];
  for (const state of launcherStates) {
    say(`${title}: launcher ${state}`);
    const run = await measureCalls(start(withPeer), state, { sizes, callsPerFrame, withPeer });
    calls.push(...run.figures);
  }
  say(`${title}: storm`);
  const storm = await measureStorm(start(withPeer), sizes);
  return { name, engine: storm.engine, calls, storm };
}

async function measureAll({ engines: names, quick }: BindingOptions): Promise<BindingResults> {
  const at = new Date().toISOString();
  const measured: EngineResults[] = [];
  const absent: string[] = [];
  const invalid: string[] = [];
  for (const name of names) {
    const missing = absentOf([...engines[name].needs]);
    if (missing.length > 0) {
      absent.push(`${name}: ${missing.join(" and ")} absent on this machine`);
      continue;
    }
    try {
      const results = await measureEngine(name, quick);
      measured.push(results);
      invalid.push(...faultsOf(results));
    } catch (error) {
      invalid.push(`${name}: ${(error as Error).message}`);
    }
  }
  return { machine: machineAndNode(), at, quick, engines: measured, absent, invalid };
}

export async function benchBindings(words: readonly string[]): Promise<void> {
  const options = readBindingOptions(words);
  if (options === undefined) return console.log(bindingsHelp);
  provideLauncher();
  const results = await measureAll(options);
  const judged = results.engines.map((engine) => ({ ...engine, limits: judge(engine) }));
  console.log(options.json ? JSON.stringify({ ...results, engines: judged }, null, 2) : bindingsReport(results));
  if (results.invalid.length > 0) process.exitCode = 1;
}
