// What recording may cost, and whether this run kept to it.
import { type Run, ratioOf, spreadOf } from "../figures.ts";
import { atMost, type Judgement } from "../targets.ts";
import type { CostRun, CostSubject } from "./cost.ts";
import type { CaptureResults } from "./results.ts";

const ratioMax = 1.05;
const readyMsMax = 500;

/** One judgement for each target this run has figures for. */
export function judgeCapture({ cost, ready }: CaptureResults): readonly Judgement[] {
  const runs = (subject: CostSubject, value: (run: CostRun) => number): Run[] =>
    cost.filter((run) => run.subject === subject).map((run) => ({ round: run.round, value: value(run) }));
  const toFfmpeg = (value: (run: CostRun) => number) => ratioOf(runs("kit", value), runs("ffmpeg", value));
  return [
    atMost(
      "processor while recording, to the same ffmpeg alone",
      ratioMax,
      "×",
      toFfmpeg((run) => run.cpuPercent),
    ),
    atMost(
      "memory while recording, to the same ffmpeg alone",
      ratioMax,
      "×",
      toFfmpeg((run) => run.residentBytes),
    ),
    atMost("clip of 17 s ready after its last second", readyMsMax, "ms", spreadOf(ready.map(({ readyMs }) => readyMs))),
  ].flatMap((judgement) => judgement ?? []);
}
