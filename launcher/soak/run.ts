// `npm run soak`: does the launcher keep what it acknowledged when the power fails at any moment, and when the disk fails?
import { parseArgs } from "node:util";
import { absentOf, enginesRequired } from "../../tools/engines/locate.ts";
import type { Found } from "./cuts.ts";
import { ends, type FaultOutcome, type FaultPlan, failings, withFaults } from "./faults.ts";
import { cutPower, type PowerOutcome } from "./power.ts";

const usage = `Usage: npm run soak -- [options]

Runs the launcher under load, records every change it makes to its files and every acknowledgement, cuts the power at
many places of that record, and opens what would be on the disk: every acknowledged event has to be there. Then lets file
system calls fail, one kind after the other: the launcher has to go on, refuse what it cannot keep, and keep the rest.

  --cuts <n>       cuts in each of the three models: none, all, any of the unsynced writes survive (2000)
  --minutes <n>    do it all anew, with the next seed, until so many minutes are over (0: once)
  --seed <n>       chooses the cuts and the calls that fail (1)
  --help           this text

Exit code: 0 when nothing was lost, 1 when something was, or the machine lacks what is needed where KIT_REQUIRE_ENGINES=1,
2 when the words above were not understood.
`;

const number = { type: "string" } as const;
const options = { cuts: number, minutes: number, seed: number, help: { type: "boolean", default: false } } as const;

type Options = { readonly cuts: number; readonly minutes: number; readonly seed: number };

/** Undefined: the words were not understood. */
function readOptions(words: readonly string[]): Options | "help" | undefined {
  try {
    const { cuts = "2000", minutes = "0", seed = "1", help } = parseArgs({ args: [...words], options }).values;
    if (help) return "help";
    const read = { cuts: Number(cuts), minutes: Number(minutes), seed: Number(seed) };
    return Number.isInteger(read.cuts) && read.cuts > 0 && read.minutes >= 0 && Number.isInteger(read.seed)
      ? read
      : undefined;
  } catch {
    return undefined;
  }
}

const told = (count: number) => count.toLocaleString("en").padStart(7);

function lineOf(name: string, { cuts, inCheckpoints, checks, losses, damages }: Found): string {
  const places = `${told(cuts)} cuts, ${told(inCheckpoints)} in checkpoints`;
  return `  ${name.padEnd(24)}${places}: ${told(losses)} lose, ${told(damages)} damaged (${checks.toLocaleString("en")} events looked for)`;
}

/** Prints the figures, and says whether they are as they have to be. */
function tellPower({ operations, acknowledged, kept, controls }: PowerOutcome): boolean {
  console.log(`power cuts in ${told(operations).trim()} operations, ${told(acknowledged).trim()} events acknowledged`);
  for (const [model, found] of Object.entries(kept)) console.log(lineOf(`${model} of the unsynced`, found));
  for (const [syncs, found] of Object.entries(controls)) console.log(lineOf(`control: syncs ${syncs}`, found));
  const wrong = Object.values(kept).flatMap(({ examples }) => examples);
  for (const example of wrong) console.log(`  ${example}`);
  const blind = Object.entries(controls).filter(([, { losses }]) => losses === 0);
  for (const [syncs] of blind)
    console.log(`  the control with syncs ${syncs} lost nothing: these cuts could not find a loss`);
  return wrong.length + blind.length === 0;
}

/** Prints a line for each kind of call that fails, and says whether all is as it has to be. */
async function tryFaults(seed: number): Promise<boolean> {
  const whens = ["every", "share"] as const;
  const plans = failings.flatMap((failing, index) =>
    whens.map((when, way): FaultPlan => {
      const end = ends[(index + way + seed) % ends.length] ?? "killed";
      return { failing, when, end, seed: seed * 1_000 + index, answers: 400, cuts: 40 };
    }),
  );
  let isSound = true;
  const tryNext = async () => {
    for (let plan = plans.shift(); plan !== undefined; plan = plans.shift()) {
      const outcome = await withFaults(plan).catch((error: Error) => {
        throw new Error(`${plan.failing.name}, ${plan.end}: ${error.message}`, { cause: error });
      });
      console.log(faultLineOf(plan, outcome));
      isSound &&= outcome.wrong.length === 0;
    }
  };
  await Promise.all([tryNext(), tryNext()]);
  return isSound;
}

function faultLineOf(
  { failing, when, end }: FaultPlan,
  { faults, answers, acknowledged, cuts, wrong }: FaultOutcome,
): string {
  const rate = when === "every" ? `every ${failing.every}` : `${failing.share * 100} %`;
  const figures = `${told(faults)} faults, ${told(acknowledged)} acknowledged, ${told(answers.get(503) ?? 0)} refused`;
  const losses = `${cuts.losses} of ${cuts.cuts} cuts lose`;
  return [`  ${`${failing.name}, ${rate}, ${end}`.padEnd(36)}${figures}, ${losses}`, ...wrong].join("\n    ");
}

async function main(words: readonly string[]): Promise<number> {
  const given = readOptions(words);
  if (given === "help" || given === undefined) {
    console.log(usage);
    return given === undefined ? 2 : 0;
  }
  const absent = absentOf(["gcc"]);
  if (absent.length > 0) {
    console.log(`not run: ${absent.join(" and ")} absent on this machine. Run: node tools/engines/provide.ts`);
    return enginesRequired ? 1 : 0;
  }
  const untilMs = performance.now() + given.minutes * 60_000;
  let seed = given.seed;
  let isSound = true;
  do {
    console.log(`\nseed ${seed}`);
    const plan = { acknowledgements: 1_500, untilIdle: true, controlCuts: 40 };
    isSound = tellPower(await cutPower({ ...plan, cuts: given.cuts, seed })) && isSound;
    console.log("calls fail");
    isSound = (await tryFaults(seed)) && isSound;
    seed += 1;
  } while (performance.now() < untilMs);
  return isSound ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
