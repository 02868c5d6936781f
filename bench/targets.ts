// What Kit means to reach, and whether this run reached it.
import { type Run, ratioOf, type Spread, spreadOf } from "./figures.ts";
import type { Results } from "./results.ts";
import type { StartCase } from "./start.ts";
import type { SubjectName } from "./subjects.ts";

export type Judgement = {
  readonly says: string;
  readonly wanted: string;
  readonly measured: Spread;
  readonly unit: "×" | "MB" | "%" | "ms" | "";
  readonly reached: boolean;
};

const peers = [
  { name: "spotlight", called: "Spotlight" },
  { name: "spotlight-quiet", called: "Spotlight without its telemetry" },
] as const;

/** One judgement for each target this run has figures for. */
export function judge(results: Results): readonly Judgement[] {
  const rate = (subject: SubjectName): Run[] =>
    results.ingest
      .filter((run) => run.subject === subject && run.connections === 64)
      .map(({ round, requestsPerSecond }) => ({ round, value: requestsPerSecond }));
  const ready = (subject: StartCase): Run[] =>
    results.start.filter((run) => run.subject === subject).map(({ round, readyMs }) => ({ round, value: readyMs }));
  const idle = results.idle.filter(({ subject }) => subject === "kit");
  const resident = (after: string) =>
    spreadOf(idle.filter((figures) => figures.after === after).map(({ residentBytes }) => residentBytes / 1e6));
  const cpu = spreadOf(idle.map(({ cpuPercent }) => cpuPercent));
  return [
    atLeast("durable ingest, 64 connections, to the limit", 0.6, ratioOf(rate("kit"), rate("bare"))),
    ...peers.map(({ name, called }) => atLeast(`durable ingest to ${called}`, 10, ratioOf(rate("kit"), rate(name)))),
    atMost("start to first 202, to the limit", 3, "×", ratioOf(ready("kit"), ready("bare"))),
    ...peers.map(({ name, called }) =>
      atMost(`start to first 202, to ${called}`, 0.5, "×", ratioOf(ready("kit"), ready(name))),
    ),
    atMost("memory while idle, after a few events", 110, "MB", resident("a few")),
    atMost("memory while idle, after a flood", 110, "MB", resident("a flood")),
    atMost("processor while idle, of one core", 0.2, "%", cpu),
  ].flatMap((judgement) => judgement ?? []);
}

function atLeast(says: string, limit: number, measured: Spread | undefined): Judgement | undefined {
  return measured && { says, wanted: `≥ ${limit} ×`, measured, unit: "×", reached: measured.median >= limit };
}

export function atMost(
  says: string,
  limit: number,
  unit: Judgement["unit"],
  measured: Spread | undefined,
): Judgement | undefined {
  return measured && { says, wanted: `≤ ${limit} ${unit}`, measured, unit, reached: measured.median <= limit };
}
