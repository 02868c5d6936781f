// Plays one plan in one engine and collects the results of each block, including memory during storms.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { residentBytesOf } from "../../launcher/test/support/launcher-process.ts";
import { inFolder } from "../machine.ts";
import type { Playing, Start } from "./player.ts";
import { type Block, type BlockEnd, type GameMessage, type Plan, planText } from "./protocol.ts";

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
