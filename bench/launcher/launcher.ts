// The default benchmark: ingest speed, start time and idle cost of the launcher, compared with a theoretical limit and similar
// servers.
import { provideFromNpm } from "../../tools/engines/pinned-npm.ts";
import { spotlight } from "../../tools/engines/recipes.ts";
import { defineBench, inRounds } from "../bench.ts";
import { atLeast, atMost, type Column, ratioOf, runTable, spreadOf, type Target, where } from "../figures.ts";
import { inFolder } from "../machine.ts";
import { type IdleFigures, measureIdle } from "./idle.ts";
import { connectionCounts, faultOf, type IngestRun, ingestRound, provideWrk, wrkVersion } from "./load.ts";
import { prepareStarts, type StartCase, type StartRun, startCasesOf, startRound } from "./start.ts";
import { type SubjectName, subjectNames, subjects } from "./subjects.ts";

const measures = {
  ingest: "events taken in a second, over 1 and over 64 connections",
  start: "from the start of the process to the first event taken in",
  idle: "processor and memory while nothing happens",
};
const peers = [
  { name: "spotlight", called: "Spotlight" },
  { name: "spotlight-quiet", called: "Spotlight without its telemetry" },
] as const;

type Results = {
  readonly wrk: string;
  readonly ingest: readonly IngestRun[];
  readonly start: readonly StartRun[];
  readonly idle: readonly IdleFigures[];
  /** Invalid runs with reasons. They are excluded from the results. */
  readonly faults: readonly string[];
};

/** Filters by --only. If only subjects are given, all measures apply to them, and vice versa. */
function chosen<T extends string>(names: readonly T[], only: readonly string[]): readonly T[] {
  const wanted = names.filter((name) => only.includes(name));
  return wanted.length > 0 ? wanted : names;
}

const ingestColumns: readonly Column<IngestRun>[] = [
  ["a second", "requestsPerSecond"],
  ["p50 ms", "p50Ms", 2],
  ["p99 ms", "p99Ms", 2],
];
const idleColumns: readonly Column<IdleFigures>[] = [
  ["events before", "received"],
  ["% of a core", "cpuPercent", 2],
  ["MB resident", ({ residentBytes }) => residentBytes / 1e6],
];

const bySubject = <R extends { readonly subject: string }>(runs: readonly R[]) =>
  Object.entries(Object.groupBy(runs, ({ subject }) => subject)) as [string, R[]][];

function tablesOf({ wrk, ingest, start, idle }: Results): string[] {
  const started = "From the start of the process to the first event taken in: median (min–max)";
  return [
    ...connectionCounts.map((connections) => {
      const over = connections === 1 ? "1 connection" : `${connections} connections`;
      const title = `Events taken in, ${over}, wrk ${wrk}: median (min–max)`;
      return runTable(title, ingestColumns, bySubject(where(ingest, { connections })));
    }),
    runTable(started, [["ms", "readyMs"]], bySubject(start)),
    runTable(
      "Idle, after events were taken in",
      idleColumns,
      idle.map((figures) => [`${figures.subject}, after ${figures.after}`, [figures]]),
    ),
  ];
}

function targetsOf({ ingest, start, idle }: Results): readonly Target[] {
  const loaded = (subject: SubjectName) => where(ingest, { subject, connections: 64 });
  const rate = (name: SubjectName) => ratioOf(loaded("kit"), loaded(name), "requestsPerSecond");
  const ready = (peer: StartCase, subject: StartCase = "kit") =>
    ratioOf(where(start, { subject }), where(start, { subject: peer }), "readyMs");
  const own = where(idle, { subject: "kit" });
  const resident = (after: IdleFigures["after"]) =>
    spreadOf(where(own, { after }), ({ residentBytes }) => residentBytes / 1e6);
  return [
    ...atLeast("durable ingest, 64 connections, to the limit", 0.6, "×", rate("bare")),
    ...peers.flatMap(({ name, called }) => atLeast(`durable ingest to ${called}`, 10, "×", rate(name))),
    ...atMost("start to first 202, to the limit", 3, "×", ready("bare")),
    ...atMost("start after a kill under load, to the limit", 5, "×", ready("bare", "kit-killed")),
    ...peers.flatMap(({ name, called }) => atMost(`start to first 202, to ${called}`, 0.5, "×", ready(name))),
    ...atMost("memory while idle, after a few events", 110, "MB", resident("a few")),
    ...atMost("memory while idle, after a flood", 110, "MB", resident("a flood")),
    ...atMost("processor while idle, of one core", 0.2, "%", spreadOf(own, "cpuPercent")),
  ];
}

export const launcher = defineBench({
  summary: "how fast the launcher takes events in, starts, and rests",
  about: "Measures Kit beside its limit and its peers, all in one run on this machine.",
  flags: {
    rounds: { says: "rounds, each with every subject in turn", usual: 5, quick: 1 },
    seconds: { says: "length of each load", usual: 4, quick: 1 },
    "idle-seconds": { says: "length of the idle measurement", usual: 60, quick: 3 },
  },
  parts: { ...measures, ...Object.fromEntries(subjectNames.map((name) => [name, subjects[name].says])) },
  usesLauncher: true,
  async measure({ rounds, seconds, only, "idle-seconds": idleSeconds }, say): Promise<Results> {
    const wanted = chosen(Object.keys(measures) as (keyof typeof measures)[], only);
    const names = chosen(subjectNames, only);
    provideWrk(say);
    if (names.some((name) => name.startsWith("spotlight"))) await provideFromNpm(spotlight);
    const start: StartRun[] = [];
    const runs = await inFolder(async (folder) => {
      const cases = wanted.includes("start") ? startCasesOf(names) : [];
      await prepareStarts(cases, folder);
      return inRounds(rounds, say, async (round) => {
        start.push(...(await startRound(cases, round, folder)));
        return wanted.includes("ingest") ? ingestRound(names, round, seconds) : [];
      });
    });
    if (wanted.includes("idle")) say(`idle for ${idleSeconds} s`);
    const idle = wanted.includes("idle") ? await measureIdle(names, seconds, idleSeconds) : [];
    const ingest = runs.filter((run) => faultOf(run) === undefined);
    return { wrk: wrkVersion(), ingest, start, idle, faults: runs.flatMap((run) => faultOf(run) ?? []) };
  },
  tables: tablesOf,
  targets: targetsOf,
  faults: ({ faults }) => faults,
});
