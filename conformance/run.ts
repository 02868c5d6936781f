// `npm run conform`: plays all cases in all engines of all bindings, and prints one table and one report.
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { absentOf, enginesRequired } from "../tools/engines/locate.ts";
import { type Arguments, Misunderstood, readArguments, usage } from "./src/arguments.ts";
import { allBindings, type Binding, bindingNamed } from "./src/binding.ts";
import { readCases } from "./src/cases.ts";
import { conform, type Outcome } from "./src/conform.ts";
import { readLauncherCases } from "./src/launcher-case.ts";
import { askLauncher } from "./src/launcher-side.ts";
import { withOwnLauncher } from "./src/own-launcher.ts";
import { faultsIn, hasFailed, type Shown, tableOf, writeJunit } from "./src/report.ts";
import { keepResults, staleResults } from "./src/results.ts";

/** Cases whose id starts with `start`. Throws if there is none, because a typo would otherwise pass. */
function chosen<One extends { readonly id: string }>(cases: readonly One[], start: string): One[] {
  const found = cases.filter(({ id }) => id.startsWith(start));
  if (found.length === 0) throw new Misunderstood(`no case has an id that begins with ${start}`);
  return found;
}

/** Plays the drivers of all available engines one at a time, and lists the missing engines. */
async function playAll(bindings: readonly Binding[], { engine, case: start }: Arguments) {
  const cases = chosen(readCases(), start);
  const all = bindings.flatMap((binding) => binding.drivers.map((driver) => ({ binding, driver })));
  const drivers = all.filter(({ driver }) => driver.engine.includes(engine));
  if (drivers.length === 0) throw new Misunderstood(`no engine's name holds "${engine}"`);
  const outcomes: Outcome[] = [];
  const absent: string[] = [];
  for (const { binding, driver } of drivers) {
    const missing = absentOf(driver.needs ?? []);
    if (missing.length > 0) {
      absent.push(`${binding.binding}, ${driver.engine}: not run, ${missing.join(" and ")} absent on this machine`);
      continue;
    }
    const its = cases.filter(({ id }) => id.startsWith(driver.only ?? ""));
    if (its.length === 0) continue;
    console.error(`${binding.binding}, ${driver.engine}: ${its.length} cases …`);
    outcomes.push(await conform(binding, driver, its));
  }
  if (outcomes.length + absent.length === 0) throw new Misunderstood(`no engine here plays cases like ${start}`);
  return { outcomes, absent };
}

const isWhole = ({ names, case: start, engine }: Arguments) => names.length === 0 && start === "" && engine === "";

/** Saves the results, or returns differences from the saved ones. */
function compareWithKept(outcomes: readonly Outcome[], { record }: Arguments): string[] {
  if (!record) return staleResults(outcomes);
  keepResults(outcomes);
  return [];
}

/** Prints tables and faults, and writes the report. Launchers have their own areas and table. */
function tell(outcomes: readonly Shown[], launchers: readonly Shown[], report: string): void {
  const all = [...outcomes, ...launchers];
  mkdirSync(dirname(report), { recursive: true });
  writeJunit(all, report);
  const tables = [outcomes, launchers].filter(({ length }) => length > 0).map(tableOf);
  say([...all.map(faultsIn).filter(Boolean), "", tables.join("\n\n")].join("\n"));
}

async function launcherAt(url: string, name: string, start = ""): Promise<Shown> {
  const beganMs = performance.now();
  const verdicts = await askLauncher(url, chosen(readLauncherCases(), start));
  const seconds = (performance.now() - beganMs) / 1000;
  return { binding: { binding: name }, engine: url, verdicts, seconds, output: "" };
}

async function judgeLauncher(url: string, { case: start, report }: Arguments): Promise<number> {
  if (!/^http:/i.test(url) || !URL.canParse(url)) throw new Misunderstood(`${url} is no address of a launcher`);
  const launcher = await launcherAt(url, "launcher", start);
  tell([], [launcher], report);
  return hasFailed(launcher) ? 1 : 0;
}

async function judgeBindings(given: Arguments): Promise<number> {
  if (given.record && !isWhole(given)) throw new Misunderstood("only a run of every case in every engine can be kept");
  const bindings = given.names.length === 0 ? allBindings() : given.names.map(bindingNamed);
  const { outcomes, absent } = await playAll(bindings, given);
  const launchers = isWhole(given) ? [await withOwnLauncher((url) => launcherAt(url, "Kit launcher"))] : [];
  tell(outcomes, launchers, given.report);
  for (const line of absent) say(line);
  const canBeKept = isWhole(given) && absent.length === 0;
  if (given.record && !canBeKept) say("not kept: only a run in every engine is");
  const stale = canBeKept ? compareWithKept(outcomes, given) : [];
  const hint = "conformance/results.json is not what was seen; see it, then: npm run conform -- --record";
  if (stale.length > 0) say(`\n${hint}\n${stale.join("\n")}`);
  const isMissing = absent.length > 0 && enginesRequired;
  const isNotKept = stale.length > 0 || (given.record && !canBeKept);
  return [...outcomes, ...launchers].some(hasFailed) || isNotKept || isMissing ? 1 : 0;
}

async function main(words: readonly string[]): Promise<number> {
  const given = readArguments(words);
  if (given.help) return say(usage);
  if (given.list)
    return say([...readCases(), ...readLauncherCases()].map(({ id, says }) => `${id}: ${says}`).join("\n"));
  return given.launcher === undefined ? judgeBindings(given) : judgeLauncher(given.launcher, given);
}

function say(text: string): number {
  console.log(text);
  return 0;
}

function codeOf(error: unknown): number {
  const isMisunderstood = error instanceof Misunderstood;
  console.error(`${(error as Error).message}${isMisunderstood ? `\n\n${usage}` : ""}`);
  return isMisunderstood ? 2 : 1;
}

process.exitCode = await main(process.argv.slice(2)).catch(codeOf);
