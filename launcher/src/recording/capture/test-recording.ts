// A test recording: a few seconds by the very way a game's moment goes, and a sentence about how it went.
import type { RecorderState, TestRecording } from "@kit/contract";
import type { Footage } from "./backend.ts";
import type { BackendSwitch } from "./backend-switch.ts";
import { stillChoosing } from "./probe/choice.ts";

export type TestResult = Omit<TestRecording, "clip"> & {
  /** What the file holds; null when there is none. */
  readonly footage: Footage | null;
};

export type TestNeeds = {
  readonly file: string;
  readonly relay: BackendSwitch;
  readonly state: () => RecorderState;
  /** Lets the capture begin, or go on. */
  readonly begin: () => void;
};

const lengthMs = 3_000;
/** Choosing takes up to ten seconds, a slow start of ffmpeg some more. */
const readyMs = 25_000;
const lookEveryMs = 100;
const hold = "test recording";

export async function runTest({ file, relay, state, begin }: TestNeeds): Promise<TestResult> {
  // The caller has to know first that a test is under way.
  await Promise.resolve();
  begin();
  // Goes on where it runs; where it had given up it tries again now.
  await relay.again();
  const tried = () => relay.current()?.choices() ?? [];
  const last = await stateWhenReady(state);
  if (last.state !== "recording") return { ok: false, says: last.detail, tried: tried(), footage: null };
  const fromMs = Date.now();
  relay.hold(hold, fromMs);
  try {
    const title = "Test recording";
    const footage = await relay.cut({ fromMs, toMs: fromMs + lengthMs, file, title, comment: "[]", chapters: [] });
    return { ok: true, says: saysOf(footage, state()), tried: tried(), footage };
  } catch (error) {
    return { ok: false, says: (error as Error).message, tried: tried(), footage: null };
  } finally {
    relay.release(hold);
  }
}

/** The state once it captures by what was chosen, or has failed; the one at the deadline otherwise. */
async function stateWhenReady(state: () => RecorderState): Promise<RecorderState> {
  const deadlineMs = performance.now() + readyMs;
  for (;;) {
    const now = state();
    // A guess is what the test is not about, and its footage may not fit into one file with that of the choice.
    const captures = now.state === "recording" && !now.detail.includes(stillChoosing);
    if (captures || now.state === "broken" || performance.now() > deadlineMs) return now;
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

function saysOf({ fromMs, toMs, width, height, frames }: Footage, { backend, encoder, source, detail }: RecorderState) {
  const seconds = (toMs - fromMs) / 1_000;
  const rate = Math.round(frames / Math.max(seconds, 0.001));
  const by = [backend, encoder].filter((part) => part !== null).join(" with ");
  return `${seconds.toFixed(1)} s of ${source ?? "the screen"} by ${by}: ${width} × ${height}, ${rate} frames a second. ${detail}`;
}
