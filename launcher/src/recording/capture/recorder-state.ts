// The recorder's state while no backend captures.
import type { RecorderState } from "@kit/contract";

type Counts = Pick<RecorderState, "restarts" | "lostSeconds">;

export const noCapture = {
  backend: null,
  source: null,
  encoder: null,
  width: 0,
  height: 0,
  frameRate: 0,
  heldSeconds: 0,
  heldBytes: 0,
  degraded: null,
} as const;

export const offState = (counts: Counts): RecorderState => ({
  ...noCapture,
  ...counts,
  state: "off",
  detail: "Recording is switched off in the settings: moments become markers",
});

/** `missing` says what the recorder needs and what to do about it. */
export const idleState = (counts: Counts, missing: string | undefined): RecorderState => ({
  ...noCapture,
  ...counts,
  state: missing === undefined ? "idle" : "broken",
  detail: missing ?? "Waits for a game's first event",
});
