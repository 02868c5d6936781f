// Support: kills a server under load repeatedly, and finds acknowledged events that are missing from its database.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { triggerRecording } from "@kit/contract";
import { freePort } from "../../../tools/engines/free-port.ts";
import { ask, type ServerProcess, startServer } from "../support/launcher-process.ts";
import { type Acknowledged, startLoad } from "./load.ts";

const acknowledgementsMax = 1_500;
const extraMsMax = 40;

export type KillPlan = {
  readonly command: (port: number, dataDir: string) => readonly string[];
  readonly dataDir: string;
  readonly cycles: number;
  readonly connections: number;
  readonly seed: number;
};

export type KillOutcome = {
  readonly acknowledged: Acknowledged;
  /** From the start of the process to its first acknowledgement, for each start. */
  readonly readyMs: readonly number[];
  /** Failures before a kill, which are the server's own. */
  readonly failures: readonly string[];
};

/** Runs the cycles, then starts the server once more and stops it normally. */
export async function killUnderLoad(plan: KillPlan): Promise<KillOutcome> {
  const acknowledged: Acknowledged = new Map();
  const readyMs: number[] = [];
  const failures: string[] = [];
  const random = randomFrom(plan.seed);
  const start = async (name: string) => {
    const server = await startAcknowledging(plan, name, acknowledged);
    readyMs.push(server.readyMs);
    return server;
  };
  for (let cycle = 1; cycle <= plan.cycles; cycle += 1) {
    const server = await start(`kill9_start${cycle}`);
    const load = startLoad(server.port, plan.connections, `kill9_cycle${cycle}`, acknowledged);
    try {
      await load.acknowledgedMore(1 + Math.floor(random() * acknowledgementsMax));
      await pause(random() * extraMsMax);
    } finally {
      const stopped = load.stop();
      await Promise.all([server.end("SIGKILL"), stopped]);
    }
    failures.push(...load.failures);
  }
  await (await start("kill9_last")).end("SIGTERM");
  return { acknowledged, readyMs, failures };
}

/** A server is ready when it acknowledges. The first acknowledgement counts like every other. */
async function startAcknowledging(plan: KillPlan, name: string, acknowledged: Acknowledged): Promise<ServerProcess> {
  const port = await freePort();
  let tries = 0;
  const isReady = async () => {
    tries += 1;
    const eventId = `${name}_${tries}`;
    const body = JSON.stringify({ eventId, timestamp: new Date().toISOString() });
    const answer = await ask(port, { path: triggerRecording.path, body });
    if (answer.status !== 202) return false;
    acknowledged.set(eventId, (JSON.parse(answer.body) as { id: string }).id);
    return true;
  };
  return startServer({ command: plan.command(port, plan.dataDir), port, isReady });
}

export type Audit = {
  /** Acknowledged, but not in the database under the returned id. */
  readonly lost: readonly string[];
  /** Event ids that are stored more than once. */
  readonly repeated: readonly string[];
  /** Stored without an acknowledgement that arrived, which is allowed. */
  readonly unacknowledged: number;
  readonly integrity: string;
};

/** Compares the acknowledged events with the database of a stopped server. */
export function audit(dataDir: string, acknowledged: Acknowledged): Audit {
  const database = new DatabaseSync(join(dataDir, "kit.db"), { readOnly: true });
  try {
    const rows = database.prepare("SELECT id, event_id AS eventId FROM event").all();
    const stored = new Map<string, string>();
    const repeated: string[] = [];
    for (const row of rows) {
      const eventId = String(row.eventId);
      if (stored.has(eventId)) repeated.push(eventId);
      stored.set(eventId, String(row.id));
    }
    const lost = [...acknowledged].filter(([eventId, id]) => stored.get(eventId) !== id).map(([eventId]) => eventId);
    const check = database.prepare("PRAGMA integrity_check").all();
    const integrity = check.map((row) => String(row.integrity_check)).join("; ");
    return { lost, repeated, unacknowledged: stored.size - (acknowledged.size - lost.length), integrity };
  } finally {
    database.close();
  }
}

/** Random numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
