// The number and order of the calls.
import type { Block, Subject } from "./protocol.ts";

export const launcherStates = ["present", "absent", "hung"] as const;
export type LauncherState = (typeof launcherStates)[number];

export type Sizes = {
  /** Timed calls of Kit. */
  readonly calls: Readonly<Record<LauncherState, number>>;
  /** Calls of the peer and empty calls, whose cost does not depend on their number. */
  readonly peerCalls: number;
  /** Calls without a limit, each of which leaves a request open if the launcher hangs. */
  readonly bareCalls: number;
  readonly stormFrames: number;
  readonly stormCallsPerFrame: number;
  /** Pause after each block, so that blocks do not overlap. */
  readonly settleMs: number;
};

export const fullSizes: Sizes = {
  calls: { present: 5_000, absent: 2_500, hung: 2_500 },
  peerCalls: 1_000,
  bareCalls: 400,
  stormFrames: 1_000,
  stormCallsPerFrame: 100,
  settleMs: 300,
};

/** Only proves that the benchmark works. */
export const quickSizes: Sizes = {
  calls: { present: 50, absent: 50, hung: 50 },
  peerCalls: 25,
  bareCalls: 25,
  stormFrames: 20,
  stormCallsPerFrame: 100,
  settleMs: 100,
};

/**
 * With a launcher, a normal frame rate, because more calls would be dropped. Otherwise faster, to save time; but a storm must
 * last longer than a request's timeout.
 */
export const frameMs = { present: 16, absent: 5, hung: 5, storm: 8 } as const;

/** The blocks of a subject: warm-up (only its first call counts), timing, and allocations. */
function measured(subject: Subject, calls: number, callsPerFrame: number, settleMs: number): Block[] {
  const restMs = subject === "empty" ? 50 : settleMs;
  const frames = Math.ceil(calls / callsPerFrame);
  return [
    { subject, mode: "calls", frames: Math.min(frames, 10), callsPerFrame, restMs },
    { subject, mode: "calls", frames, callsPerFrame, restMs },
    { subject, mode: "bytes", frames: Math.min(frames, 20), callsPerFrame: 2, restMs },
  ];
}

/** Unlimited calls come last, because their open requests would disturb other blocks. */
export function callBlocks(sizes: Sizes, launcher: LauncherState, callsPerFrame: number, withPeer: boolean): Block[] {
  const { calls, peerCalls, bareCalls, settleMs } = sizes;
  return [
    ...measured("empty", peerCalls, callsPerFrame, settleMs),
    ...measured("kit", calls[launcher], callsPerFrame, settleMs),
    ...(withPeer ? measured("peer", peerCalls, callsPerFrame, settleMs) : []),
    ...measured("bare", bareCalls, callsPerFrame, settleMs),
  ];
}

/** A storm of empty calls and one of Kit's calls, after a warm-up. */
export function stormBlocks({ stormFrames, stormCallsPerFrame, settleMs }: Sizes): Block[] {
  const storm = { mode: "storm", frames: stormFrames, callsPerFrame: stormCallsPerFrame, restMs: settleMs } as const;
  const before = { mode: "storm", frames: 10, callsPerFrame: 1, restMs: settleMs } as const;
  return [
    { ...before, subject: "empty" },
    { ...storm, subject: "empty", frames: Math.ceil(stormFrames / 8) },
    { ...before, subject: "kit" },
    { ...storm, subject: "kit" },
  ];
}
