// The interface of a capture backend: ffmpeg with Kit's replay buffer, or OBS with its own.
import type { RecorderState, TestRecording } from "@kit/contract";
import type { ClipPlan, Footage } from "../plans/plan.ts";

export type BackendName = "ffmpeg" | "obs";

/** Whenever its state changes, a backend calls the `onChanged` given at its creation. */
export type CaptureBackend = {
  readonly name: BackendName;
  state(): RecorderState;
  /** Starts the capture, or continues it with the current settings. Never rejects: `state()` reports a failure. */
  start(): Promise<void>;
  /** Stops the capture. Held footage is kept. */
  stop(): Promise<void>;
  /**
   * Keeps footage from `fromMs` on until `release`, even if it is older than the buffer is long, but never beyond its maximum
   * bytes.
   */
  hold(id: string, fromMs: number): void;
  release(id: string): void;
  /**
   * Waits until footage up to the plan's `toMs` has arrived, for at most 3 s after `toMs`, and writes the file. If the cut fails,
   * there is no file. The result lists what is missing. Rejects with NoFootage or a file system error.
   */
  cut(plan: ClipPlan, file: string): Promise<Footage>;
  /** Returns which sources and encoders were tried, each with its result. */
  probeResults(): TestRecording["tried"];
};
