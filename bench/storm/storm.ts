// `npm run bench -- storm`: measures the launcher with a game that reports an error in every frame. See ../README.md.
import { defineBench } from "../bench.ts";
import { atLeast, atMost, sum, type Target, table } from "../figures.ts";
import { measureStorm, type Phase, type StormFigures } from "./measure.ts";

const rateMin = 3_000;
const databaseMbMax = 64;
const residentMbMax = 250;
/** Maximum new issues per minute and sender. */
const newIssuesMinutelyMax = 60;

const rateOf = ({ sent }: Phase) => sent.acknowledged / (sent.lastedMs / 1_000);

const promise = (says: string, measured: number, wanted: number): Target => ({
  says,
  wanted: String(wanted),
  measured: String(measured),
  reached: measured === wanted,
  isPromise: true,
});

const phaseTargets = (name: string, { sent, counted, usage }: Phase): Target[] => [
  promise(`${name}: reports counted, to those acknowledged`, counted, sent.acknowledged),
  promise(`${name}: answers other than 202, and none`, sum(Object.values(sent.refused)) + sent.unanswered, 0),
  ...atMost(`${name}: database with its log, at most`, databaseMbMax, "MB", usage.databaseBytesMax / 1e6),
  ...atMost(`${name}: memory, at most`, residentMbMax, "MB", usage.residentBytesMax / 1e6),
];

export function stormTargets({ storm, rare, flood, ids, idsWithReceipt }: StormFigures): readonly Target[] {
  // The limit applies to a sliding minute, so count started minutes, plus one overflow issue.
  const minutes = Math.floor((flood.sent.lastedMs + flood.countedAfterMs) / 60_000) + 1;
  return [
    ...atLeast("storm: reports a second", rateMin, "", Math.round(rateOf(storm))),
    ...phaseTargets("storm", storm),
    promise("storm: ids in answers that have a receipt", idsWithReceipt, ids),
    promise("rare: reports and moments handed on", rare.handedOn, rare.reports + rare.moments),
    promise("rare: kinds with the exact count", rare.kindsExact, rare.kinds),
    promise("rare: failures", rare.faults.length, 0),
    ...phaseTargets("flood", flood),
    ...atMost("flood: issues it made", newIssuesMinutelyMax * minutes + 1, "", flood.newIssues),
  ];
}

function phaseRow(name: string, phase: Phase): (string | number)[] {
  const { sent, counted, countedAfterMs, newIssues } = phase;
  const others = Object.entries(sent.refused).map(([status, times]) => `${times} × ${status}`);
  if (sent.unanswered > 0) others.push(`${sent.unanswered} none`);
  const waits = [sent.p50Ms, sent.p99Ms].map((ms) => ms.toFixed(1));
  const after = countedAfterMs.toFixed(0);
  return [
    name,
    sent.acknowledged,
    counted,
    rateOf(phase).toFixed(0),
    ...waits,
    others.join(", ") || "0",
    newIssues,
    after,
  ];
}

function tablesOf({ storm, flood, rare }: StormFigures): string[] {
  const phases = ["", "202", "counted", "a second", "p50 ms", "p99 ms", "other answers", "issues", "counted after ms"];
  const rareHead = ["reports", "moments", "handed on", "kinds", "with the exact count", "p50 ms", "p99 ms"];
  const rareRow = [rare.reports, rare.moments, rare.handedOn, rare.kinds, rare.kindsExact];
  const rows = Object.entries({ storm, flood });
  const usage = rows.map(([name, { usage: used }]) => [
    name,
    (used.databaseBytesMax / 1e6).toFixed(1),
    (used.residentBytesMax / 1e6).toFixed(0),
    used.cpuPercent.toFixed(0),
  ]);
  const usageHead = ["", "MB of database", "MB resident", "% of a core"];
  return [
    table(
      "Reports",
      phases,
      rows.map(([name, phase]) => phaseRow(name, phase)),
    ),
    table("Beside the storm", rareHead, [[...rareRow, rare.p50Ms.toFixed(1), rare.p99Ms.toFixed(1)]]),
    table("The launcher meanwhile: the most, and the processor's mean", usageHead, usage),
    rare.faults
      .slice(0, 20)
      .map((fault) => `FAULT ${fault}`)
      .join("\n"),
  ];
}

export const storm = defineBench({
  summary: "a game that throws in every frame",
  about: `Measures a launcher under a storm of error reports, beside a few rare ones that must not be lost, and then under a flood
of reports of which no two are of one kind.`,
  flags: {
    seconds: { says: "length of the storm", usual: 120, quick: 3, most: 3_600 },
    connections: { says: "connections of the storm and of the flood", usual: 64, quick: 16, most: 256 },
    unique: { says: "reports of the flood", usual: 100_000, quick: 1_500, most: 400_000 },
  },
  usesLauncher: true,
  measure: measureStorm,
  tables: tablesOf,
  targets: stormTargets,
});
