// What the launcher and the capture thread send each other: plain data, never footage.

import type { Message } from "@kit/contract";
import type { Footage } from "../../plans/footage.ts";
import type { ClipPlan } from "../../plans/plan.ts";
import type { CaptureTimeouts } from "./timeouts.ts";
import type { QualityLevel } from "./watched-run.ts";

export type CaptureConfig = {
  /** From the best quality to the lowest. */
  readonly levels: readonly QualityLevel[];
  /** Index of the level to use. */
  readonly level: number;
  /** Id of the choice that the levels come from. */
  readonly choiceId: number;
};

export type BufferLimits = { readonly secondsMax: number; readonly bytesMax: number };

export type CaptureThreadOptions = {
  readonly ffmpeg: string;
  readonly captureFile: string;
  readonly bufferLimits: BufferLimits;
  readonly timeouts: CaptureTimeouts;
};

export type CaptureThreadStatus = {
  readonly phase: "idle" | "starting" | "recording" | "broken";
  /** Why the last run ended, worded as part of a sentence. Null as soon as the next run delivers footage. */
  readonly why: Message | null;
  /** Index of the quality level in use. */
  readonly level: number;
  readonly choiceId: number;
  readonly frameRate: number;
  readonly restarts: number;
  readonly lostSeconds: number;
  /** How long the picture has not changed although the game sends events; 0 while the picture does not count as frozen. */
  readonly unchangedSeconds: number;
  readonly heldSeconds: number;
  readonly heldBytes: number;
};

export type MessageToThread =
  | { type: "capture"; config: CaptureConfig }
  | { type: "hold"; id: string; fromMs: number }
  | { type: "release"; id: string }
  | { type: "cut"; id: number; plan: ClipPlan; file: string }
  | { type: "resize"; limits: BufferLimits }
  /** Stops the capture and keeps the buffered footage. */
  | { type: "stop-capture" }
  /** Stops the capture and the thread. */
  | { type: "close" };

export type MessageFromThread =
  /** `hasChanged` is false if only numbers changed. */
  | { type: "status"; status: CaptureThreadStatus; hasChanged: boolean }
  | { type: "run-ended"; reason: Message; restartInMs: number | null }
  | { type: "choice-failed" }
  | { type: "cut"; id: number; footage: Footage }
  | { type: "cut-failed"; id: number; noFootage: boolean; detail: Message; code: string | null }
  | { type: "capture-stopped" }
  /** The last thing that a thread sends. */
  | { type: "died"; reason: string };
