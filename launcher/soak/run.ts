// `npm run soak`: checks that no acknowledged event is lost in power cuts or while the disk fails.
import { parseArgs } from "node:util";
import { absentOf, enginesRequired } from "../../tools/engines/locate.ts";
import type { CutResults } from "./cuts.ts";
import { endings, type FaultOutcome, type FaultPlan, failureCases, runWithFaults } from "./faults.ts";
import { type PowerOutcome, testPowerCuts } from "./power.ts";

const usage = `Usage: npm run soak -- [options]

Runs the launcher under load, records every change it makes to its files and every acknowledgement, cuts the power at
many places of that record, and opens what would be on the disk: every acknowledged event must be there. Then makes file
system calls fail, one kind after the other: the launcher must keep running, refuse what it cannot store, and keep the rest.

  --cuts <n>       cuts in each of the three models: none, all, any of the unsynced writes survive (2000)
  --minutes <n>    repeat everything with the next seed until this many minutes have passed (0: run once)
  --seed <n>       chooses the cuts and the calls that fail (1)
  --help           print this text

Exit code: 0 if nothing was lost; 1 if something was lost, or if a required program is missing and KIT_REQUIRE_ENGINES=1;
2 if an option is invalid.
`;

const number = { type: "string" } as const;
const options = { cuts: number, minutes: number, seed: number, help: { type: "boolean", default: false } } as const;

type Options = { readonly cuts: number; readonly minutes: number; readonly seed: number };

/** Returns undefined if an option is invalid. */
function parseOptions(args: readonly string[]): Options | "help" | undefined {
  try {
    const { cuts = "2000", minutes = "0", seed = "1", help } = parseArgs({ args: [...args], options }).values;
    if (help) return "help";
    const read = { cuts: Number(cuts), minutes: Number(minutes), seed: Number(seed) };
    return Number.isInteger(read.cuts) && read.cuts > 0 && read.minutes >= 0 && Number.isInteger(read.seed)
      ? read
      : undefined;
  } catch {
    return undefined;
  }
}

const padCount = (count: number) => count.toLocaleString("en").padStart(7);

function resultLine(name: string, { cuts, inCheckpoints, checks, losses, damages }: CutResults): string {
  const places = `${padCount(cuts)} cuts, ${padCount(inCheckpoints)} in checkpoints`;
  return `  ${name.padEnd(24)}${places}: ${padCount(losses)} lost events, ${padCount(damages)} damaged (${checks.toLocaleString("en")} events checked)`;
}

/** Prints the results. Returns true if they meet the requirements. */
function printPowerResults({ operations, acknowledged, kept, controls }: PowerOutcome): boolean {
  console.log(
    `power cuts in ${padCount(operations).trim()} operations, ${padCount(acknowledged).trim()} events acknowledged`,
  );
  for (const [model, found] of Object.entries(kept)) console.log(resultLine(`${model} of the unsynced`, found));
  for (const [syncs, found] of Object.entries(controls)) console.log(resultLine(`control: syncs ${syncs}`, found));
  const wrong = Object.values(kept).flatMap(({ examples }) => examples);
  for (const example of wrong) console.log(`  ${example}`);
  const blindControls = Object.entries(controls).filter(([, { losses }]) => losses === 0);
  for (const [syncs] of blindControls)
    console.log(`  the control with syncs ${syncs} lost nothing, so these cuts cannot detect a loss`);
  return wrong.length + blindControls.length === 0;
}

/** Runs every fault plan and prints a line for each. Returns true if all meet the requirements. */
async function runFaultPlans(seed: number): Promise<boolean> {
  const modes = ["every", "share"] as const;
  const plans = failureCases.flatMap((failing, index) =>
    modes.map((when, way): FaultPlan => {
      const end = endings[(index + way + seed) % endings.length] ?? "killed";
      return { failing, when, end, seed: seed * 1_000 + index, answers: 400, cuts: 40 };
    }),
  );
  let isPassing = true;
  const runNext = async () => {
    for (let plan = plans.shift(); plan !== undefined; plan = plans.shift()) {
      const outcome = await runWithFaults(plan).catch((error: Error) => {
        throw new Error(`${plan.failing.name}, ${plan.end}: ${error.message}`, { cause: error });
      });
      console.log(faultResultLine(plan, outcome));
      isPassing &&= outcome.wrong.length === 0;
    }
  };
  await Promise.all([runNext(), runNext()]);
  return isPassing;
}

function faultResultLine(
  { failing, when, end }: FaultPlan,
  { faults, answers, acknowledged, cuts, wrong }: FaultOutcome,
): string {
  const rate = when === "every" ? `every ${failing.every}` : `${failing.share * 100} %`;
  const figures = `${padCount(faults)} faults, ${padCount(acknowledged)} acknowledged, ${padCount(answers.get(503) ?? 0)} refused`;
  const losses = `${cuts.losses} of ${cuts.cuts} cuts lost events`;
  return [`  ${`${failing.name}, ${rate}, ${end}`.padEnd(36)}${figures}, ${losses}`, ...wrong].join("\n    ");
}

async function main(args: readonly string[]): Promise<number> {
  const parsed = parseOptions(args);
  if (parsed === "help" || parsed === undefined) {
    console.log(usage);
    return parsed === undefined ? 2 : 0;
  }
  const absent = absentOf(["gcc"]);
  if (absent.length > 0) {
    console.log(`not run: ${absent.join(" and ")} absent on this machine. Run: node tools/engines/provide.ts`);
    return enginesRequired ? 1 : 0;
  }
  const untilMs = performance.now() + parsed.minutes * 60_000;
  let seed = parsed.seed;
  let isPassing = true;
  do {
    console.log(`\nseed ${seed}`);
    const plan = { acknowledgements: 1_500, untilIdle: true, controlCuts: 40 };
    isPassing = printPowerResults(await testPowerCuts({ ...plan, cuts: parsed.cuts, seed })) && isPassing;
    console.log("calls fail");
    isPassing = (await runFaultPlans(seed)) && isPassing;
    seed += 1;
  } while (performance.now() < untilMs);
  return isPassing ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
