// `npm run bench -- issues`: compares API calls with few and many issues. See ../README.md.
import { Agent, request } from "node:http";
import { join } from "node:path";
import { defineBench, inRounds, inTurn, type Say } from "../bench.ts";
import { atMost, type Column, cellsOf, ratioOf, shown, table, waitsOf, where } from "../figures.ts";
import { type Amount, amounts, type FilledLauncher, withFewAndMany } from "../machine.ts";
import { commonWords, type Filled, fill, rareWord, sentenceOf, someWord } from "./fill.ts";

/** A launcher with generated issues. */
type Asked = FilledLauncher<Filled>;

/** The address of a call, which differs in each turn to avoid cached results. */
type Call = (filled: Filled, turn: number) => string;

const at = <T>(list: readonly T[], turn: number): T => list[turn % list.length] as T;
const listed = (query: Readonly<Record<string, string>>) => `/api/issues?${new URLSearchParams(query)}`;
/** An issue in the last tenth of the list. */
const deep = ({ ids }: Filled, turn: number) => at(ids.slice(Math.floor(ids.length * 0.9)), turn);
const sorts = ["lastSeen", "firstSeen", "count"];

const calls = {
  "list, last seen first": () => listed({ sort: "lastSeen" }),
  "list, first seen last": () => listed({ sort: "firstSeen" }),
  "list, most first": () => listed({ sort: "count" }),
  "list, a page of 200": (_, turn) => listed({ sort: at(sorts, turn), limit: "200" }),
  "list, a page far down": (filled, turn) => listed({ sort: at(sorts, turn), before: deep(filled, turn) }),
  "one game of several": (_, turn) => listed({ sort: at(sorts, turn), game: at(["saga", "racer", "unsorted"], turn) }),
  "a game with few": (_, turn) => listed({ sort: at(sorts, turn), game: "rarely_played" }),
  "one state": (_, turn) => listed({ sort: at(sorts, turn), state: at(["open", "resolved", "muted"], turn) }),
  "game and state": (_, turn) =>
    listed({
      sort: at(sorts, turn),
      ...at(
        [
          { game: "saga", state: "resolved" },
          { game: "racer", state: "open" },
        ],
        turn,
      ),
    }),
  "the bin": (_, turn) => listed({ sort: at(sorts, turn), bin: "true" }),
  "search, in one": ({ issues }, turn) => listed({ sort: at(sorts, turn), search: rareWord((turn * 7_919) % issues) }),
  "search, in none": (_, turn) => listed({ sort: at(sorts, turn), search: `nowhere ${turn}` }),
  "search, in some": (_, turn) => listed({ sort: at(sorts, turn), search: someWord(turn) }),
  "search, in a seventh": (_, turn) => listed({ sort: at(sorts, turn), search: commonWords }),
  "search, a sentence": ({ issues }, turn) =>
    listed({ sort: at(sorts, turn), search: sentenceOf((turn * 7_919) % issues) }),
  "search, two characters": (_, turn) => listed({ sort: at(sorts, turn), search: at(["do", "zq", "k ", "??"], turn) }),
  "an issue": ({ ids }, turn) => `/api/issues/${at(ids, turn * 37)}`,
} as const satisfies Readonly<Record<string, Call>>;

type CallName = keyof typeof calls;
export const callNames = Object.keys(calls) as CallName[];

type CallRun = {
  readonly amount: Amount;
  readonly call: CallName;
  readonly round: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};
type Results = { readonly filled: Readonly<Record<Amount, Omit<Filled, "ids">>>; readonly runs: readonly CallRun[] };

/** Gets an address of a launcher. Resolves to the milliseconds until the response is complete. */
function get({ port, secret }: Asked, path: string, agent: Agent): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const headers = { authorization: `Bearer ${secret}` };
  const beganMs = performance.now();
  const sent = request({ host: "127.0.0.1", port, path, agent, headers }, (answer) => {
    const parts: Buffer[] = [];
    answer.on("data", (part: Buffer) => parts.push(part));
    answer.once("error", reject);
    answer.once("end", () => {
      const tookMs = performance.now() - beganMs;
      if (answer.statusCode === 200) return resolve(tookMs);
      const text = Buffer.concat(parts).toString().slice(0, 200);
      reject(new Error(`${path} was answered with ${answer.statusCode}: ${text}`));
    });
  });
  sent.once("error", reject);
  sent.end();
  return promise;
}

