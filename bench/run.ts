// `npm run bench [-- suite…] [options]`: runs suites, and compares their ratios with the targets in README.md.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { absentOf } from "../tools/engines/locate.ts";
import { capture } from "./capture.ts";
import { type Figure, figuresTable, judge, readTargets, verdictsTable } from "./figures.ts";
import { hour } from "./hour.ts";
import { launcher } from "./launcher.ts";
import { describeMachine } from "./machine.ts";
import { scale } from "./scale.ts";
import type { Suite } from "./suite.ts";

const suites: Readonly<Record<string, Suite>> = { launcher, capture, scale };

const usage = `Measures Kit beside its peers, in one run on one computer.

  npm run bench [-- suite…] [options]

${Object.entries(suites)
  .map(([name, { says }]) => `  ${name.padEnd(12)}${says}`)
  .join("\n")}

  --hour      with capture: ${hour.says}
  --rounds N  rounds of each suite, each with every subject in turn
  --quick     short and small: shows that it runs; its figures mean nothing
  --json      prints every figure as JSON
  --help      this text

Let nothing else run meanwhile. The exit code is 1 if a figure is worth nothing or a promise was broken, not if a target is missed.`;

const say = (line: string) => console.error(`bench: ${line}`);

type Options = { readonly rounds: number | undefined; readonly isQuick: boolean; readonly json: boolean };

async function runSuite(name: string, suite: Suite, { rounds = suite.rounds, isQuick, json }: Options) {
  const absent = absentOf(suite.needs);
  if (absent.length > 0) throw new Error(`${absent.join(" and ")} absent. Run: node tools/engines/provide.ts`);
  const figures: Figure[] = [];
  const faults: string[] = [];
  await suite.measure({
    rounds: isQuick ? 1 : rounds,
    isQuick,
    add: (measure, subject, round, value) => void figures.push({ measure, subject, round, value }),
    fault: (says) => {
      faults.push(says);
      say(`INVALID ${says}`);
    },
    say: (line) => say(`${name}: ${line}`),
  });
  const targets = readTargets(readFileSync(join(import.meta.dirname, "README.md"), "utf8"));
  const verdicts = targets.filter(({ suite }) => suite === name).map((target) => judge(target, figures));
  const facts = { suite: name, machine: describeMachine(), at: new Date().toISOString(), isQuick };
  if (json) console.log(JSON.stringify({ ...facts, figures, verdicts, faults }));
  else {
    const head = `${name}: ${facts.machine}, ${facts.at}${isQuick ? "\nA quick run: its figures mean nothing." : ""}`;
    const invalid = faults.map((fault) => `INVALID ${fault}`).join("\n");
    const judged = verdicts.length === 0 ? "" : verdictsTable(verdicts);
    console.log([head, figuresTable(figures), judged, invalid].filter((part) => part !== "").join("\n\n"), "\n");
  }
  if (faults.length > 0) process.exitCode = 1;
}

async function main(): Promise<void> {
  const flag = { type: "boolean", default: false } as const;
  const options = { rounds: { type: "string" }, quick: flag, hour: flag, json: flag, help: flag } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (values.help) return console.log(usage);
  const unknown = positionals.find((name) => !Object.hasOwn(suites, name));
  if (unknown !== undefined)
    throw new Error(`There is no suite ${unknown}. There are: ${Object.keys(suites).join(", ")}`);
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0))
    throw new Error("--rounds needs a whole number from 1");
  const isHour = values.hour && positionals.join() === "capture";
  if (values.hour && !isHour) throw new Error("--hour belongs to capture alone: npm run bench -- capture --hour");
  const bundle = join(import.meta.dirname, "../tools/bundle.ts");
  const built = spawnSync(process.execPath, [bundle, "--if-stale"], { stdio: ["ignore", 2, 2] });
  if (built.status !== 0) throw new Error("The launcher could not be built. The reason is above.");
  const chosen = isHour ? { hour } : suites;
  for (const [name, suite] of Object.entries(chosen)) {
    if (!isHour && positionals.length > 0 && !positionals.includes(name)) continue;
    await runSuite(name, suite, { rounds, isQuick: values.quick, json: values.json });
  }
}

try {
  await main();
} catch (error) {
  console.error(`bench: ${(error as Error).message}`);
  process.exitCode = 1;
}
