// The results of the bench of fitting as tables for a person.
import { spreadOf } from "../figures.ts";
import { shown, table, targetTable } from "../report.ts";
import { type FitResults, type FitSubject, fitSubjects } from "./results.ts";
import { judgeFit, ratioOfFit } from "./targets.ts";

const names: Readonly<Record<FitSubject, string>> = { kit: "Kit", ffmpeg: "plain ffmpeg, two passes" };

export function fitReport(results: FitResults): string {
  const quick = results.quick ? "\nA quick run: its figures mean nothing." : "";
  return [
    `${results.machine}\n${results.at}${quick}`,
    runTable(results),
    playTable(results),
    targetTable(judgeFit(results)),
    results.invalid.map((fault) => `INVALID: ${fault}`).join("\n"),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function runTable({ runs, clip }: FitResults): string {
  const rows = fitSubjects.map((subject) => {
    const own = runs.filter((run) => run.subject === subject);
    return [
      names[subject],
      shown(spreadOf(own.map(({ wallMs }) => wallMs / 1_000)), 1),
      shown(spreadOf(own.map(({ cpuMs }) => cpuMs / 1_000)), 1),
      shown(spreadOf(own.map(({ bytes }) => bytes / 1e6)), 2),
    ];
  });
  const ratios = [
    "×",
    shown(
      ratioOfFit(runs, ({ wallMs }) => wallMs),
      2,
    ),
    shown(
      ratioOfFit(runs, ({ cpuMs }) => cpuMs),
      2,
    ),
    "",
  ];
  const limit = (clip.bytesMax / 1e6).toFixed(2);
  const title = `${clip.seconds} s of 1920×1080, ${(clip.bytes / 1e6).toFixed(1)} MB, into ${limit} MB: median (min–max)`;
  return table(title, ["", "s", "s of processor", "MB"], [...rows, ratios]);
}

function playTable({ played }: FitResults): string {
  if (played === null) return "";
  const { seconds, height, pictures, reachedEnd } = played;
  const rows = [[seconds.toFixed(2), height, pictures, reachedEnd ? "yes" : "no"]];
  return table("What Kit made, in Chromium", ["s", "height", "pictures shown", "to its end"], rows);
}
