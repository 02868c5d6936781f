// `npm run conform`: plays all cases in all engines of all bindings, and prints one table.
import { absentOf, enginesRequired } from "../tools/engines/locate.ts";
import { type Arguments, Misunderstood, readArguments, usage } from "./src/arguments.ts";
import { allBindings, type Binding, bindingNamed } from "./src/binding.ts";
import { readCases } from "./src/cases.ts";
import { conform, type Outcome } from "./src/conform.ts";
import { faultsIn, hasFailed, tableOf } from "./src/report.ts";

/** Plays the drivers of all available engines one at a time, and lists the missing engines. */
async function playAll(bindings: readonly Binding[], { engine, case: start }: Arguments) {
  const cases = readCases().filter(({ id }) => id.startsWith(start));
  // A typo would otherwise pass.
  if (cases.length === 0) throw new Misunderstood(`no case has an id that begins with ${start}`);
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

async function main(words: readonly string[]): Promise<number> {
  const given = readArguments(words);
  if (given.help) return say(usage);
  if (given.list)
    return say(
      readCases()
        .map(({ id, says }) => `${id}: ${says}`)
        .join("\n"),
    );
  const bindings = given.names.length === 0 ? allBindings() : given.names.map(bindingNamed);
  const { outcomes, absent } = await playAll(bindings, given);
  const table = outcomes.length > 0 ? [tableOf(outcomes)] : [];
  say([...outcomes.map(faultsIn).filter(Boolean), "", ...table, ...absent].join("\n"));
  return outcomes.some(hasFailed) || (absent.length > 0 && enginesRequired) ? 1 : 0;
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
