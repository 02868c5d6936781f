// The measured API calls, and their duration.
import { Agent, request } from "node:http";
import type { Filled } from "./fill.ts";
import { commonWords, rareWord, sentenceOf, someWord } from "./made-up.ts";

/** A launcher with generated issues. */
export type Asked = { readonly port: number; readonly secret: string; readonly filled: Filled };

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

export type CallName = keyof typeof calls;
export const callNames = Object.keys(calls) as CallName[];

export type Asker = {
  /** Milliseconds until the response is complete. Throws unless its status is 200. */
  ask(asked: Asked, name: CallName, turn: number): Promise<number>;
  [Symbol.dispose](): void;
};

/** Uses one keep-alive connection per launcher. */
export function createAsker(): Asker {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const get = ({ port, secret }: Asked, path: string) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const sent = request({ host: "127.0.0.1", port, path, agent, headers: { authorization: `Bearer ${secret}` } });
      sent.once("error", reject);
      sent.once("response", (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part));
        answer.once("error", reject);
        answer.once("end", () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString() }));
      });
      sent.end();
    });
  return {
    async ask(asked, name, turn) {
      const call: Call = calls[name];
      const path = call(asked.filled, turn);
      const beganMs = performance.now();
      const { status, text } = await get(asked, path);
      const tookMs = performance.now() - beganMs;
      if (status !== 200) throw new Error(`${path} was answered with ${status}: ${text.slice(0, 200)}`);
      return tookMs;
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}
