// The results of the bench of pages as tables for a person.
import { spreadOf } from "../figures.ts";
import { shown, table, targetTable } from "../report.ts";
import { places } from "./places.ts";
import type { PageResults, Subject, Visit } from "./results.ts";
import { judgePages, valuesOf } from "./targets.ts";

export function pagesReport(results: PageResults): string {
  const quick = results.quick ? "\nA quick run: its figures mean nothing." : "";
  const { few, many } = results.sizes;
  const says = `${few.clips} and ${many.clips} clips, ${few.events} and ${many.events} events, ${few.sessions} and ${many.sessions} sessions`;
  return [
    `${results.machine}\n${results.at}\n${says}${quick}`,
    visitTable(results),
    targetTable(judgePages(results)),
  ].join("\n\n");
}

function visitTable(results: PageResults): string {
  const rows = places.map(({ page }) => {
    const of = (subject: Subject, value: (visit: Visit) => number, digits = 0) =>
      shown(spreadOf(valuesOf(results, page, subject, value).map((run) => run.value)), digits);
    return [
      page,
      ...(["few", "many"] as const).flatMap((subject) => [
        of(subject, ({ contentMs }) => contentMs),
        of(subject, ({ slowestMs }) => slowestMs),
        of(subject, ({ shift }) => shift, 4),
      ]),
    ];
  });
  const head = ["", "little: content ms", "answer ms", "moved", "much: content ms", "answer ms", "moved"];
  return table("The pages: median of the rounds (min–max)", head, rows);
}
