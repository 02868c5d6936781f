// A test recording: records a few seconds exactly as a clip is recorded, and describes the result.
import type { RecorderState, TestRecording } from "@kit/contract";
import type { Footage } from "./backend.ts";
import type { BackendSwitch } from "./backend-switch.ts";
import { stillProbingNotice } from "./probe/choice.ts";

export type TestRecordingResult = Omit<TestRecording, "clip"> & {
  /** What the file contains; null if there is no file. */
  readonly footage: Footage | null;
};

export type TestRecordingDeps = {
  readonly file: string;
  readonly backends: BackendSwitch;
  readonly state: () => RecorderState;
  readonly startCapture: () => void;
};

const lengthMs = 3_000;
/** Probing takes up to ten seconds; a slow start of ffmpeg takes longer. */
const readyTimeoutMs = 25_000;
const pollMs = 100;
const holdId = "test recording";

/** Never rejects. */
export async function runTestRecording({
  file,
  backends,
  state,
  startCapture,
}: TestRecordingDeps): Promise<TestRecordingResult> {
  // The caller must first note that a test is running.
  await Promise.resolve();
  startCapture();
  // A running capture continues; a failed one is tried again now.
  await backends.restart();
  const tried = () => backends.current()?.probeResults() ?? [];
  const ready = await waitUntilReady(state);
  if (ready.state !== "recording") return { ok: false, says: ready.detail, tried: tried(), footage: null };
  const fromMs = Date.now();
  backends.hold(holdId, fromMs);
  try {
    const title = "Test recording";
    const footage = await backends.cut({ fromMs, toMs: fromMs + lengthMs, file, title, comment: "[]", chapters: [] });
    return { ok: true, says: describeResult(footage, state()), tried: tried(), footage };
  } catch (error) {
    return { ok: false, says: (error as Error).message, tried: tried(), footage: null };
  } finally {
    backends.release(holdId);
  }
}

/** Waits until the chosen command captures or has failed, or until the timeout. */
async function waitUntilReady(state: () => RecorderState): Promise<RecorderState> {
  const deadlineMs = performance.now() + readyTimeoutMs;
  for (;;) {
    const now = state();
    // A guess does not count: its footage may have another format than that of the chosen command.
    const isRecording = now.state === "recording" && !now.detail.includes(stillProbingNotice);
    if (isRecording || now.state === "broken" || performance.now() > deadlineMs) return now;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

function describeResult(
  { fromMs, toMs, width, height, frames }: Footage,
  { backend, encoder, source, detail }: RecorderState,
): string {
  const seconds = (toMs - fromMs) / 1_000;
  const rate = Math.round(frames / Math.max(seconds, 0.001));
  const by = [backend, encoder].filter((part) => part !== null).join(" with ");
  return `${seconds.toFixed(1)} s of ${source ?? "the screen"} by ${by}: ${width} × ${height}, ${rate} frames a second. ${detail}`;
}
