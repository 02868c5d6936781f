// The protocol between benchmark and game.

/** `empty` does nothing; `bare` is code without a binding; `peer` is a comparable library. */
export type Subject = "empty" | "kit" | "bare" | "peer";

/**
 * Frames with calls, then frames without. "calls" times each call, "bytes" measures allocations, and "storm" measures only
 * the frames.
 */
export type Block = {
  readonly subject: Subject;
  readonly mode: "calls" | "bytes" | "storm";
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
  readonly bytes: readonly number[];
  /** Work of the game's thread in each frame. */
  readonly framesUs: readonly number[];
  /** Time between the starts of frames, if work also happens between frames. */
  readonly gapsUs?: readonly number[];
  /** Heap usage before and after, as reported by the engine. */
  readonly heapBytes: readonly [before: number, after: number];
};

export type GameMessage = { readonly begin: number } | BlockEnd | { readonly done: true };

/** Formats the plan as tab-separated lines, because not all games have a JSON parser. */
export function planText({ url, frameMs, blocks }: Plan): string {
  const lines = blocks.map(({ subject, mode, frames, callsPerFrame, restMs }) => [
    subject,
    mode,
    frames,
    callsPerFrame,
    restMs,
  ]);
  return [["url", url], ["frame", frameMs], ...lines].map((words) => `${words.join("\t")}\n`).join("");
}

const mark = "@bench ";

/** Parses a line of a game's output. Returns undefined for other output of the engine. */
export function parseMessage(line: string): GameMessage | undefined {
  return line.startsWith(mark) ? (JSON.parse(line.slice(mark.length)) as GameMessage) : undefined;
}