/** Makes each call `times` times in each round to both launchers in turn, over one connection for each that stays open. */
async function callBoth(asked: Readonly<Record<Amount, Asked>>, rounds: number, times: number, say: Say) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const callAll = async (round: number, calledTimes: number) => {
    const runs: CallRun[] = [];
    for (const call of callNames) {
      const took: Record<Amount, number[]> = { few: [], many: [] };
      for (let turn = 0; turn < calledTimes; turn += 1) {
        for (const amount of inTurn(amounts, turn)) {
          const path = (calls[call] as Call)(asked[amount].filled, (round - 1) * calledTimes + turn);
          took[amount].push(await get(asked[amount], path, agent));
        }
      }
      runs.push(...amounts.map((amount) => ({ amount, call, round, ...waitsOf(took[amount]) })));
    }
    return runs;
  };
  try {
    // Warm-up.
    await callAll(1, Math.ceil(times / 10));
    return await inRounds(rounds, say, (round) => callAll(round, times));
  } finally {
    agent.destroy();
  }
}

const waits: readonly Column<CallRun>[] = [
  ["p50 ms", "p50Ms", 1],
  ["p99 ms", "p99Ms", 1],
];
const ratioMax = 2;
const ratioOfCall = (runs: readonly CallRun[], call: CallName, value: "p50Ms" | "p99Ms") =>
  ratioOf(where(runs, { call, amount: "many" }), where(runs, { call, amount: "few" }), value);

function tablesOf({ filled, runs }: Results): string[] {
  const databases = Object.entries(filled).map(([amount, { issues, reports, counts, bytes, seconds }]) => [
    amount,
    ...[issues, reports, counts],
    (bytes / 1e6).toFixed(1),
    seconds.toFixed(0),
  ]);
  const rows = callNames.map((call) => [
    call,
    ...amounts.flatMap((amount) => cellsOf(where(runs, { call, amount }), waits)),
    shown(ratioOfCall(runs, call, "p50Ms"), 2),
  ]);
  const head = ["", `${filled.few.issues}: p50 ms`, "p99 ms", `${filled.many.issues}: p50 ms`, "p99 ms", "× p50"];
  return [
    table("The two databases", ["", "issues", "reports", "spans counted", "MB", "s to write"], databases),
    table("Time to the whole answer: median of the rounds (min–max)", head, rows),
  ];
}

export const issues = defineBench({
  summary: "lists and pages with 100,000 issues",
  about: "Measures the lists and pages of issues with few and with many: two launchers, asked in turn.",
  flags: {
    rounds: { says: "rounds, each with every call to both launchers in turn", usual: 5, quick: 1 },
    calls: { says: "calls of each kind in a round", usual: 200, quick: 5 },
    few: { says: "issues of one launcher", usual: 1_000, quick: 200, least: 100 },
    many: { says: "issues of the other, also with a hundred reports each", usual: 100_000, quick: 2_000, least: 100 },
  },
  usesLauncher: true,
  measure({ rounds, calls, few, many }, say) {
    const wanted = { few, many };
    const write = (amount: Amount, dataDir: string) => {
      say(`writing ${wanted[amount]} issues`);
      return fill(join(dataDir, "kit.db"), wanted[amount]);
    };
    return withFewAndMany(write, async (asked): Promise<Results> => {
      const runs = await callBoth(asked, rounds, calls, say);
      const sizeOf = ({ filled: { ids: _, ...size } }: Asked) => size;
      return { filled: { few: sizeOf(asked.few), many: sizeOf(asked.many) }, runs };
    });
  },
  tables: tablesOf,
  targets: ({ runs }) =>
    callNames.flatMap((call) => atMost(`p99 of ${call}`, ratioMax, "×", ratioOfCall(runs, call, "p99Ms"))),
});
