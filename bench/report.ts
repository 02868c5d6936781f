// The results as tables for a person.
import { type Spread, spreadOf } from "./figures.ts";
import { connectionCounts } from "./ingest.ts";
import type { Results } from "./results.ts";
import { type Judgement, judge } from "./targets.ts";

type Cell = string | number;

export function reportOf(results: Results): string {
  const parts = [
    `${results.machine}\n${results.at}`,
    ...ingestTables(results),
    startTable(results),
    idleTable(results),
  ];
  const invalid = results.invalid.map((fault) => `INVALID, left out: ${fault}`).join("\n");
  return [...parts, targetTable(judge(results)), invalid].filter((part) => part !== "").join("\n\n");
}

const namesIn = <T extends string>(runs: readonly { readonly subject: T }[]) => [
  ...new Set(runs.map(({ subject }) => subject)),
];

function ingestTables({ ingest }: Results): string[] {
  return connectionCounts.map((connections) => {
    const runs = ingest.filter((run) => run.connections === connections);
    const rows = namesIn(runs).map((name) => {
      const own = runs.filter(({ subject }) => subject === name);
      return [
        name,
        shown(spreadOf(own.map(({ requestsPerSecond }) => requestsPerSecond)), 0),
        shown(spreadOf(own.map(({ p50Ms }) => p50Ms)), 2),
        shown(spreadOf(own.map(({ p99Ms }) => p99Ms)), 2),
      ];
    });
    const title = `Events taken in, ${connections} ${connections === 1 ? "connection" : "connections"}: median (min–max)`;
    return table(title, ["", "a second", "p50 ms", "p99 ms"], rows);
  });
}

function startTable({ start }: Results): string {
  const rows = namesIn(start).map((name) => {
    const own = start.filter(({ subject }) => subject === name);
    return [name, shown(spreadOf(own.map(({ readyMs }) => readyMs)), 0)];
  });
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

export function targetTable(judgements: readonly Judgement[]): string {
  const rows = judgements.map(({ says, wanted, measured, unit, reached }) => [
    reached ? "reached" : "MISSED",
    says,
    wanted,
    `${shown(measured, 2)} ${unit}`,
  ]);
  return table("Targets: median of the rounds' ratios (min–max)", ["", "", "wanted", "measured"], rows);
}

/** With one run there is nothing to spread. */
export function shown(spread: Spread | undefined, digits: number): string {
  if (spread === undefined) return "–";
  const { median, min, max, runs } = spread;
  const text = median.toFixed(digits);
  return runs === 1 ? text : `${text} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
}

export function table(title: string, head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  if (rows.length === 0) return "";
  const all = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const isNumber = (column: number) => column > 0 && rows.every((row) => /^[\d–]/.test(String(row[column])));
  const line = (row: readonly string[]) =>
    row.map((cell, column) =>
      isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
    );
  return [title, ...all.map((row) => `  ${line(row).join("  ").trimEnd()}`)].join("\n");
}
