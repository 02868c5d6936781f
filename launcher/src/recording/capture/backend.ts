// What can capture a screen, as recording sees it: ffmpeg with Kit's own replay buffer, or OBS with its.
import type { RecorderState, TestRecording } from "@kit/contract";

/** The footage of a window of time, wanted as one MP4 file. Times are epoch milliseconds. */
export type CutOrder = {
  readonly fromMs: number;
  readonly toMs: number;
  /** Where to write it: absolute, made by us, never from a game's words. Exists only when the cut succeeded. */
  readonly file: string;
  readonly title: string;
  /** Kept inside the file: the ids of its events, as JSON. */
  readonly comment: string;
  readonly chapters: readonly { readonly atMs: number; readonly title: string }[];
};

/** What the written file really holds. */
export type Footage = {
  readonly fromMs: number;
  readonly toMs: number;
  /** Frames a player shows: those hidden before the cut are not counted. */
  readonly frames: number;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  /** Stretches inside it without footage of their own: the picture before them stands still. */
  readonly holes: readonly { readonly fromMs: number; readonly toMs: number }[];
  /** Stretches of the window that are held, but in another format, which cannot lie in the same file. */
  readonly apart: readonly { readonly fromMs: number; readonly toMs: number }[];
};

/** There is no footage of that time; the message says why, for a person. */
export class NoFootage extends Error {
  override name = "NoFootage";
}

export type BackendName = "ffmpeg" | "obs";

/** Its state is kept by it; `onChanged` of its maker is called when it changes. */
export type Backend = {
  readonly name: BackendName;
  state(): RecorderState;
  /** Begins to capture, or goes on. Never rejects: `state()` says how it went. */
  start(): Promise<void>;
  /** Ends the capture. What is held stays until the next start. */
  stop(): Promise<void>;
  /** Keeps footage from that time on, whatever the buffer's own bounds, until it is released. Bounded by bytes all the same. */
  hold(id: string, fromMs: number): void;
  release(id: string): void;
  /**
   * Waits until the footage reaches `toMs`, at most 3 s longer, and writes the file. What it could not give is in
   * the Footage. Rejects with NoFootage, or with what the file system throws.
   */
  cut(order: CutOrder): Promise<Footage>;
  /** What was run to choose source and encoder, and why each was taken or not. */
  choices(): TestRecording["tried"];
};
