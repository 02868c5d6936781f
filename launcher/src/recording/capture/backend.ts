// The interface of a capture backend: ffmpeg with Kit's replay buffer, or OBS with its own.
import type { RecorderState, TestRecording } from "@kit/contract";

/** A request for one MP4 file of a range of footage. Times are epoch milliseconds. */
export type CutRequest = {
  readonly fromMs: number;
  readonly toMs: number;
  /** Absolute path, chosen by Kit and never by a game. The file exists only if the cut succeeds. */
  readonly file: string;
  readonly title: string;
  /** Stored in the file: the ids of its events, as JSON. */
  readonly comment: string;
  readonly chapters: readonly { readonly atMs: number; readonly title: string }[];
};

/** What the written file contains. */
export type Footage = {
  readonly fromMs: number;
  readonly toMs: number;
  /** Frames that a player shows, without those hidden before the start. */
  readonly frames: number;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  /** Ranges inside the file without footage: the last picture before them stays visible. */
  readonly gaps: readonly { readonly fromMs: number; readonly toMs: number }[];
  /** Ranges whose footage has another format and therefore cannot be in the same file. */
  readonly otherFormat: readonly { readonly fromMs: number; readonly toMs: number }[];
};

/** The requested range has no footage. The message explains why, for a person. */
export class NoFootage extends Error {
  override name = "NoFootage";
}

export type BackendName = "ffmpeg" | "obs";

/** Calls the `onChanged` of its owner when its state changes. */
export type CaptureBackend = {
  readonly name: BackendName;
  state(): RecorderState;
  /** Starts the capture, or continues it with the current settings. Never rejects: `state()` reports a failure. */
  start(): Promise<void>;
  /** Stops the capture. Held footage is kept. */
  stop(): Promise<void>;
  /** Keeps footage since `fromMs` until it is released, beyond the buffer's seconds but not beyond its bytes. */
  hold(id: string, fromMs: number): void;
  release(id: string): void;
  /**
   * Waits until footage up to `toMs` has arrived, at most 3 s longer, and writes the file. The result lists what is
   * missing. Rejects with NoFootage or a file system error.
   */
  cut(request: CutRequest): Promise<Footage>;
  /** Returns which sources and encoders were tried, and with which result. */
  probeResults(): TestRecording["tried"];
};
