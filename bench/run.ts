// `npm run bench`: measures Kit beside its limit, its floor and its peers, in one run on one machine.
import { provideSpotlight } from "../tools/engines/spotlight.ts";
import { benchBindings } from "./bindings/run.ts";
import { benchCapture } from "./capture/run.ts";
import { benchSoak } from "./capture/soak.ts";
import { benchFit } from "./fit/run.ts";
import { type IdleFigures, measureIdle } from "./idle.ts";
import { faultOf, type IngestRun, ingestRound } from "./ingest.ts";
import { benchIssues } from "./issues/run.ts";
import { help, type Options, readOptions } from "./options.ts";
import { benchPages } from "./pages/run.ts";
import { provideLauncher, providePrograms } from "./provide.ts";
import { reportOf } from "./report.ts";
import { describeMachine, type Results } from "./results.ts";
import { benchSenders } from "./senders/run.ts";
import { prepareStarts, type StartRun, startCasesOf, startRound } from "./start.ts";
import { benchStorm } from "./storm/run.ts";
import { inFolder } from "./subjects.ts";
import { judge } from "./targets.ts";

const say = (line: string) => console.error(`bench: ${line}`);

function provide({ measures, subjects }: Options): void {
  const wantsNginx = measures.includes("ingest") && subjects.includes("nginx");
  providePrograms(wantsNginx ? ["wrk", "nginx"] : ["wrk"]);
  if (subjects.some((name) => name.startsWith("spotlight"))) provideSpotlight();
  provideLauncher();
}

async function measure(options: Options): Promise<Results> {
  const ingest: IngestRun[] = [];
  const start: StartRun[] = [];
  let idle: IdleFigures[] = [];
  await inFolder(async (folder) => {
    const cases = options.measures.includes("start") ? startCasesOf(options.subjects) : [];
    await prepareStarts(cases, folder);
    for (let round = 1; round <= options.rounds; round += 1) {
      say(`round ${round} of ${options.rounds}`);
      start.push(...(await startRound(cases, round, folder)));
      if (!options.measures.includes("ingest")) continue;
      ingest.push(...(await ingestRound(options.subjects, round, options.seconds)));
    }
  });
  if (options.measures.includes("idle")) {
    say(`idle for ${options.idleSeconds} s`);
    idle = await measureIdle(options.subjects, options.seconds, options.idleSeconds);
  }
  const invalid = ingest.flatMap((run) => faultOf(run) ?? []);
  const valid = ingest.filter((run) => faultOf(run) === undefined);
  return { machine: describeMachine(), at: new Date().toISOString(), ingest: valid, start, idle, invalid };
}

async function main(): Promise<void> {
  const [first, ...words] = process.argv.slice(2);
  if (first === "bindings") return benchBindings(words);
  if (first === "capture") return benchCapture(words);
  if (first === "fit") return benchFit(words);
  if (first === "soak") return benchSoak(words);
  if (first === "issues") return benchIssues(words);
  if (first === "pages") return benchPages(words);
  if (first === "senders") return benchSenders(words);
  if (first === "storm") return benchStorm(words);
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) return console.log(help);
  provide(options);
  const results = await measure(options);
  console.log(options.json ? JSON.stringify({ ...results, targets: judge(results) }, null, 2) : reportOf(results));
  if (results.invalid.length > 0) process.exitCode = 1;
}

try {
  await main();
} catch (error) {
  console.error(`bench: ${(error as Error).message}`);
  process.exitCode = 1;
}
