// The default benchmark: ingest speed, start time and idle cost of the launcher, compared with a lower bound, a theoretical limit
// and similar servers.
import { execFileSync } from "node:child_process";
import { provideSpotlight } from "../../tools/engines/spotlight.ts";
import { defineBench } from "../bench.ts";
import { ratioOf, spreadOf } from "../figures.ts";
import { inFolder } from "../machine.ts";
import { shownOf, table } from "../tables.ts";
import { atLeast, atMost, type Target } from "../targets.ts";
import { type IdleFigures, measureIdle } from "./idle.ts";
import { connectionCounts, faultOf, type IngestRun, ingestRound } from "./ingest.ts";
import { providePrograms } from "./programs.ts";
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

function wrkVersion(): string {
  try {
    // wrk prints its version and exits with 1.
    return execFileSync("wrk", ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch (error) {
    return /wrk \S*?([\d.]+)/.exec(String((error as { stdout?: string }).stdout))?.[1] ?? "of unknown version";
  }
}

const namesIn = <T extends string>(runs: readonly { readonly subject: T }[]) => [
  ...new Set(runs.map(({ subject }) => subject)),
];

function ingestTables({ ingest, wrk }: Results): string[] {
  return connectionCounts.map((connections) => {
    const runs = ingest.filter((run) => run.connections === connections);
    const rows = namesIn(runs).map((name) => {
      const own = runs.filter(({ subject }) => subject === name);
      return [
        name,
        shownOf(own, ({ requestsPerSecond }) => requestsPerSecond),
        shownOf(own, ({ p50Ms }) => p50Ms, 2),
        shownOf(own, ({ p99Ms }) => p99Ms, 2),
      ];
    });
    const title = `Events taken in, ${connections} ${connections === 1 ? "connection" : "connections"}, wrk ${wrk}: median (min–max)`;
    return table(title, ["", "a second", "p50 ms", "p99 ms"], rows);
  });
}

function startTable({ start }: Results): string {
  const rows = namesIn(start).map((name) => [
    name,
    shownOf(
      start.filter(({ subject }) => subject === name),
      ({ readyMs }) => readyMs,
    ),
  ]);
  return table("From the start of the process to the first event taken in: median (min–max)", ["", "ms"], rows);
}

function idleTable({ idle }: Results): string {
  const rows = idle.map(({ subject, after, received, cpuPercent, residentBytes }) => [
    `${subject}, after ${after}`,
    received,
    cpuPercent.toFixed(2),
    (residentBytes / 1e6).toFixed(0),
  ]);
  return table("Idle, after events were taken in", ["", "events before", "% of a core", "MB resident"], rows);
}

function targetsOf({ ingest, start, idle }: Results): readonly Target[] {
  const loaded = (subject: SubjectName) => ingest.filter((run) => run.subject === subject && run.connections === 64);
  const rate = (name: SubjectName) => ratioOf(loaded("kit"), loaded(name), (run) => run.requestsPerSecond);
  const started = (subject: StartCase) => start.filter((run) => run.subject === subject);
  const ready = (peer: StartCase, kitCase: StartCase = "kit") =>
    ratioOf(started(kitCase), started(peer), ({ readyMs }) => readyMs);
  const own = idle.filter(({ subject }) => subject === "kit");
  const resident = (after: string) =>
    spreadOf(own.filter((figures) => figures.after === after).map(({ residentBytes }) => residentBytes / 1e6));
  return [
    ...atLeast("durable ingest, 64 connections, to the limit", 0.6, "×", rate("bare")),
    ...peers.flatMap(({ name, called }) => atLeast(`durable ingest to ${called}`, 10, "×", rate(name))),
    ...atMost("start to first 202, to the limit", 3, "×", ready("bare")),
    ...atMost("start after a kill under load, to the limit", 5, "×", ready("bare", "kit-killed")),
    ...peers.flatMap(({ name, called }) => atMost(`start to first 202, to ${called}`, 0.5, "×", ready(name))),
    ...atMost("memory while idle, after a few events", 110, "MB", resident("a few")),
    ...atMost("memory while idle, after a flood", 110, "MB", resident("a flood")),
    ...atMost("processor while idle, of one core", 0.2, "%", spreadOf(own.map(({ cpuPercent }) => cpuPercent))),
  ];
}

export const launcher = defineBench({
  summary: "how fast the launcher takes events in, starts, and rests",
  about: "Measures Kit beside its limit, its floor and its peers, all in one run on this machine.",
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
    const wantsNginx = wanted.includes("ingest") && names.includes("nginx");
    providePrograms(wantsNginx ? ["wrk", "nginx"] : ["wrk"]);
    if (names.some((name) => name.startsWith("spotlight"))) provideSpotlight();
    const runs: IngestRun[] = [];
    const start: StartRun[] = [];
    await inFolder(async (folder) => {
      const cases = wanted.includes("start") ? startCasesOf(names) : [];
      await prepareStarts(cases, folder);
      for (let round = 1; round <= rounds; round += 1) {
        say(`round ${round} of ${rounds}`);
        start.push(...(await startRound(cases, round, folder)));
        if (wanted.includes("ingest")) runs.push(...(await ingestRound(names, round, seconds)));
      }
    });
    if (wanted.includes("idle")) say(`idle for ${idleSeconds} s`);
    const idle = wanted.includes("idle") ? await measureIdle(names, seconds, idleSeconds) : [];
    const ingest = runs.filter((run) => faultOf(run) === undefined);
    return { wrk: wrkVersion(), ingest, start, idle, faults: runs.flatMap((run) => faultOf(run) ?? []) };
  },
  tables: (results) => [...ingestTables(results), startTable(results), idleTable(results)],
  targets: targetsOf,
  faults: ({ faults }) => faults,
});
