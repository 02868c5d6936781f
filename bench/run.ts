// `npm run bench [-- <bench>] [options]`: runs a benchmark and prints its report. See README.md.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { absentOf } from "../tools/engines/locate.ts";
import { type Bench, type Flag, type Options, type RunFacts, reportOf } from "./bench.ts";
import { bindings } from "./bindings/bindings.ts";
import { capture } from "./capture/capture.ts";
import { soak } from "./capture/soak.ts";
import { fit } from "./fit/fit.ts";
import { forwarding } from "./forwarding.ts";
import { issues } from "./issues/issues.ts";
import { launcher } from "./launcher/launcher.ts";
import { describeMachine } from "./machine.ts";
import { pages } from "./pages/pages.ts";
import { reel } from "./reel.ts";
import { senders } from "./senders.ts";
import { storm } from "./storm/storm.ts";

const benches: Readonly<Record<string, Bench>> = {
  launcher,
  bindings,
  capture,
  fit,
  forwarding,
  issues,
  pages,
  reel,
  senders,
  soak,
  storm,
};
/** The default benchmark. */
const usual = "launcher";

const say = (line: string) => console.error(`bench: ${line}`);

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows.map(([name, says]) => `  ${name.padEnd(width)}${says}`).join("\n");
}

function helpOf(name: string, { about, flags, parts }: Bench): string {
  const others = Object.entries(benches).filter(([other]) => other !== name);
  const rows = Object.entries(flags).map(([flag, { says, usual }]) => [`--${flag} N`, `${says} (${usual})`]);
  const options = [
    ...rows,
    ...(parts ? [["--only A,B", "only these"]] : []),
    ["--quick", "short and small: shows that it runs, its figures mean nothing"],
    ["--json", "print JSON with every single run instead of tables"],
    ["--help", "this text"],
  ] as [string, string][];
  return [
    about,
    `  npm run bench -- ${name === usual ? "" : `${name} `}[options]`,
    columns(options),
    ...(parts ? [`--only takes:\n${columns(Object.entries(parts))}`] : []),
    ...(name === usual ? [`Other benches:\n${columns(others.map(([other, { summary }]) => [other, summary]))}`] : []),
    "Let nothing else run meanwhile: the figures are of the whole machine. Ends with 1 when a run was worth nothing or a promise was broken.",
  ].join("\n\n");
}

function numberOf(name: string, text: string, { least = 1, most = 1_000_000 }: Flag): number {
  const number = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new Error(`--${name} is ${JSON.stringify(text)}; give a whole number from ${least} to ${most}.`);
}

/** Parses the options. Returns undefined for --help. Throws an error with a readable message. */
function readOptions({ flags, parts = {} }: Bench, words: readonly string[]) {
  const numbers = Object.entries(flags);
  const { values } = parseArgs({
    args: [...words],
    options: {
      ...Object.fromEntries(numbers.map(([name]) => [name, { type: "string" as const }])),
      only: { type: "string", default: "" },
      quick: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const isQuick = values.quick === true;
  const given = numbers.map(([name, flag]) => {
    const text = (values as Readonly<Record<string, unknown>>)[name] as string | undefined;
    if (text !== undefined) return [name, numberOf(name, text, flag)];
    return [name, isQuick ? (flag.quick ?? flag.usual) : flag.usual];
  });
  const only = String(values.only)
    .split(",")
    .filter((name) => name !== "");
  const unknown = only.find((name) => !(name in parts));
  if (unknown !== undefined) throw new Error(`--only does not know ${unknown}; see --help.`);
  const options: Options = { ...Object.fromEntries(given), only: only.length > 0 ? only : Object.keys(parts), isQuick };
  return { options, json: values.json === true };
}

/** Builds the launcher if its sources have changed. */
function provideLauncher(): void {
  const bundle = join(import.meta.dirname, "../tools/bundle.ts");
  const { status } = spawnSync(process.execPath, [bundle, "--if-stale"], { stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Error("The launcher could not be built; what the bundler said is above.");
}

async function main([first = "", ...rest]: readonly string[]): Promise<void> {
  const isNamed = first in benches;
  const name = isNamed ? first : usual;
  const bench = benches[name] as Bench;
  const read = readOptions(bench, isNamed || first === "" ? rest : [first, ...rest]);
  if (read === undefined) return console.log(helpOf(name, bench));
  const { options, json } = read;
  const absent = absentOf([...(bench.needs ?? [])]);
  if (absent.length > 0) throw new Error(`${absent.join(" and ")} absent. Run: node tools/engines/provide.ts`);
  if (bench.usesLauncher) provideLauncher();
  const facts: RunFacts = { machine: describeMachine(), at: new Date().toISOString(), quick: options.isQuick };
  const results = await bench.measure(options, say);
  const targets = bench.targets(results);
  const faults = bench.faults?.(results) ?? [];
  const told = json
    ? JSON.stringify({ ...facts, ...results, targets }, null, 2)
    : reportOf(facts, bench.tables(results), targets, faults);
  console.log(told);
  const isBroken = targets.some(({ isPromise, reached }) => isPromise === true && !reached);
  if (isBroken || faults.length > 0) process.exitCode = 1;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(`bench: ${(error as Error).message}`);
  process.exitCode = 1;
}
