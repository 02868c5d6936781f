// Load from many connections at once that remembers what was acknowledged to it.
import { Agent } from "node:http";
import { triggerRecording } from "@kit/contract";
import { ask } from "./launcher-process.ts";

/** Event ids a server acknowledged, with the id it gave each. */
export type Acknowledged = Map<string, string>;

export type Load = {
  /** Resolves when this many more were acknowledged; rejects when that takes too long. */
  acknowledgedMore(count: number, withinMs: number): Promise<void>;
  /** From here on a broken connection is expected. Resolves when the last request has come to its end. */
  stop(): Promise<void>;
  /** Requests that got no answer, or another than 202, before `stop`. */
  readonly failures: readonly string[];
};

/** Sends events with ids nobody used before, over `connections` kept-alive connections, as fast as it can. */
export function startLoad(port: number, connections: number, prefix: string, acknowledged: Acknowledged): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const failures: string[] = [];
  let isStopping = false;
  let sent = 0;
  let onAcknowledged: () => void = () => {};

  const sendOne = async () => {
    sent += 1;
    const eventId = `${prefix}_${sent}`;
    const body = JSON.stringify({ eventId, timestamp: new Date().toISOString() });
    try {
      const answer = await ask(port, { path: triggerRecording.path, body, agent });
      if (answer.status === 202) acknowledged.set(eventId, (JSON.parse(answer.body) as { id: string }).id);
      else failures.push(`${answer.status} ${answer.body}`);
      onAcknowledged();
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
    acknowledgedMore(count, withinMs) {
      const target = acknowledged.size + count;
      return new Promise((resolve, reject) => {
        const tooLong = () =>
          reject(new Error(`${count} acknowledgements did not come within ${withinMs} ms: ${failures[0]}`));
        const timer = setTimeout(tooLong, withinMs);
        onAcknowledged = () => {
          if (acknowledged.size < target) return;
          clearTimeout(timer);
          resolve();
        };
      });
    },
    async stop() {
      isStopping = true;
      await Promise.all(senders);
      agent.destroy();
    },
  };
}
