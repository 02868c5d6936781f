// How much longer an answer may take when there are many issues, and whether this run kept to it.
import { ratioOf } from "../figures.ts";
import { atMost, type Judgement } from "../targets.ts";
import { type CallName, callNames } from "./calls.ts";
import type { CallRun, IssueResults, Subject } from "./results.ts";

const ratioMax = 2;

/** The 99th percentiles, or another figure, round by round. */
export function ratioOfCall(
  runs: readonly CallRun[],
  call: CallName,
  value: (run: CallRun) => number,
): ReturnType<typeof ratioOf> {
  const own = (subject: Subject) =>
    runs
      .filter((run) => run.call === call && run.subject === subject)
      .map((run) => ({ round: run.round, value: value(run) }));
  return ratioOf(own("many"), own("few"));
}

/** One judgement for each call. */
export const judgeIssues = ({ runs }: IssueResults): readonly Judgement[] =>
  callNames.flatMap(
    (call) =>
      atMost(
        `p99 of ${call}`,
        ratioMax,
        "×",
        ratioOfCall(runs, call, ({ p99Ms }) => p99Ms),
      ) ?? [],
  );
