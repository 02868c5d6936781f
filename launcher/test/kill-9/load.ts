// Support: sends events over many connections and remembers which of them were acknowledged.
import { Agent } from "node:http";
import { triggerRecording } from "@kit/contract";
import { ask } from "../support/launcher-process.ts";
import { until } from "../support/until.ts";

/** The event ids that a server acknowledged, with the id that it returned for each. */
export type Acknowledged = Map<string, string>;

export type Load = {
  /** Resolves when `count` more events were acknowledged. */
  acknowledgedMore(count: number): Promise<void>;
  /** A broken connection is expected from here on. Resolves when the last request has ended. */
  stop(): Promise<void>;
  /** Requests without an answer, or with another than 202, before `stop`. */
  readonly failures: readonly string[];
};

/** Sends events with unused ids over `connections` persistent connections, as fast as possible. */
export function startLoad(port: number, connections: number, prefix: string, acknowledged: Acknowledged): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const failures: string[] = [];
  let isStopping = false;
  let sent = 0;

  const sendOne = async () => {
    sent += 1;
    const eventId = `${prefix}_${sent}`;
    const body = JSON.stringify({ eventId, timestamp: new Date().toISOString() });
    try {
      const answer = await ask(port, { path: triggerRecording.path, body, agent });
      if (answer.status === 202) acknowledged.set(eventId, (JSON.parse(answer.body) as { id: string }).id);
      else failures.push(`${answer.status} ${answer.body}`);
    } catch (error) {
      if (!isStopping) failures.push(String(error));
    }
  };
  const send = async () => {
    while (!isStopping) await sendOne();
  };
  const senders = Array.from({ length: connections }, send);

  return {
    failures,
    async acknowledgedMore(count) {
      const target = acknowledged.size + count;
      const what = () => `${count} acknowledgements; the first failure: ${failures[0]}`;
      await until(what, () => acknowledged.size >= target, 1);
    },
    async stop() {
      isStopping = true;
      await Promise.all(senders);
      agent.destroy();
    },
  };
}
