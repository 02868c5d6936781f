// What the recorder says of itself while nobody captures.
import type { RecorderState } from "@kit/contract";

type Counts = Pick<RecorderState, "restarts" | "lostSeconds">;

/** Of a recorder that has nothing. */
export const nobody = {
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
  ...nobody,
  ...counts,
  state: "off",
  detail: "Recording is switched off in the settings: moments become markers",
});

/** `missing`: what is known to be missing, and what to do about it. */
export const idleState = (counts: Counts, missing: string | undefined): RecorderState => ({
  ...nobody,
  ...counts,
  state: missing === undefined ? "idle" : "broken",
  detail: missing ?? "Waits for a game's first event",
});
