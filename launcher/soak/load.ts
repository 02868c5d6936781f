// Events of all three kinds from many connections at once; remembers what was sent, and what was acknowledged.
import { Agent } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { type EventKind, ingestOf } from "@kit/contract";
import { ask } from "../test/launcher-process.ts";

type Sent = { readonly kind: EventKind; readonly body: Readonly<Record<string, string>> };

export type Load = {
  /** Ends when so many more have an answer of these statuses; throws when that takes too long. */
  answered(statuses: readonly number[], count: number, withinMs?: number): Promise<void>;
  /** From here on a broken connection is expected. Ends with the last request. */
  stop(): Promise<void>;
};

export type Account = {
  /** By the id that the launcher gave. Reports of one kind may be counted with a stored one, and share its id. */
  readonly acknowledged: Map<string, Sent[]>;
  /** How many answers had which status. */
  readonly answers: Map<number, number>;
  /** Requests without an answer, before `stop`. */
  readonly unanswered: string[];
};

export const createAccount = (): Account => ({ acknowledged: new Map(), answers: new Map(), unanswered: [] });

const connections = 32;
const kindsOfErrors = 30;
const reportEvery = 24;
const stackLines = 40;
const pollMs = 5;

/** Short ones and long ones: some rows need pages of their own. */
function eventOf(name: string, number: number): Sent {
  const timestamp = new Date().toISOString();
  if (number % reportEvery !== 0) {
    const eventId = `${name}_${number}_${"x".repeat(number % 120)}`;
    return { kind: number % 3 === 0 ? "social" : "recording", body: { eventId, timestamp } };
  }
  const words = `${name}${"abcdefghijklmnopqrstuvwxyzABCDEF"[(number / reportEvery) % kindsOfErrors]}`;
  const stackTrace = Array.from({ length: stackLines }, (_, line) => `    at ${words}${line} (game.js:${line}:7)`);
  return { kind: "monitor", body: { message: `${words} failed`, stackTrace: stackTrace.join("\n"), timestamp } };
}

/** `name` makes the events of this load different from all others. */
export function startLoad(port: number, name: string, account: Account): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let isStopping = false;
  let number = 0;
  const sendOne = async () => {
    number += 1;
    const sent = eventOf(name, number);
    try {
      const asking = { path: ingestOf[sent.kind].path, body: JSON.stringify(sent.body), agent, timeoutMs: 20_000 };
      const answer = await ask(port, asking);
      account.answers.set(answer.status, (account.answers.get(answer.status) ?? 0) + 1);
      if (answer.status !== 202) return;
      const { id } = JSON.parse(answer.body) as { id: string };
      account.acknowledged.set(id, [...(account.acknowledged.get(id) ?? []), sent]);
    } catch (error) {
      if (!isStopping) account.unanswered.push(String(error));
      await pause(pollMs);
    }
  };
  const send = async () => {
    while (!isStopping) await sendOne();
  };
  const senders = Array.from({ length: connections }, send);
  return {
    async answered(statuses, count, withinMs = 60_000) {
      const deadlineMs = performance.now() + withinMs;
      const sum = () => statuses.reduce((all, status) => all + (account.answers.get(status) ?? 0), 0);
      for (const target = sum() + count; sum() < target; ) {
        if (performance.now() > deadlineMs)
          throw new Error(`${count} answers ${statuses.join(", ")} did not come: ${told(account)}`);
        await pause(pollMs);
      }
    },
    async stop() {
      isStopping = true;
      await Promise.all(senders);
      agent.destroy();
    },
  };
}

const told = ({ answers, unanswered }: Account) =>
  `${JSON.stringify(Object.fromEntries(answers))}, ${unanswered.length} without an answer: ${unanswered[0]}`;
