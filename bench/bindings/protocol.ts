// What a game of the bench is told to do, and what it tells of it.

/** `empty` does nothing, `bare` is what one writes without a binding, `peer` what one installs instead. */
export type Subject = "empty" | "kit" | "bare" | "peer";

/**
 * Calls made frame by frame, then frames without any. In "calls" each call is timed, in "bytes" what it allocates is
 * read, in "storm" nothing is looked at but the frames.
 */
export type Block = {
  readonly subject: Subject;
  readonly mode: "calls" | "bytes" | "storm";
  readonly frames: number;
  readonly callsPerFrame: number;
  /** Frames go on for this long without calls: what was begun may end, and is counted with the frames. */
  readonly restMs: number;
};

export type Plan = {
  /** The launcher's. */
  readonly url: string;
  /** Of a browser nobody can ask for it: it makes 60 frames a second. */
  readonly frameMs: number;
  readonly blocks: readonly Block[];
};

/** What a block came to. */
export type BlockEnd = {
  /** Its number, from 0. */
  readonly end: number;
  /** Name and version of the engine. */
  readonly engine: string;
  readonly callsUs: readonly number[];
  readonly bytes: readonly number[];
  /** What the game's thread did in each frame, from its beginning until everything in it had its turn. */
  readonly framesUs: readonly number[];
  /** From the beginning of a frame to that of the next; only where work is also done between frames. */
  readonly gapsUs?: readonly number[];
  /** In use before and after, as the engine itself counts. */
  readonly heapBytes: readonly [before: number, after: number];
};

export type GameMessage = { readonly begin: number } | BlockEnd | { readonly done: true };

/** A line a block, words between tabs: what plays it has no JSON reader everywhere. */
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

/** What a line of a game's output tells; undefined for whatever else an engine prints. */
export function parseMessage(line: string): GameMessage | undefined {
  return line.startsWith(mark) ? (JSON.parse(line.slice(mark.length)) as GameMessage) : undefined;
}
