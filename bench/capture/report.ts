// The results of the bench of recording as tables for a person.
import { type Run, ratioOf, spreadOf } from "../figures.ts";
import { shown, table, targetTable } from "../report.ts";
import { type CostRun, type CostSubject, costSubjects } from "./cost.ts";
import type { CaptureResults } from "./results.ts";
import { judgeCapture } from "./targets.ts";

const names: Readonly<Record<CostSubject, string>> = {
  kit: "Kit: the launcher and its capture",
  ffmpeg: "the same ffmpeg, writing nowhere",
  nothing: "no capture",
};

export function captureReport(results: CaptureResults): string {
  const quick = results.quick ? "\nA quick run: its figures mean nothing." : "";
  const parts = [
    `${results.machine}\n${results.at}${quick}`,
    costTable(results.cost),
    partsTable(results.cost),
    gameTable(results.cost),
    readyTable(results),
    targetTable(judgeCapture(results)),
    results.invalid.map((fault) => `INVALID, left out: ${fault}`).join("\n"),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

const megabytes = (bytes: number) => bytes / 1e6;

function costTable(cost: readonly CostRun[]): string {
  const rows = costSubjects
    .filter((subject) => subject !== "nothing" && cost.some((run) => run.subject === subject))
    .map((subject) => {
      const own = cost.filter((run) => run.subject === subject);
      const spread = (value: (run: CostRun) => number, digits: number) => shown(spreadOf(own.map(value)), digits);
      const resident = spread(({ residentBytes }) => megabytes(residentBytes), 0);
      return [
        names[subject],
        spread(({ cpuPercent }) => cpuPercent, 1),
        resident,
        spread(({ frameRate }) => frameRate, 1),
      ];
    });
  return table(
    "Recording 1280×720 at 30: median (min–max)",
    ["", "% of a core", "MB resident", "frames a second"],
    rows,
  );
}

/** Where the launcher's share comes from: Node is there before anything is recorded, and footage has to be somewhere. */
function partsTable(cost: readonly CostRun[]): string {
  const parts = cost.flatMap(({ parts }) => parts ?? []);
  type Part = (typeof parts)[number];
  const row = (name: string, value: (part: Part) => number, unit: string, digits = 0) => [
    name,
    shown(spreadOf(parts.map(value)), digits),
    unit,
  ];
  const rows = [
    row("launcher before it records", ({ launcherIdleBytes }) => megabytes(launcherIdleBytes), "MB"),
    row("launcher while it records", ({ launcherBytes }) => megabytes(launcherBytes), "MB"),
    row("of that, footage it holds", ({ heldBytes }) => megabytes(heldBytes), "MB", 1),
    row("the footage's length", ({ heldSeconds }) => heldSeconds, "s", 1),
    row("its capture", ({ captureBytes }) => megabytes(captureBytes), "MB"),
    row("launcher without its capture", ({ launcherCpuPercent }) => launcherCpuPercent, "% of a core", 2),
  ];
  return parts.length === 0 ? "" : table("What Kit's figures are made of", ["", "", ""], rows);
}

function gameTable(cost: readonly CostRun[]): string {
  const p99 = (subject: CostSubject): Run[] =>
    cost.filter((run) => run.subject === subject).map(({ round, game }) => ({ round, value: game.p99Ms }));
  const rows = costSubjects.map((subject) => {
    const own = cost.filter((run) => run.subject === subject).map(({ game }) => game);
    return [
      names[subject],
      shown(spreadOf(own.map(({ medianMs }) => medianMs)), 2),
      shown(spreadOf(own.map(({ p99Ms }) => p99Ms)), 2),
      shown(subject === "nothing" ? undefined : ratioOf(p99(subject), p99("nothing")), 2),
      shown(spreadOf(own.map(({ frameRate }) => frameRate)), 1),
    ];
  });
  const title = "The game beside it: time to paint one frame";
  return cost.length === 0 ? "" : table(title, ["", "median ms", "p99 ms", "× no capture", "frames a second"], rows);
}

function readyTable({ ready }: CaptureResults): string {
  const row = (name: string, value: (run: CaptureResults["ready"][number]) => number, digits = 0) => [
    name,
    shown(spreadOf(ready.map(value)), digits),
  ];
  const rows = [
    row("receipt says saved, ms", ({ readyMs }) => readyMs),
    row("seen from outside, ms", ({ seenMs }) => seenMs),
    row("plain copy and fsync, ms", ({ copyMs }) => copyMs),
    row("length of the clip, s", ({ duration }) => duration, 2),
    row("size of the clip, MB", ({ bytes }) => megabytes(bytes), 1),
  ];
  return ready.length === 0 ? "" : table("A clip, after its last second: median (min–max)", ["", ""], rows);
}
