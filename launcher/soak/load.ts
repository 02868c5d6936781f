// Sends events of all three kinds over many connections, and remembers which were sent and acknowledged.
import { Agent } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { type EventKind, ingestOperations } from "@kit/contract";
import { ask } from "../test/support/launcher-process.ts";
import { until } from "../test/support/until.ts";

type Sent = { readonly kind: EventKind; readonly body: Readonly<Record<string, string>> };

export type Load = {
  /** Resolves after `count` more answers with one of these statuses. Throws after the maximum wait. */
  waitForAnswers(statuses: readonly number[], count: number): Promise<void>;
  /** Stops sending. Resolves after the last request; a broken connection is no error from now on. */
  stop(): Promise<void>;
};

export type LoadLog = {
  /** Events by the id that the launcher returned. Reports of one issue may share the id of a stored report. */
  readonly acknowledged: Map<string, Sent[]>;
  /** Number of answers by status. */
  readonly answers: Map<number, number>;
  /** Errors of requests that got no answer before `stop`. */
  readonly unanswered: string[];
};

export const createLoadLog = (): LoadLog => ({ acknowledged: new Map(), answers: new Map(), unanswered: [] });

const connections = 32;
const kindsOfErrors = 30;
const reportEvery = 24;
const stackLines = 40;
const pollMs = 5;

/** Creates events of different lengths, so that some rows need overflow pages. */
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

/** Starts sending. `name` distinguishes the events of this load from those of other loads. */
export function startLoad(port: number, name: string, log: LoadLog): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let isStopping = false;
  let number = 0;
  const sendOne = async () => {
    number += 1;
    const sent = eventOf(name, number);
    try {
      const asking = {
        path: ingestOperations[sent.kind].path,
        body: JSON.stringify(sent.body),
        agent,
      };
      const answer = await ask(port, asking);
      log.answers.set(answer.status, (log.answers.get(answer.status) ?? 0) + 1);
      if (answer.status !== 202) return;
      const { id } = JSON.parse(answer.body) as { id: string };
      log.acknowledged.set(id, [...(log.acknowledged.get(id) ?? []), sent]);
    } catch (error) {
      if (!isStopping) log.unanswered.push(String(error));
      await pause(pollMs);
    }
  };
  const send = async () => {
    while (!isStopping) await sendOne();
  };
  const senders = Array.from({ length: connections }, send);
  return {
    async waitForAnswers(statuses, count) {
      const sum = () => statuses.reduce((all, status) => all + (log.answers.get(status) ?? 0), 0);
      const target = sum() + count;
      const what = () => `${count} answers ${statuses.join(", ")} arrive: ${summaryOf(log)}`;
      await until(what, () => sum() >= target, pollMs);
    },
    async stop() {
      isStopping = true;
      await Promise.all(senders);
      agent.destroy();
    },
  };
}

const summaryOf = ({ answers, unanswered }: LoadLog) =>
  `${JSON.stringify(Object.fromEntries(answers))}, ${unanswered.length} without an answer: ${unanswered[0]}`;
