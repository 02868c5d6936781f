// What a storm may do and cost, and whether this run kept to it.
import type { Phase, StormFigures } from "./measure.ts";

export type StormJudgement = {
  readonly says: string;
  readonly wanted: string;
  readonly measured: string;
  readonly reached: boolean;
  /** A promise that is broken is a fault of the launcher; a figure that is missed may be the machine's. */
  readonly isPromise: boolean;
};

const rateMin = 3_000;
const databaseMbMax = 64;
const residentMbMax = 250;
/** New issues a minute, of one sender. */
const newIssuesMinutelyMax = 60;

const refusals = ({ sent }: Phase) => Object.values(sent.refused).reduce((sum, times) => sum + times, 0);
const rateOf = ({ sent }: Phase) => sent.acknowledged / (sent.lastedMs / 1_000);

function promise(says: string, measured: number, wanted: number): StormJudgement {
  return { says, wanted: String(wanted), measured: String(measured), reached: measured === wanted, isPromise: true };
}

function atMost(says: string, measured: number, most: number, unit: string): StormJudgement {
  const shown = `${measured.toFixed(unit === "MB" ? 1 : 0)} ${unit}`.trim();
  return { says, wanted: `≤ ${most} ${unit}`.trim(), measured: shown, reached: measured <= most, isPromise: false };
}

const phaseJudgements = (name: string, phase: Phase): StormJudgement[] => [
  promise(`${name}: reports counted, to those acknowledged`, phase.counted, phase.sent.acknowledged),
  promise(`${name}: answers other than 202, and none`, refusals(phase) + phase.sent.unanswered, 0),
  atMost(`${name}: database with its log, at most`, phase.usage.databaseBytesMax / 1e6, databaseMbMax, "MB"),
  atMost(`${name}: memory, at most`, phase.usage.residentBytesMax / 1e6, residentMbMax, "MB"),
];

export function judgeStorm({ storm, rare, flood, ids, idsWithReceipt }: StormFigures): readonly StormJudgement[] {
  const rate = rateOf(storm);
  // The limit goes with a minute that moves along: in so many minutes, begun ones included, as many at most, and one more
  // issue for all others.
  const minutes = Math.floor((flood.sent.lastedMs + flood.countedAfterMs) / 60_000) + 1;
  return [
    {
      says: "storm: reports a second",
      wanted: `≥ ${rateMin}`,
      measured: rate.toFixed(0),
      reached: rate >= rateMin,
      isPromise: false,
    },
    ...phaseJudgements("storm", storm),
    promise("storm: ids in answers that have a receipt", idsWithReceipt, ids),
    promise("rare: reports and moments handed on", rare.handedOn, rare.reports + rare.moments),
    promise("rare: kinds with the exact count", rare.kindsExact, rare.kinds),
    promise("rare: failures", rare.faults.length, 0),
    ...phaseJudgements("flood", flood),
    atMost("flood: issues it made", flood.newIssues, newIssuesMinutelyMax * minutes + 1, ""),
  ];
}
