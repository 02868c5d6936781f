// `npm run bench -- senders`: measures the accuracy and cost of finding an event's sender. See README.md.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent } from "node:http";
import { createInterface } from "node:readline";
import { type Receipt, triggerSocial } from "@kit/contract";
import { ask } from "../launcher/test/support/launcher-process.ts";
import { type LauncherProcess, startLauncherProcess } from "../launcher/test/support/own-launcher.ts";
import { defineBench, inRounds, inTurn, type Say } from "./bench.ts";
import { atMost, type Column, cellsOf, ratioOf, sum, table, waitsOf, where } from "./figures.ts";

/** Result of a run with three games. */
type GameRun = {
  readonly reports: number;
  /** Reports assigned to the right game. */
  readonly right: number;
  /** Reports without a game, because the sender was not found in time. */
  readonly unknown: number;
  /** Reports assigned to another game. */
  readonly wrong: number;
};

const names = ["saga", "racer", "quest"];
const reportsEach = 5;

/** Sends a trigger, which identifies the game, and then many reports at once over separate connections. */
const script = `
  const { request } = require("node:http");
  const [port, name] = process.argv.slice(1);
  const send = (path, said) => new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "user-agent": "TwinEngine/1.0" };
    const sent = request({ host: "127.0.0.1", port, path, method: "POST", headers, agent: false }, async (answer) => {
      resolve(JSON.parse(Buffer.concat(await answer.toArray())).id);
    });
    sent.once("error", reject);
    sent.end(JSON.stringify({ ...said, timestamp: new Date().toISOString() }));
  });
  process.stdin.once("data", async () => {
    await send("/api/recording/trigger", { eventId: name + "_began" });
    const reports = Array.from({ length: ${reportsEach} }, (_, n) =>
      send("/api/monitor/report", { message: "Error " + n + " of " + name, stackTrace: "" }));
    console.log(JSON.stringify(await Promise.all(reports)));
    process.stdin.pause();
  });
  console.log("ready");`;

type Game = { readonly name: string; readonly child: ChildProcessWithoutNullStreams; line(): Promise<string> };

function start(port: number, name: string): Game {
  const child = spawn(process.execPath, ["-e", script, String(port), name], { stdio: "pipe" });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const line = async () => {
    const { value } = await lines.next();
    if (value === undefined) throw new Error(`the game ${name} ended`);
    return value;
  };
  return { name, child, line };
}

async function gameOf(launcher: LauncherProcess, id: string): Promise<string | null> {
  return ((await launcher.receipt(id)) satisfies Receipt).event.game;
}

/** Runs all three games at the same time. */
async function playThree(launcher: LauncherProcess): Promise<GameRun> {
  const games = names.map((name) => start(launcher.port, name));
  try {
    for (const { line } of games) await line();
    for (const { child } of games) child.stdin.write("go\n");
    const filed: { readonly wanted: string; readonly game: string | null }[] = [];
    for (const { name, line } of games) {
      const ids: string[] = JSON.parse(await line());
      for (const id of ids) filed.push({ wanted: name, game: await gameOf(launcher, id) });
    }
    const right = filed.filter(({ wanted, game }) => game === wanted).length;
    const unknown = filed.filter(({ game }) => game === null).length;
    return { reports: filed.length, right, unknown, wrong: filed.length - right - unknown };
  } finally {
    for (const { child } of games) if (child.kill("SIGKILL")) await once(child, "close");
  }
}

// `npm run bench -- senders`: measures the accuracy and cost of finding an event's sender. See ../README.md.

const connectionWays = ["one that stays open", "a new one each"] as const;
type ConnectionWay = (typeof connectionWays)[number];

type CostRun = {
  readonly round: number;
  /** Whether sender lookup was on. */
  readonly looked: boolean;
  readonly way: ConnectionWay;
  readonly p50Ms: number;
  readonly p99Ms: number;
};
type Results = { readonly games: readonly GameRun[]; readonly costs: readonly CostRun[] };

/** Concurrent requests of a busy game. */
const atOnce = 8;

/** Sends events, and measures the time until each is acknowledged. */
async function costOf(port: number, way: ConnectionWay, events: number) {
  const kept = way === "one that stays open" ? new Agent({ keepAlive: true, maxSockets: atOnce }) : undefined;
  const took: number[] = [];
  let left = events;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      const body = JSON.stringify({ eventId: "saga_boss_defeated", timestamp: new Date().toISOString() });
      const beganMs = performance.now();
      const { status } = await ask(port, { path: triggerSocial.path, body, ...(kept && { agent: kept }) });
      if (status !== 202) throw new Error(`an event was answered with ${status}`);
      took.push(performance.now() - beganMs);
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, worker));
  } finally {
    kept?.destroy();
  }
  return waitsOf(took);
}

/** Without a display, so that nothing is recorded. */
const started = (senders: "on" | "off") => startLauncherProcess({ env: { KIT_SENDERS: senders, DISPLAY: "" } });

async function measureGames(runs: number, say: Say): Promise<GameRun[]> {
  await using launcher = await started("on");
  const games: GameRun[] = [];
  for (let run = 1; run <= runs; run += 1) {
    if (run % 20 === 1) say(`three games at once, ${run} of ${runs}`);
    games.push(await playThree(launcher));
  }
  return games;
}

async function measureCosts(rounds: number, events: number, say: Say): Promise<CostRun[]> {
  await using on = await started("on");
  await using off = await started("off");
  const costRound = async (round: number) => {
    const costs: CostRun[] = [];
    for (const way of connectionWays) {
      for (const looked of inTurn([true, false], round)) {
        costs.push({ round, looked, way, ...(await costOf((looked ? on : off).port, way, events)) });
      }
    }
    return costs;
  };
  await costRound(0);
  // Awaited here, so that both launchers run until the last round is over.
  return await inRounds(rounds, say, costRound);
}

const waits: readonly Column<CostRun>[] = [
  ["p50 ms", "p50Ms", 2],
  ["p99 ms", "p99Ms", 2],
];

function tablesOf({ games, costs }: Results): string[] {
  const total = (of: keyof GameRun) => sum(games.map((run) => run[of]));
  const row = [games.length, total("reports"), total("right"), total("unknown"), total("wrong")];
  const rows = connectionWays.map((way) => [
    way,
    ...cellsOf(where(costs, { way, looked: true }), waits),
    ...cellsOf(where(costs, { way, looked: false }), waits),
  ]);
  const head = ["connection", "looked for: p50 ms", "p99 ms", "not: p50 ms", "p99 ms"];
  return [
    table("Three games that send at once", ["runs", "reports", "right", "of nobody", "wrong"], [row]),
    table("Time to the acknowledgement: median of the rounds (min–max)", head, rows),
  ];
}

const ratioMax = 1.2;

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
  targets({ games, costs }) {
    const notRight = games.filter(({ right, reports }) => right !== reports).length;
    const ratio = (way: ConnectionWay) =>
      ratioOf(where(costs, { way, looked: true }), where(costs, { way, looked: false }), "p99Ms");
    return [
      ...atMost(`runs of ${games.length} with a report that is not its game's`, 0, "", notRight),
      ...connectionWays.flatMap((way) => atMost(`p99, ${way}: looked for, to not`, ratioMax, "×", ratio(way))),
    ];
  },
});
