// Measures a game's frames and memory during a storm of calls with a hung launcher.

import { greatest, median, quantile } from "../figures.ts";
import { openLauncher } from "./launchers.ts";
import { frameMs, type Sizes, stormBlocks } from "./plan.ts";
import { type Memory, type Played, playPlan } from "./play.ts";
import type { Start } from "./player.ts";

type FrameFigures = {
  readonly medianUs: number;
  readonly p999Us: number;
  readonly worstUs: number;
  /** Longest time between the starts of two frames, if work also happens between frames. */
  readonly worstGapUs?: number;
};

export type StormHalf = {
  readonly calls: number;
  readonly frames: FrameFigures;
  readonly memory: Memory;
  readonly heapBytes: readonly [before: number, after: number];
};

export type StormFigures = {
  readonly engine: string;
  readonly kit: StormHalf;
  readonly empty: StormHalf;
  /** Connections that the hung launcher received. */
  readonly connections: number;
};

export async function measureStorm(start: Start, sizes: Sizes): Promise<StormFigures> {
  await using launcher = await openLauncher("hung");
  const played = await playPlan(start, { url: launcher.url, frameMs: frameMs.storm, blocks: stormBlocks(sizes) });
  const [, empty, , kit] = played;
  if (!empty || !kit) throw new Error("the plan has not all blocks of a storm");
  const connections = (await launcher.reached("")) ?? 0;
  return { engine: kit.engine, kit: halfOf(kit), empty: halfOf(empty), connections };
}

function halfOf({ block, framesUs, gapsUs, memory, heapBytes }: Played): StormHalf {
  const frames = {
    medianUs: median(framesUs.slice(0, block.frames)),
    p999Us: quantile(framesUs, 0.999),
    worstUs: greatest(framesUs),
    ...(gapsUs && { worstGapUs: greatest(gapsUs) }),
  };
  const none = { beforeBytes: Number.NaN, peakBytes: Number.NaN, afterBytes: Number.NaN };
  return { calls: block.frames * block.callsPerFrame, frames, memory: memory ?? none, heapBytes };
}
