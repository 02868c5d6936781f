// Whether every report was filed under who sent it, and at what price.
import { ratioOf, spreadOf } from "../figures.ts";
import { atMost, type Judgement } from "../targets.ts";
import { type ConnectionWay, type CostRun, connectionWays, type SenderResults } from "./results.ts";

const ratioMax = 1.2;

function ratioOfWay(costs: readonly CostRun[], way: ConnectionWay) {
  const of = (looked: boolean) =>
    costs
      .filter((run) => run.way === way && run.looked === looked)
      .map(({ round, p99Ms }) => ({ round, value: p99Ms }));
  return ratioOf(of(true), of(false));
}

export function judgeSenders({ games, costs }: SenderResults): readonly Judgement[] {
  const notRight = games.filter(({ right, reports }) => right !== reports).length;
  return [
    atMost(`runs of ${games.length} with a report that is not its game's`, 0, "", spreadOf([notRight])),
    ...connectionWays.map((way) => atMost(`p99, ${way}: looked for, to not`, ratioMax, "×", ratioOfWay(costs, way))),
  ].flatMap((judgement) => judgement ?? []);
}
