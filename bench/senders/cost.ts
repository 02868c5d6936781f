// Measures response times with and without sender lookup.
import { Agent, request } from "node:http";
import { quantile } from "../figures.ts";

export const connectionWays = ["one that stays open", "a new one each"] as const;
export type ConnectionWay = (typeof connectionWays)[number];

/** Concurrent requests of a busy game. */
const atOnce = 8;

/** Sends one event. Resolves to the milliseconds until the response is complete. */
function send(port: number, agent: Agent | false): Promise<number> {
  const body = JSON.stringify({ eventId: "saga_boss_defeated", timestamp: new Date().toISOString() });
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const beganMs = performance.now();
    const path = "/api/social/trigger";
    const sent = request({ host: "127.0.0.1", port, path, method: "POST", headers, agent }, (answer) => {
      answer.resume().once("end", () => {
        if (answer.statusCode === 202) resolve(performance.now() - beganMs);
        else reject(new Error(`an event was answered with ${answer.statusCode}`));
      });
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

export async function costOf(port: number, way: ConnectionWay, events: number) {
  const kept = way === "one that stays open" ? new Agent({ keepAlive: true, maxSockets: atOnce }) : undefined;
  const took: number[] = [];
  let left = events;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      took.push(await send(port, kept ?? false));
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, worker));
  } finally {
    kept?.destroy();
  }
  return { p50Ms: quantile(took, 0.5), p99Ms: quantile(took, 0.99) };
}
