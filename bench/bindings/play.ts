// Plays one plan in one engine beside a launcher in one state, and collects the results of each block.
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { type KitEvent, listEvents } from "@kit/contract";
import { residentBytesOf } from "../../launcher/test/support/launcher-process.ts";
import { startLauncherProcess } from "../../launcher/test/support/own-launcher.ts";
import { freePort } from "../../tools/engines/free-port.ts";
import { inFolder } from "../machine.ts";
import type { Playing, Start } from "./engines.ts";
import { type Block, type BlockEnd, type GameMessage, type LauncherState, type Plan, planText } from "./plan.ts";

/** A launcher that is present, absent, or hung: it accepts connections but never answers. */
type Launcher = {
  readonly url: string;
  /** Number of received requests with this event id, or of connections if hung. Undefined if absent. */
  reached(eventId: string): Promise<number | undefined>;
  [Symbol.asyncDispose](): Promise<void>;
};

const urlAt = (port: number) => `http://127.0.0.1:${port}`;

async function present(): Promise<Launcher> {
  const launcher = await startLauncherProcess();
  return {
    url: urlAt(launcher.port),
    async reached(eventId) {
      let count = 0;
      for (let before = ""; ; ) {
        const reply = await launcher.api("GET", `${listEvents.path}?limit=500${before && `&before=${before}`}`);
        const { events, more } = reply.json<{ events: KitEvent[]; more: boolean }>();
        count += events.filter((event) => event.eventId === eventId).length;
        before = events.at(-1)?.id ?? "";
        if (!more) return count;
      }
    },
    [Symbol.asyncDispose]: () => launcher[Symbol.asyncDispose](),
  };
}

async function absent(): Promise<Launcher> {
  return {
    url: urlAt(await freePort()),
    reached: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
}

async function hung(): Promise<Launcher> {
  const connections = new Set<Socket>();
  let count = 0;
  const server = createServer((connection) => {
    count += 1;
    connections.add(connection);
    connection.resume();
    connection.once("error", () => connection.destroy()).once("close", () => connections.delete(connection));
  });
  server.listen(0, "127.0.0.1", 4_096);
  await once(server, "listening");
  return {
    url: urlAt((server.address() as AddressInfo).port),
    reached: async () => count,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const connection of connections) connection.destroy();
    },
  };
}

const openers: Readonly<Record<LauncherState, () => Promise<Launcher>>> = { present, absent, hung };

export const openLauncher = (state: LauncherState): Promise<Launcher> => openers[state]();

const sampleEveryMs = 100;

/** Resident memory of all game processes. */
export type Memory = { readonly beforeBytes: number; readonly peakBytes: number; readonly afterBytes: number };

export type Played = BlockEnd & { readonly block: Block; readonly memory?: Memory };

function watchMemory(pids: readonly number[]): () => Memory {
  const now = () => pids.reduce((bytes, pid) => bytes + residentBytesOr0(pid), 0);
  const beforeBytes = now();
  let peakBytes = beforeBytes;
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, now());
  }, sampleEveryMs);
  return () => {
    clearInterval(timer);
    const afterBytes = now();
    return { beforeBytes, peakBytes: Math.max(peakBytes, afterBytes), afterBytes };
  };
}

/** Returns 0 for a process that has ended. */
function residentBytesOr0(pid: number): number {
  try {
    return residentBytesOf(pid);
  } catch {
    return 0;
  }
}

/** Returns the results of all blocks. Throws if the engine did not finish the plan. */
export function playPlan(start: Start, plan: Plan): Promise<Played[]> {
  return inFolder(async (folder) => {
    const path = join(folder, "plan.txt");
    const own = join(folder, "engine");
    mkdirSync(own);
    writeFileSync(path, planText(plan));
    const played: Played[] = [];
    const opened: { playing?: Playing } = {};
    let stopWatching: (() => Memory) | undefined;
    const onTold = (told: GameMessage) => {
      if ("begin" in told && plan.blocks[told.begin]?.mode === "storm") {
        stopWatching = watchMemory(opened.playing?.pids() ?? []);
      }
      if (!("end" in told)) return;
      const memory = stopWatching?.();
      stopWatching = undefined;
      played.push({ ...told, block: plan.blocks[told.end] as Block, ...(memory && { memory }) });
    };
    try {
      opened.playing = await start(path, own, onTold);
      await opened.playing.ended;
    } finally {
      stopWatching?.();
    }
    if (played.length !== plan.blocks.length) throw new Error(`only ${played.length} blocks were played`);
    return played;
  });
}
