// The plan of the calls, and the protocol between benchmark and game.

/** `empty` does nothing; `bare` is code without a binding; `peer` is a comparable library. */
export type Subject = "empty" | "kit" | "bare" | "peer";

/** Frames with calls, then frames without. "calls" times each call, and "storm" measures only the frames. */
export type Block = {
  readonly subject: Subject;
  readonly mode: "calls" | "storm";
  readonly frames: number;
  readonly callsPerFrame: number;
  /** Duration of the frames without calls, in which pending work can end. */
  readonly restMs: number;
};

export type Plan = {
  /** The launcher's address. */
  readonly url: string;
  /** Length of a frame. Browsers ignore it and run at 60 frames a second. */
  readonly frameMs: number;
  readonly blocks: readonly Block[];
};

/** Results of a block. */
export type BlockEnd = {
  /** Number of the block, from 0. */
  readonly end: number;
  /** Name and version of the engine. */
  readonly engine: string;
  readonly callsUs: readonly number[];
  /** Work of the game's thread in each frame. */
  readonly framesUs: readonly number[];
  /** Heap usage before and after, as reported by the engine. */
  readonly heapBytes: readonly [before: number, after: number];
};

export type GameMessage = { readonly begin: number } | BlockEnd | { readonly done: true };

/** Formats the plan as tab-separated lines, because not all games have a JSON parser. */
export function planText({ url, frameMs, blocks }: Plan): string {
  const lines = blocks.map((block) => [block.subject, block.mode, block.frames, block.callsPerFrame, block.restMs]);
  return [["url", url], ["frame", frameMs], ...lines].map((words) => `${words.join("\t")}\n`).join("");
}

const mark = "@bench ";

/** Parses a line of a game's output. Returns undefined for other output of the engine. */
export function parseMessage(line: string): GameMessage | undefined {
  return line.startsWith(mark) ? (JSON.parse(line.slice(mark.length)) as GameMessage) : undefined;
}

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

/** The blocks of a subject: warm-up, and timing. */
function measured(subject: Subject, calls: number, callsPerFrame: number, settleMs: number): Block[] {
  const restMs = subject === "empty" ? 50 : settleMs;
  const frames = Math.ceil(calls / callsPerFrame);
  return [
    { subject, mode: "calls", frames: Math.min(frames, 10), callsPerFrame, restMs },
    { subject, mode: "calls", frames, callsPerFrame, restMs },
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
