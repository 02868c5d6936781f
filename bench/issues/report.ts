// The results of the bench of issues as tables for a person.
import { spreadOf } from "../figures.ts";
import { shown, table, targetTable } from "../report.ts";
import { callNames } from "./calls.ts";
import type { CallRun, IssueResults, Subject } from "./results.ts";
import { judgeIssues, ratioOfCall } from "./targets.ts";

export function issuesReport(results: IssueResults): string {
  const quick = results.quick ? "\nA quick run: its figures mean nothing." : "";
  return [
    `${results.machine}\n${results.at}${quick}`,
    filledTable(results),
    callTable(results),
    targetTable(judgeIssues(results)),
  ].join("\n\n");
}

function filledTable({ filled }: IssueResults): string {
  const rows = Object.entries(filled).map(([subject, { issues, reports, counts, bytes, seconds }]) => [
    subject,
    issues,
    reports,
    counts,
    (bytes / 1e6).toFixed(1),
    seconds.toFixed(0),
  ]);
  return table("The two databases", ["", "issues", "reports", "spans counted", "MB", "s to write"], rows);
}

function callTable({ filled, runs }: IssueResults): string {
  const rows = callNames.map((call) => {
    const of = (subject: Subject, value: (run: CallRun) => number) =>
      shown(spreadOf(runs.filter((run) => run.call === call && run.subject === subject).map(value)), 1);
    return [
      call,
      ...(["few", "many"] as const).flatMap((subject) => [
        of(subject, ({ p50Ms }) => p50Ms),
        of(subject, ({ p99Ms }) => p99Ms),
      ]),
      shown(
        ratioOfCall(runs, call, ({ p50Ms }) => p50Ms),
        2,
      ),
    ];
  });
  const of = ({ few, many }: IssueResults["filled"]) => [few.issues, many.issues];
  const [few, many] = of(filled);
  const head = ["", `${few}: p50 ms`, "p99 ms", `${many}: p50 ms`, "p99 ms", "× p50"];
  return table("Time to the whole answer: median of the rounds (min–max)", head, rows);
}
