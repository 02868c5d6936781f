// `npm run bench -- issues`: compares API calls with few and many issues. See ../README.md.
import { join } from "node:path";
import { defineBench } from "../bench.ts";
import { quantile, ratioOf } from "../figures.ts";
import { startFilled } from "../filled.ts";
import { inFolder } from "../machine.ts";
import { shown, shownOf, table } from "../tables.ts";
import { atMost } from "../targets.ts";
import { type Asked, type Asker, type CallName, callNames, createAsker } from "./calls.ts";
import { type Filled, fill } from "./fill.ts";

const subjects = ["few", "many"] as const;
type Subject = (typeof subjects)[number];

type CallRun = {
  readonly subject: Subject;
  readonly call: CallName;
  readonly round: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};
type Results = { readonly filled: Readonly<Record<Subject, Omit<Filled, "ids">>>; readonly runs: readonly CallRun[] };

const ratioMax = 2;

/** Makes each call to both launchers in alternating order, so that disturbances affect both. */
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
      runs.push({ subject, call, round, p50Ms: quantile(took[subject], 0.5), p99Ms: quantile(took[subject], 0.99) });
    }
  }
  return runs;
}

const runsOf = ({ runs }: Results, call: CallName, subject: Subject) =>
  runs.filter((run) => run.call === call && run.subject === subject);
const ratioOfCall = (results: Results, call: CallName, value: (run: CallRun) => number) =>
  ratioOf(runsOf(results, call, "many"), runsOf(results, call, "few"), value);

function tablesOf(results: Results): string[] {
  const { filled } = results;
  const databases = Object.entries(filled).map(([subject, { issues, reports, counts, bytes, seconds }]) => [
    subject,
    issues,
    reports,
    counts,
    (bytes / 1e6).toFixed(1),
    seconds.toFixed(0),
  ]);
  const calls = callNames.map((call) => [
    call,
    ...subjects.flatMap((subject) => {
      const runs = runsOf(results, call, subject);
      return [shownOf(runs, ({ p50Ms }) => p50Ms, 1), shownOf(runs, ({ p99Ms }) => p99Ms, 1)];
    }),
    shown(
      ratioOfCall(results, call, (run) => run.p50Ms),
      2,
    ),
  ]);
  const head = ["", `${filled.few.issues}: p50 ms`, "p99 ms", `${filled.many.issues}: p50 ms`, "p99 ms", "× p50"];
  return [
    table("The two databases", ["", "issues", "reports", "spans counted", "MB", "s to write"], databases),
    table("Time to the whole answer: median of the rounds (min–max)", head, calls),
  ];
}

export const issues = defineBench({
  summary: "lists and pages with 100,000 issues",
  about: "Measures the lists and pages of issues with few and with many: two launchers, asked in turn.",
  flags: {
    rounds: { says: "rounds, each with every call to both launchers in turn", usual: 5, quick: 1 },
    calls: { says: "calls of each kind in a round", usual: 200, quick: 5 },
    few: { says: "issues of one launcher", usual: 1_000, quick: 200, least: 100 },
    many: {
      says: "issues of the other one; each has a hundred reports an issue",
      usual: 100_000,
      quick: 2_000,
      least: 100,
    },
  },
  usesLauncher: true,
  measure: ({ rounds, calls, few, many }, say) =>
    inFolder(async (folder): Promise<Results> => {
      const start = (issues: number) => {
        say(`writing ${issues} issues`);
        return startFilled(join(folder, String(issues)), (dataDir) => fill(join(dataDir, "kit.db"), issues));
      };
      await using opened = new AsyncDisposableStack();
      const asked = { few: opened.use(await start(few)), many: opened.use(await start(many)) };
      using asker = createAsker();
      // Warm-up round.
      await roundOf(asker, asked, 1, Math.ceil(calls / 10));
      const runs: CallRun[] = [];
      for (let round = 1; round <= rounds; round += 1) {
        say(`round ${round} of ${rounds}`);
        runs.push(...(await roundOf(asker, asked, round, calls)));
      }
      const sizeOf = ({ filled: { ids: _, ...size } }: Asked) => size;
      return { filled: { few: sizeOf(asked.few), many: sizeOf(asked.many) }, runs };
    }),
  tables: tablesOf,
  targets: (results) =>
    callNames.flatMap((call) =>
      atMost(
        `p99 of ${call}`,
        ratioMax,
        "×",
        ratioOfCall(results, call, (run) => run.p99Ms),
      ),
    ),
});
