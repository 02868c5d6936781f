// How many calls of what are made, and in which order.
import type { Block, Subject } from "./protocol.ts";

export const launcherStates = ["present", "absent", "hung"] as const;
export type LauncherState = (typeof launcherStates)[number];

export type Sizes = {
  /** Of Kit, timed. */
  readonly calls: Readonly<Record<LauncherState, number>>;
  /** Of the peer and of empty calls, which do not depend on how many came before. */
  readonly peerCalls: number;
  /** Of what has no bound: each call leaves a request behind that a hung launcher never ends. */
  readonly bareCalls: number;
  readonly stormFrames: number;
  readonly stormCallsPerFrame: number;
  /** After each block, so that what was begun does not fall into the next one. */
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

/** So few that it only shows that the bench runs. */
export const quickSizes: Sizes = {
  calls: { present: 50, absent: 50, hung: 50 },
  peerCalls: 25,
  bareCalls: 25,
  stormFrames: 20,
  stormCallsPerFrame: 100,
  settleMs: 100,
};

/**
 * With a launcher as fast as a game is drawn: much more a second than it can be sent would only be dropped. Elsewhere
 * faster, for more calls in less time; but a storm has to last longer than a request waits for its answer.
 */
export const frameMs = { present: 16, absent: 5, hung: 5, storm: 8 } as const;

/** A subject's blocks: one that is not counted but for its first call, the timed one, and one for what it allocates. */
function measured(subject: Subject, calls: number, callsPerFrame: number, settleMs: number): Block[] {
  const restMs = subject === "empty" ? 50 : settleMs;
  const frames = Math.ceil(calls / callsPerFrame);
  return [
    { subject, mode: "calls", frames: Math.min(frames, 10), callsPerFrame, restMs },
    { subject, mode: "calls", frames, callsPerFrame, restMs },
    { subject, mode: "bytes", frames: Math.min(frames, 20), callsPerFrame: 2, restMs },
  ];
}

/** What has no bound comes last: what it leaves behind under a hung launcher disturbs no other. */
export function callBlocks(sizes: Sizes, launcher: LauncherState, callsPerFrame: number, withPeer: boolean): Block[] {
  const { calls, peerCalls, bareCalls, settleMs } = sizes;
  return [
    ...measured("empty", peerCalls, callsPerFrame, settleMs),
    ...measured("kit", calls[launcher], callsPerFrame, settleMs),
    ...(withPeer ? measured("peer", peerCalls, callsPerFrame, settleMs) : []),
    ...measured("bare", bareCalls, callsPerFrame, settleMs),
  ];
}

/** A storm of empty calls and one of Kit's. Before it a few, so that it does not meet code that has never run. */
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
