// Measures in one engine what a call costs with the launcher present, absent and hung, and what a storm of calls costs with the
// launcher hung.
import { greatest, median, quantile, sum } from "../figures.ts";
import type { Start } from "./engines.ts";
import { callBlocks, frameMs, type LauncherState, type Sizes, type Subject, stormBlocks } from "./plan.ts";
import { type Memory, openLauncher, type Played, playPlan } from "./play.ts";

export type CallFigures = {
  readonly launcher: LauncherState;
  readonly subject: Subject;
  readonly calls: number;
  readonly medianUs: number;
  readonly p99Us: number;
  readonly worstUs: number;
  /** Mean work of the game's thread per call, in and after the frames of the calls, minus that of empty calls. */
  readonly frameUs: number;
  /** All calls of this subject including warm-up, and how many of them arrived. */
  readonly made: number;
  readonly arrived?: number;
};

export async function measureCalls(
  start: Start,
  launcherState: LauncherState,
  { sizes, callsPerFrame, withPeer }: { sizes: Sizes; callsPerFrame: number; withPeer: boolean },
): Promise<CallFigures[]> {
  await using launcher = await openLauncher(launcherState);
  const blocks = callBlocks(sizes, launcherState, callsPerFrame, withPeer);
  const played = await playPlan(start, { url: launcher.url, frameMs: frameMs[launcherState], blocks });
  const subjects = [...new Set(blocks.map(({ subject }) => subject))];
  const figures: CallFigures[] = [];
  for (const subject of subjects) {
    const isCounted = launcherState === "present" && (subject === "kit" || subject === "bare");
    const arrived = isCounted ? await launcher.reached(`bench_${subject}`) : undefined;
    const own = figuresOf(played, subject);
    figures.push({ launcher: launcherState, subject, ...own, ...(arrived !== undefined && { arrived }) });
  }
  return figures;
}

function figuresOf(played: readonly Played[], subject: Subject) {
  const timedOf = (wanted: Subject) => played.filter(({ block }) => block.subject === wanted)[1];
  const timed = timedOf(subject);
  if (!timed) throw new Error(`the plan has not all blocks of ${subject}`);
  const { callsUs } = timed;
  const own = played.filter(({ block }) => block.subject === subject);
  return {
    calls: callsUs.length,
    medianUs: median(callsUs),
    p99Us: quantile(callsUs, 0.99),
    worstUs: greatest(callsUs),
    frameUs: (sum(timed.framesUs) - idleUs(timed, timedOf("empty") ?? timed)) / callsUs.length,
    made: sum(own.map(({ block }) => block.frames * block.callsPerFrame)),
  };
}

/** Time that the frames would have taken with empty calls. */
function idleUs({ block, framesUs }: Played, empty: Played): number {
  const busy = median(empty.framesUs.slice(0, empty.block.frames));
  const resting = median(empty.framesUs.slice(empty.block.frames));
  const restFrames = framesUs.length - block.frames;
  return block.frames * busy + (restFrames > 0 ? restFrames * resting : 0);
}

type FrameFigures = { readonly medianUs: number; readonly p999Us: number; readonly worstUs: number };

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

function halfOf({ block, framesUs, memory, heapBytes }: Played): StormHalf {
  const frames = {
    medianUs: median(framesUs.slice(0, block.frames)),
    p999Us: quantile(framesUs, 0.999),
    worstUs: greatest(framesUs),
  };
  const none = { beforeBytes: Number.NaN, peakBytes: Number.NaN, afterBytes: Number.NaN };
  return { calls: block.frames * block.callsPerFrame, frames, memory: memory ?? none, heapBytes };
}
