// The results of the bench of senders as tables for a person.
import { spreadOf } from "../figures.ts";
import { shown, table, targetTable } from "../report.ts";
import { type CostRun, connectionWays, type SenderResults } from "./results.ts";
import { judgeSenders } from "./targets.ts";

export function sendersReport(results: SenderResults): string {
  const quick = results.quick ? "\nA quick run: its figures mean nothing." : "";
  return [
    `${results.machine}\n${results.at}${quick}`,
    gameTable(results),
    costTable(results),
    targetTable(judgeSenders(results)),
  ].join("\n\n");
}

function gameTable({ games }: SenderResults): string {
  const sum = (of: "reports" | "right" | "unknown" | "wrong") => games.reduce((total, run) => total + run[of], 0);
  const row = [games.length, sum("reports"), sum("right"), sum("unknown"), sum("wrong")];
  return table("Three games that send at once", ["runs", "reports", "right", "of nobody", "wrong"], [row]);
}

function costTable({ costs }: SenderResults): string {
  const rows = connectionWays.map((way) => {
    const of = (looked: boolean, value: (run: CostRun) => number) =>
      shown(spreadOf(costs.filter((run) => run.way === way && run.looked === looked).map(value)), 2);
    return [
      way,
      ...[true, false].flatMap((looked) => [of(looked, ({ p50Ms }) => p50Ms), of(looked, ({ p99Ms }) => p99Ms)]),
    ];
  });
  const head = ["connection", "looked for: p50 ms", "p99 ms", "not: p50 ms", "p99 ms"];
  return table("Time to the acknowledgement: median of the rounds (min–max)", head, rows);
}
