// `npm run bench -- issues`: lists and pages with few and with many issues. See ../README.md.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startLauncher } from "../../launcher/test/launcher-process.ts";
import { quantile } from "../bindings/quantiles.ts";
import { provideLauncher } from "../provide.ts";
import { machineAndNode } from "../results.ts";
import { inFolder } from "../subjects.ts";
import { type Asked, type Asker, callNames, createAsker } from "./calls.ts";
import { fill } from "./fill.ts";
import { type IssueOptions, issuesHelp, readIssueOptions } from "./options.ts";
import { issuesReport } from "./report.ts";
import type { CallRun, IssueResults, Subject } from "./results.ts";
import { judgeIssues } from "./targets.ts";

const say = (line: string) => console.error(`bench: ${line}`);
const subjects = ["few", "many"] as const;

type Running = Asked & { end(): Promise<void> };

/** The launcher makes its own tables; then it is stopped, filled and started again. */
async function startFilled(folder: string, issues: number): Promise<Running> {
  const dataDir = join(folder, String(issues));
  mkdirSync(dataDir);
  const empty = await startLauncher(dataDir);
  await empty.end("SIGTERM");
  say(`writing ${issues} issues`);
  const filled = fill(join(dataDir, "kit.db"), issues);
  const { port, end } = await startLauncher(dataDir);
  const secret = readFileSync(join(dataDir, "secret"), "utf8").trim();
  return { port, secret, filled, end: () => end("SIGTERM") };
}

/** Each call to both, in turn, and who is first changes from call to call: what disturbs one disturbs the other. */
async function roundOf(asker: Asker, asked: Record<Subject, Asked>, round: number, times: number): Promise<CallRun[]> {
  const runs: CallRun[] = [];
  for (const call of callNames) {
    const took: Record<Subject, number[]> = { few: [], many: [] };
    for (let turn = 0; turn < times; turn += 1) {
      const order = turn % 2 === 0 ? subjects : subjects.toReversed();
      for (const subject of order)
        took[subject].push(await asker.ask(asked[subject], call, (round - 1) * times + turn));
    }
    for (const subject of subjects) {
      const [p50Ms, p99Ms] = [quantile(took[subject], 0.5), quantile(took[subject], 0.99)];
      runs.push({ subject, call, round, p50Ms, p99Ms });
    }
  }
  return runs;
}

async function measure(options: IssueOptions, asked: Record<Subject, Asked>): Promise<CallRun[]> {
  const asker = createAsker();
  try {
    const runs: CallRun[] = [];
    // The first round of all finds cold files and code that was never run.
    await roundOf(asker, asked, 1, Math.ceil(options.calls / 10));
    for (let round = 1; round <= options.rounds; round += 1) {
      say(`round ${round} of ${options.rounds}`);
      runs.push(...(await roundOf(asker, asked, round, options.calls)));
    }
    return runs;
  } finally {
    asker.end();
  }
}

async function measureAll(options: IssueOptions): Promise<IssueResults> {
  const at = new Date().toISOString();
  return inFolder(async (folder) => {
    const few = await startFilled(folder, options.few);
    const many = await startFilled(folder, options.many);
    try {
      const runs = await measure(options, { few, many });
      const sizeOf = ({ filled: { ids: _, ...rest } }: Asked) => rest;
      const filled = { few: sizeOf(few), many: sizeOf(many) };
      return { machine: machineAndNode(), at, quick: options.quick, filled, runs };
    } finally {
      await Promise.all([few.end(), many.end()]);
    }
  });
}

export async function benchIssues(words: readonly string[]): Promise<void> {
  const options = readIssueOptions(words);
  if (options === undefined) return console.log(issuesHelp);
  provideLauncher();
  const results = await measureAll(options);
  const targets = judgeIssues(results);
  console.log(options.json ? JSON.stringify({ ...results, targets }, null, 2) : issuesReport(results));
}
