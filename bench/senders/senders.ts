// `npm run bench -- senders`: measures the accuracy and cost of finding an event's sender. See ../README.md.
import { startOwnLauncher } from "../../launcher/test/support/own-launcher.ts";
import { defineBench } from "../bench.ts";
import { ratioOf, sum } from "../figures.ts";
import { shownOf, table } from "../tables.ts";
import { atMost } from "../targets.ts";
import { type ConnectionWay, connectionWays, costOf } from "./cost.ts";
import { type GameRun, playThree } from "./games.ts";

type CostRun = {
  readonly round: number;
  /** Whether sender lookup was on. */
  readonly looked: boolean;
  readonly way: ConnectionWay;
  readonly p50Ms: number;
  readonly p99Ms: number;
};

type Results = { readonly games: readonly GameRun[]; readonly costs: readonly CostRun[] };

const ratioMax = 1.2;
/** Without a display, so that nothing is recorded. */
const started = (senders: "on" | "off") => startOwnLauncher({ env: { KIT_SENDERS: senders, DISPLAY: "" } });

async function measureGames(runs: number, say: (line: string) => void): Promise<GameRun[]> {
  await using launcher = await started("on");
  const games: GameRun[] = [];
  for (let run = 1; run <= runs; run += 1) {
    if (run % 20 === 1) say(`three games at once, ${run} of ${runs}`);
    games.push(await playThree(launcher));
  }
  return games;
}

async function measureCosts(rounds: number, events: number, say: (line: string) => void): Promise<CostRun[]> {
  await using on = await started("on");
  await using off = await started("off");
  const costs: CostRun[] = [];
  // Round 0 is a warm-up.
  for (let round = 0; round <= rounds; round += 1) {
    say(`round ${round} of ${rounds}`);
    for (const way of connectionWays) {
      for (const looked of round % 2 === 0 ? [true, false] : [false, true]) {
        const { p50Ms, p99Ms } = await costOf((looked ? on : off).port, way, events);
        if (round > 0) costs.push({ round, looked, way, p50Ms, p99Ms });
      }
    }
  }
  return costs;
}

const runsOf = ({ costs }: Results, way: ConnectionWay, looked: boolean) =>
  costs.filter((run) => run.way === way && run.looked === looked);

function tablesOf(results: Results): string[] {
  const { games } = results;
  const total = (of: keyof GameRun) => sum(games.map((run) => run[of]));
  const row = [games.length, total("reports"), total("right"), total("unknown"), total("wrong")];
  const costs = connectionWays.map((way) => [
    way,
    ...[true, false].flatMap((looked) => {
      const runs = runsOf(results, way, looked);
      return [shownOf(runs, ({ p50Ms }) => p50Ms, 2), shownOf(runs, ({ p99Ms }) => p99Ms, 2)];
    }),
  ]);
  const head = ["connection", "looked for: p50 ms", "p99 ms", "not: p50 ms", "p99 ms"];
  return [
    table("Three games that send at once", ["runs", "reports", "right", "of nobody", "wrong"], [row]),
    table("Time to the acknowledgement: median of the rounds (min–max)", head, costs),
  ];
}

export const senders = defineBench({
  summary: "whether Kit knows who sent an event, and what that costs",
  about:
    "Measures whether Kit knows which program sent an event, and what knowing it costs. Linux only: elsewhere nobody is looked for.",
  flags: {
    runs: { says: "runs of three games that send at once", usual: 100, quick: 3 },
    rounds: { says: "rounds, each with and without looking for the sender", usual: 5, quick: 1 },
    events: { says: "events of each kind in a round", usual: 1_000, quick: 100 },
  },
  usesLauncher: true,
  async measure({ runs, rounds, events }, say): Promise<Results> {
    if (process.platform !== "linux") throw new Error("Who sends an event is looked for on Linux only.");
    return { games: await measureGames(runs, say), costs: await measureCosts(rounds, events, say) };
  },
  tables: tablesOf,
  targets(results) {
    const { games } = results;
    const notRight = games.filter(({ right, reports }) => right !== reports).length;
    const ratio = (way: ConnectionWay) =>
      ratioOf(runsOf(results, way, true), runsOf(results, way, false), ({ p99Ms }) => p99Ms);
    return [
      ...atMost(`runs of ${games.length} with a report that is not its game's`, 0, "", notRight),
      ...connectionWays.flatMap((way) => atMost(`p99, ${way}: looked for, to not`, ratioMax, "×", ratio(way))),
    ];
  },
});
