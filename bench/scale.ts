// Suite `scale`: whether lists and searches stay fast with 100 times the data. Two launchers are asked in turn.
import { Agent, request } from "node:http";
import { join } from "node:path";
import { callAddress, type Given, getIssue, listClips, listEvents, listIssues, listSessions } from "@kit/contract";
import { startLauncherProcess } from "../launcher/test/support/own-launcher.ts";
import { quantile } from "./figures.ts";
import { commonWords, type Filled, fill, rareWord } from "./fill.ts";
import { inFolder } from "./machine.ts";
import { inTurn, type Suite } from "./suite.ts";

/** The URL of a call. It differs in each turn, so that no result is only remembered. */
type Call = (filled: Filled, turn: number) => string;

const at = <T>(list: readonly T[], turn: number): T => list[turn % list.length] as T;
const issues = (query: Given<typeof listIssues>["query"]) => callAddress(listIssues, { query });
const sorts = ["lastSeen", "firstSeen", "count"] as const;
const states = ["open", "resolved", "muted"] as const;
/** One of the oldest tenth. */
const old = (ids: readonly string[], turn: number) => at(ids.slice(0, ids.length / 10), turn * 37);

const calls: Readonly<Record<string, Call>> = {
  "issues, in each order": (_, turn) => issues({ sort: at(sorts, turn) }),
  "issues, a page far down": ({ issueIds }, turn) => issues({ before: old(issueIds, turn) }),
  "issues, of a game in a state": (_, turn) => issues({ game: at(["saga", "racer"], turn), state: at(states, turn) }),
  "issues, a search that finds one": (filled, turn) => issues({ search: rareWord((turn * 7_919) % filled.issues) }),
  "issues, a search that finds a seventh": (_, turn) => issues({ sort: at(sorts, turn), search: commonWords }),
  "issues, a search that finds none": (_, turn) => issues({ search: `nowhere ${turn}` }),
  "an issue": ({ issueIds }, turn) => callAddress(getIssue, { params: { id: at(issueIds, turn * 37) } }),
  "clips, newest first": (_, turn) => callAddress(listClips, { query: { game: at(["saga", "racer"], turn) } }),
  "clips, a search that finds one": ({ clips }, turn) =>
    callAddress(listClips, { query: { text: rareWord(1 + ((turn * 7_919) % clips)) } }),
  "events, a page far down": ({ eventIds }, turn) =>
    callAddress(listEvents, { query: { before: old(eventIds, turn) } }),
  "sessions, newest first": (_, turn) => callAddress(listSessions, { query: { game: at(["saga", "racer"], turn) } }),
};

type Asked = AsyncDisposable & { readonly filled: Filled; get(path: string): Promise<number> };

/** Starts a launcher so that it makes its tables, fills them while it is stopped, and starts it again. */
async function startFilled(dataDir: string, sessions: number): Promise<Asked> {
  await (await startLauncherProcess({ dataDir })).stop();
  const filled = fill(dataDir, { sessions });
  const launcher = await startLauncherProcess({ dataDir });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: `Bearer ${launcher.secret()}` };
  return {
    filled,
    /** Resolves to the milliseconds until the response is complete. */
    async get(path) {
      const beganMs = performance.now();
      const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
      const options = { host: "127.0.0.1", port: launcher.port, path, agent, headers };
      const sent = request(options, async (response) => {
        const text = Buffer.concat(await response.toArray()).toString();
        resolve({ status: response.statusCode ?? 0, text });
      });
      sent.once("error", reject).end();
      const { status, text } = await promise;
      const tookMs = performance.now() - beganMs;
      if (status !== 200) throw new Error(`${path}: status ${status}: ${text.slice(0, 200)}`);
      return tookMs;
    },
    async [Symbol.asyncDispose]() {
      agent.destroy();
      await launcher.stop();
    },
  };
}

const [little, much] = ["little data", "much data"] as const;

export const scale: Suite = {
  says: "lists and searches with 100 times the data",
  needs: [],
  rounds: 5,
  measure: (run) =>
    inFolder(async (folder) => {
      run.say("writing the data");
      await using few = await startFilled(join(folder, "few"), 10);
      await using many = await startFilled(join(folder, "many"), run.isQuick ? 50 : 1_000);
      const asked = { [little]: few, [much]: many } as const;
      const times = run.isQuick ? 10 : 200;
      for (let round = 0; round <= run.rounds; round += 1) {
        run.say(round === 0 ? "warming up" : `round ${round} of ${run.rounds}`);
        for (const [name, call] of Object.entries(calls)) {
          const took: Record<keyof typeof asked, number[]> = { [little]: [], [much]: [] };
          for (let turn = 0; turn < (round === 0 ? times / 10 : times); turn += 1) {
            for (const subject of inTurn([little, much] as const, turn)) {
              const { filled, get } = asked[subject];
              took[subject].push(await get(call(filled, round * times + turn)));
            }
          }
          if (round === 0) continue;
          for (const subject of [little, much] as const)
            run.add(`ms to 99 of 100 responses: ${name}`, subject, round, quantile(took[subject], 0.99));
        }
      }
    }),
};
