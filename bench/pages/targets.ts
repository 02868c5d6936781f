// How soon a page is there and answers, however much there is to show, and whether this run kept to it.
import { type Run, ratioOf, spreadOf } from "../figures.ts";
import { atMost, type Judgement } from "../targets.ts";
import { places } from "./places.ts";
import type { PageResults, Subject, Visit } from "./results.ts";

const contentMsMax = 1_000;
const answerMsMax = 100;
/** What the eye cannot see. */
const shiftMax = 0.001;

export const valuesOf = (
  { visits }: Pick<PageResults, "visits">,
  page: string,
  subject: Subject,
  value: (visit: Visit) => number,
): Run[] =>
  visits
    .filter((visit) => visit.page === page && visit.subject === subject)
    .map((visit) => ({ round: visit.round, value: value(visit) }));

/** Of each page: with much to show, and beside the same with little. */
export function judgePages(results: PageResults): readonly Judgement[] {
  return places.flatMap(({ page }) => {
    const of = (subject: Subject, value: (visit: Visit) => number) => valuesOf(results, page, subject, value);
    const spread = (value: (visit: Visit) => number) => spreadOf(of("many", value).map((run) => run.value));
    const content = ({ contentMs }: Visit) => contentMs;
    return [
      atMost(`${page}: first content`, contentMsMax, "ms", spread(content)),
      atMost(`${page}: first content, to little`, 2, "×", ratioOf(of("many", content), of("few", content))),
      atMost(
        `${page}: slowest answer to a key`,
        answerMsMax,
        "ms",
        spread(({ slowestMs }) => slowestMs),
      ),
      atMost(
        `${page}: what moved by itself`,
        shiftMax,
        "",
        spread(({ shift }) => shift),
      ),
    ].flatMap((judgement) => judgement ?? []);
  });
}
