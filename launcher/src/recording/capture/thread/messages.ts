// What the launcher and the capture thread say to each other: flat data only, never footage.

import type { CutOrder, Footage } from "../backend.ts";
import type { Choice } from "../probe/choice.ts";
import type { Patience } from "./watchdogs.ts";

/** One way to capture: the chosen one, or the same with less of it. */
export type Level = Pick<Choice, "args" | "width" | "height" | "frameRate" | "steady">;

/** What can be captured with: the levels from the best to the least, where among them to begin, and the choice they are of. */
export type Offer = { readonly levels: readonly Level[]; readonly level: number; readonly choice: number };

export type BufferBounds = { readonly secondsMax: number; readonly bytesMax: number };

export type CaptureThreadOptions = {
  readonly ffmpeg: string;
  readonly captureFile: string;
  readonly bounds: BufferBounds;
  readonly patience: Patience;
};

export type ThreadStatus = {
  readonly phase: "idle" | "starting" | "recording" | "broken";
  /** Why the last run ended, until the next one delivers; a part of a sentence. */
  readonly why: string | null;
  /** Place in the levels, of the choice that the run under way is of. */
  readonly level: number;
  readonly choice: number;
  readonly frameRate: number;
  readonly restarts: number;
  readonly lostSeconds: number;
  /** How long the picture has stood still although the game sends events; 0 while that is no matter. */
  readonly stillSeconds: number;
  readonly heldSeconds: number;
  readonly heldBytes: number;
};

export type ToThread =
  | { type: "capture"; offer: Offer }
  | { type: "hold"; id: string; fromMs: number }
  | { type: "release"; id: string }
  | { type: "cut"; id: number; order: CutOrder }
  | { type: "resize"; bounds: BufferBounds }
  /** Ends the capture; what is held stays. */
  | { type: "rest" }
  /** Ends the capture and the thread. */
  | { type: "close" };

export type FromThread =
  /** `changed`: more than figures. */
  | { type: "status"; status: ThreadStatus; changed: boolean }
  | { type: "run-ended"; why: string; againInMs: number | null }
  | { type: "stale" }
  | { type: "cut"; id: number; footage: Footage }
  | { type: "not-cut"; id: number; noFootage: boolean; message: string; code: string | null }
  | { type: "rested" }
  /** The last that is heard of the thread. */
  | { type: "died"; why: string };
