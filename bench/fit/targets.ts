// What it may take to make a clip fit, and whether this run kept to it.
import { type Run, ratioOf, spreadOf } from "../figures.ts";
import { atMost, type Judgement } from "../targets.ts";
import type { FitResults, FitRun, FitSubject } from "./results.ts";

const ratioMax = 1.15;

export function ratioOfFit(runs: readonly FitRun[], value: (run: FitRun) => number): ReturnType<typeof ratioOf> {
  const own = (subject: FitSubject): Run[] =>
    runs.filter((run) => run.subject === subject).map((run) => ({ round: run.round, value: value(run) }));
  return ratioOf(own("kit"), own("ffmpeg"));
}

/** One judgement for each target this run has figures for. */
export function judgeFit({ runs, clip }: FitResults): readonly Judgement[] {
  const wall = ratioOfFit(runs, ({ wallMs }) => wallMs);
  const sizes = spreadOf(runs.filter(({ subject }) => subject === "kit").map(({ bytes }) => bytes / 1e6));
  // Not a byte more: the median of sizes would hide the one that is refused.
  const largest = sizes && { ...sizes, median: sizes.max };
  return [
    atMost("a clip is made to fit, to plain ffmpeg in two passes", ratioMax, "×", wall),
    atMost("its largest size, to the limit", clip.bytesMax / 1e6, "MB", largest),
  ].flatMap((judgement) => judgement ?? []);
}
