// Measures the cost of a call in one engine, with the launcher present, absent and hung.

import { greatest, median, quantile, sum } from "../figures.ts";
import { openLauncher } from "./launchers.ts";
import { callBlocks, frameMs, type LauncherState, type Sizes } from "./plan.ts";
import { type Played, playPlan } from "./play.ts";
import type { Start } from "./player.ts";
import type { Subject } from "./protocol.ts";

export type CallFigures = {
  readonly launcher: LauncherState;
  readonly subject: Subject;
  readonly calls: number;
  readonly medianUs: number;
  readonly p99Us: number;
  readonly worstUs: number;
  /** The first call of the process. */
  readonly firstUs: number;
  /** Median of bytes per call. What they count depends on the engine. */
  readonly bytes: number;
  /** Mean work of the game's thread per call, in and after the frames of the calls, minus that of empty calls. */
  readonly frameUs: number;
  /** All calls of this subject including warm-up, and how many of them arrived. */
  readonly made: number;
  readonly arrived?: number;
};

export type CallRun = { readonly engine: string; readonly figures: readonly CallFigures[] };

export async function measureCalls(
  start: Start,
  launcherState: LauncherState,
  { sizes, callsPerFrame, withPeer }: { sizes: Sizes; callsPerFrame: number; withPeer: boolean },
): Promise<CallRun> {
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
  return { engine: played[0]?.engine ?? "", figures };
}

function figuresOf(played: readonly Played[], subject: Subject) {
  const own = played.filter(({ block }) => block.subject === subject);
  const [warmUp, timed, weighed] = own;
  if (!warmUp || !timed || !weighed) throw new Error(`the plan has not all blocks of ${subject}`);
  const { callsUs } = timed;
  const empty = played.filter(({ block }) => block.subject === "empty")[1] ?? timed;
  return {
    calls: callsUs.length,
    medianUs: median(callsUs),
    p99Us: quantile(callsUs, 0.99),
    worstUs: greatest(callsUs),
    firstUs: warmUp.callsUs[0] ?? Number.NaN,
    bytes: median(weighed.bytes) - median(bytesOfEmpty(played)),
    frameUs: (sum(timed.framesUs) - idleUs(timed, empty)) / callsUs.length,
    made: sum(own.map(({ block }) => block.frames * block.callsPerFrame)),
  };
}

/** Cost of the measurement itself. */
const bytesOfEmpty = (played: readonly Played[]) =>
  played.find(({ block }) => block.subject === "empty" && block.mode === "bytes")?.bytes ?? [];

/** Time that the frames would have taken with empty calls. */
function idleUs({ block, framesUs }: Played, empty: Played): number {
  const busy = median(empty.framesUs.slice(0, empty.block.frames));
  const resting = median(empty.framesUs.slice(empty.block.frames));
  const restFrames = framesUs.length - block.frames;
  return block.frames * busy + (restFrames > 0 ? restFrames * resting : 0);
}
