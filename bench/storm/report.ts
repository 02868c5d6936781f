// The results of the bench of storms as tables for a person.
import { table } from "../report.ts";
import type { Phase } from "./measure.ts";
import type { StormResults } from "./results.ts";

const figure = (value: number, digits = 0) => value.toFixed(digits);

function phaseRow(name: string, { sent, counted, countedAfterMs, newIssues }: Phase): (string | number)[] {
  const refused = Object.entries(sent.refused).map(([status, times]) => `${times} × ${status}`);
  return [
    name,
    sent.acknowledged,
    counted,
    figure(sent.acknowledged / (sent.lastedMs / 1_000)),
    figure(sent.p50Ms, 1),
    figure(sent.p99Ms, 1),
    [...refused, ...(sent.unanswered > 0 ? [`${sent.unanswered} none`] : [])].join(", ") || "0",
    newIssues,
    figure(countedAfterMs),
  ];
}

const usageRow = (name: string, { usage }: Phase) => [
  name,
  figure(usage.databaseBytesMax / 1e6, 1),
  figure(usage.residentBytesMax / 1e6),
  figure(usage.cpuPercent),
];

export function stormReport({ machine, at, quick, figures, targets }: StormResults): string {
  const { storm, flood, rare } = figures;
  const phases = ["", "202", "counted", "a second", "p50 ms", "p99 ms", "other answers", "issues", "counted after ms"];
  const usage = ["", "MB of database", "MB resident", "% of a core"];
  const rareHead = ["reports", "moments", "handed on", "kinds", "with the exact count", "p50 ms", "p99 ms"];
  const rareRow = [rare.reports, rare.moments, rare.handedOn, rare.kinds, rare.kindsExact];
  const judged = targets.map(({ says, wanted, measured, reached }) => [
    reached ? "reached" : "MISSED",
    says,
    wanted,
    measured,
  ]);
  return [
    `${machine}\n${at}${quick ? "\nA quick run: its figures mean nothing." : ""}`,
    table("Reports", phases, [phaseRow("storm", storm), phaseRow("flood", flood)]),
    table("Beside the storm", rareHead, [[...rareRow, figure(rare.p50Ms, 1), figure(rare.p99Ms, 1)]]),
    table("The launcher meanwhile: the most, and the processor's mean", usage, [
      usageRow("storm", storm),
      usageRow("flood", flood),
    ]),
    table("Targets", ["", "", "wanted", "measured"], judged),
    rare.faults
      .slice(0, 20)
      .map((fault) => `FAULT ${fault}`)
      .join("\n"),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}
