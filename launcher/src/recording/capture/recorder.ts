// The recorder: decides by the settings which backend captures, and when. Held footage stays when the backend changes.

import {
  hasCode,
  type Message,
  type MessageOrText,
  type RecordedFile,
  type RecorderSettings,
  type RecorderState,
  type TestRecording,
} from "@kit/contract";
import { message, reasonOf, toMessage } from "@kit/contract/messages";
import { type ClipPlan, type Footage, NoFootage } from "../plans/plan.ts";
import type { CaptureBackend } from "./backend.ts";
import type { ObsBackend } from "./obs/obs-backend.ts";
import { stillProbingNotice } from "./probe/choice.ts";
import type { FfmpegBackend } from "./thread/ffmpeg-backend.ts";
import { idleCaptureState } from "./thread/ffmpeg-state.ts";

export type RecorderOptions = {
  readonly settings: () => RecorderSettings;
  readonly ffmpeg: CaptureBackend & Pick<FfmpegBackend, "killOrphans" | "search" | "missing" | "prepare">;
  /** Left out where OBS is not supported. */
  readonly obs?: ObsBackend;
  /** Called when `state()` has changed, unless only its numbers have. */
  readonly onChanged: () => void;
  /** For tests, like the times below. */
  readonly now?: () => number;
  readonly quietMs?: number;
  readonly graceMs?: number;
  readonly expectedMs?: number;
  readonly prepareMs?: number;
};

/** `footage` says what the cut wrote, and `expected` what it was to write. */
export type RecordedTest = Omit<TestRecording, "clip" | "file"> &
  (
    | { readonly footage: Footage; readonly expected: RecordedFile["expected"] }
    | { readonly footage: null; readonly expected: null }
  );

/** When a backend captured. `toMs` is null while it still does. */
type CaptureSpan = { readonly backend: CaptureBackend; readonly fromMs: number; toMs: number | null };

const spansMax = 8;
/** Without an event for this long, the game counts as over. */
export const quietAfterMs = 600_000;
/** How long the capture goes on after the end of a game, for its last events. */
const graceAfterMs = 15_000;
/** How long the capture waits for the first event of a game. Whoever expects one repeats it. */
const expectedForMs = 45_000;
/** Delay of the first probe, so that it does not slow the start of the launcher. */
const prepareAfterMs = 1_000;
const testMs = 3_000;
/** How long a test waits for the capture. A probe takes up to ten seconds, a slow start of ffmpeg even longer. */
const testReadyTimeoutMs = 25_000;
const pollMs = 100;

export class Recorder {
  readonly #options: RecorderOptions;
  readonly #holds = new Map<string, number>();
  #spans: CaptureSpan[] = [];
  #current: CaptureBackend | undefined;
  /** Replaced backends, with the ids of their holds. They go on until the current backend captures and these holds are released. */
  readonly #retiring = new Map<CaptureBackend, Set<string>>();
  #stopping: Promise<unknown> = Promise.resolve();
  #isRunning = false;
  #isGameActive = false;
  #isTesting = false;
  #isGameExpected = false;
  #expectTimer: NodeJS.Timeout | undefined;
  #endTimer: NodeJS.Timeout | undefined;
  #prepareTimer: NodeJS.Timeout | undefined;
  #preparing: Promise<unknown> = Promise.resolve();
  readonly #stopped = new AbortController();

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  state(): RecorderState {
    if (this.#current !== undefined) return this.#current.state();
    const { settings, ffmpeg } = this.#options;
    const { restarts, lostSeconds } = ffmpeg.state();
    const base = { ...idleCaptureState, restarts, lostSeconds };
    if (settings().when === "never") {
      return { ...base, state: "off", detail: message("recorder.off") };
    }
    const missing = this.#wantedBackend() === ffmpeg ? ffmpeg.missing() : undefined;
    if (missing !== undefined) return { ...base, state: "broken", detail: missing };
    return { ...base, state: "idle", detail: message("recorder.waits") };
  }

  probeResults(): TestRecording["tried"] {
    return (this.#current ?? this.#options.ffmpeg).probeResults();
  }

  /** Kills captures that an earlier launcher left behind, and then starts as the settings say. Never rejects. */
  async start(): Promise<void> {
    const { ffmpeg } = this.#options;
    this.#isRunning = true;
    await ffmpeg.killOrphans();
    this.#connectObs();
    this.#update();
    this.#prepareSoon();
    await ffmpeg.search();
    this.handleBackendChange();
  }

  /** Stops everything. Cuts that wait use the footage there is, and held footage is discarded. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    for (const timer of [this.#endTimer, this.#expectTimer, this.#prepareTimer]) clearTimeout(timer);
    this.#stopped.abort();
    for (const id of [...this.#holds.keys()]) this.release(id);
    this.#switchTo(undefined);
    await Promise.all([this.#stopping, this.#preparing]);
    this.#options.obs?.disconnect();
  }

  /** Notes that a game sent an event: with `automatic`, the capture runs for another ten minutes. */
  markGameActive(): void {
    this.#isGameActive = true;
    this.#endGameAfter(this.#options.quietMs ?? quietAfterMs);
    this.#update();
  }

  /** Notes that a game is about to send its first event: with `automatic`, the capture runs for a while. */
  expectGame(): void {
    this.#isGameExpected = true;
    clearTimeout(this.#expectTimer);
    this.#expectTimer = setTimeout(() => {
      this.#isGameExpected = false;
      this.#update();
    }, this.#options.expectedMs ?? expectedForMs).unref();
    this.#update();
  }

  /** Notes that a game has ended: with `automatic`, the capture stops soon, but not while footage is held. */
  markGameEnded(): void {
    if (this.#isGameActive) this.#endGameAfter(this.#options.graceMs ?? graceAfterMs);
  }

  /** Must be called when the settings or the OBS password have changed. */
  applySettings(): void {
    this.#connectObs();
    this.#update();
    void this.#current?.start();
    this.#prepareSoon();
    this.#options.onChanged();
  }

  /** Backends call this when their state has changed, or when OBS has become available or unavailable. */
  handleBackendChange(): void {
    this.#update();
    this.#stopUnneeded();
    this.#options.onChanged();
  }

  /** Keeps footage from `fromMs` on until `release`. */
  hold(id: string, fromMs: number): void {
    this.#holds.set(id, fromMs);
    this.#current?.hold(id, fromMs);
    const currentSinceMs = this.#spans.findLast((span) => span.backend === this.#current)?.fromMs ?? Infinity;
    for (const [backend, heldIds] of this.#retiring) {
      if (fromMs >= currentSinceMs) continue;
      heldIds.add(id);
      backend.hold(id, fromMs);
    }
  }

  release(id: string): void {
    this.#holds.delete(id);
    for (const backend of new Set(this.#spans.map((span) => span.backend))) backend.release(id);
    for (const heldIds of this.#retiring.values()) heldIds.delete(id);
    this.#stopUnneeded();
    if (this.#holds.size === 0) this.#update();
  }

  /**
   * Cuts with the backend that has most of the range. If it has no footage, tries the others. Otherwise behaves like
   * CaptureBackend.cut.
   */
  async cut(plan: ClipPlan, file: string): Promise<Footage> {
    if (this.#spans.length === 0) throw new NoFootage(this.state().detail);
    let failure: unknown;
    for (const backend of this.#backendsByOverlap(plan)) {
      try {
        return await backend.cut(plan, file);
      } catch (error) {
        failure = error;
        if (!(error instanceof NoFootage)) break;
      }
    }
    throw failure;
  }

  /**
   * Records three seconds exactly as a clip is recorded, whatever `when` is set to, and writes them to `file`. Never rejects.
   * One at a time.
   */
  async recordTest(plan: ClipPlan, file: string): Promise<RecordedTest> {
    this.#isTesting = true;
    this.#update();
    try {
      return await this.#recordTest(plan, file);
    } finally {
      this.#isTesting = false;
      this.#update();
    }
  }

  async #recordTest(plan: ClipPlan, file: string): Promise<RecordedTest> {
    // Tries a failed capture again at once, and does not disturb a running one.
    await this.#current?.start();
    const ready = await this.#waitUntilReady();
    const failed = (says: MessageOrText): RecordedTest => ({
      ok: false,
      says,
      tried: this.probeResults(),
      footage: null,
      expected: null,
    });
    if (ready.state !== "recording") return failed(ready.detail);
    const fromMs = Date.now();
    this.hold(plan.id, fromMs);
    try {
      const footage = await this.cut({ ...plan, fromMs, toMs: fromMs + testMs }, file);
      const expected = { seconds: testMs / 1_000, width: ready.width, height: ready.height };
      return { ok: true, says: describeTest(footage, this.state()), tried: this.probeResults(), footage, expected };
    } catch (error) {
      return failed(reasonOf(error));
    } finally {
      this.release(plan.id);
    }
  }

  /** Waits until the chosen command captures or has failed, but at most `testReadyTimeoutMs`. */
  async #waitUntilReady(): Promise<RecorderState> {
    const deadlineMs = performance.now() + testReadyTimeoutMs;
    for (;;) {
      const now = this.state();
      // A guess does not count, because its footage may have another format than that of the chosen command.
      const isRecording = now.state === "recording" && !hasCode(now.detail, stillProbingNotice.code);
      if (isRecording || now.state === "broken" || performance.now() > deadlineMs) return now;
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }

  #wantsCapture(): boolean {
    if (!this.#isRunning) return false;
    const { when } = this.#options.settings();
    if (this.#isTesting || when === "always") return true;
    const mayContinue = this.#current !== undefined && this.#holds.size > 0;
    return when === "automatic" && (this.#isGameActive || this.#isGameExpected || mayContinue);
  }

  #wantedBackend(): CaptureBackend {
    const { settings, ffmpeg, obs } = this.#options;
    const { backend } = settings();
    if (obs === undefined || backend === "ffmpeg") return ffmpeg;
    return backend === "obs" || obs.isAvailable() ? obs : ffmpeg;
  }

  #update(): void {
    this.#switchTo(this.#wantsCapture() ? this.#wantedBackend() : undefined);
  }

  /** Makes this the current backend. Undefined stops the capture. */
  #switchTo(backend: CaptureBackend | undefined): void {
    const previous = this.#current;
    if (backend === previous) return;
    this.#current = backend;
    if (previous !== undefined) this.#retiring.set(previous, new Set(this.#holds.keys()));
    if (backend !== undefined) this.#startBackend(backend);
    this.#stopUnneeded();
    this.#options.onChanged();
  }

  #startBackend(backend: CaptureBackend): void {
    for (const [id, fromMs] of this.#holds) backend.hold(id, fromMs);
    const isStillCapturing = this.#retiring.delete(backend);
    if (isStillCapturing) return;
    this.#spans = [...this.#spans, { backend, fromMs: this.#now(), toMs: null }].slice(-spansMax);
    void backend.start();
  }

  /** Stops the replaced backends that nothing needs any more. */
  #stopUnneeded(): void {
    const isReplaced = this.#current?.state().state === "recording";
    for (const [backend, heldIds] of this.#retiring) {
      const isRecording = backend.state().state === "recording";
      if (isRecording && this.#current !== undefined && !(isReplaced && heldIds.size === 0)) continue;
      this.#retiring.delete(backend);
      for (const span of this.#spans) if (span.backend === backend) span.toMs ??= this.#now();
      this.#stopping = Promise.all([this.#stopping, backend.stop()]);
    }
  }

  /** Returns each backend once: first the one that captured most of the range, or the later one of two that captured equally much. */
  #backendsByOverlap({ fromMs, toMs }: ClipPlan): Set<CaptureBackend> {
    const overlapMs = (span: CaptureSpan) => Math.min(span.toMs ?? Infinity, toMs) - Math.max(span.fromMs, fromMs);
    const sorted = this.#spans.toReversed().toSorted((a, b) => overlapMs(b) - overlapMs(a));
    return new Set(sorted.map((span) => span.backend));
  }

  #endGameAfter(ms: number): void {
    clearTimeout(this.#endTimer);
    this.#endTimer = setTimeout(() => {
      this.#isGameActive = false;
      this.#update();
    }, ms).unref();
  }

  #connectObs(): void {
    const { settings, obs } = this.#options;
    const { when, backend } = settings();
    if (when === "never" || backend === "ffmpeg") obs?.disconnect();
    else obs?.connect();
  }

  /** Probes after a delay, so that the first moment of a game need not wait for the probe. Another call restarts the delay. */
  #prepareSoon(): void {
    const { settings, ffmpeg, prepareMs = prepareAfterMs } = this.#options;
    clearTimeout(this.#prepareTimer);
    this.#prepareTimer = setTimeout(() => {
      const isIdle = this.#isRunning && settings().when !== "never" && this.#current === undefined;
      if (!isIdle || this.#wantedBackend() !== ffmpeg) return;
      this.#preparing = Promise.all([this.#preparing, ffmpeg.prepare(this.#stopped.signal)]);
    }, prepareMs).unref();
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}

function describeTest(
  { fromMs, toMs, width, height, frames }: Footage,
  { backend, encoder, source, detail }: RecorderState,
): Message {
  const seconds = (toMs - fromMs) / 1_000;
  const rate = Math.round(frames / Math.max(seconds, 0.001));
  const by = [backend, encoder].filter((part) => part !== null).join(" with ");
  return message("test_recording.works", {
    seconds: seconds.toFixed(1),
    source: source ?? message("source.screen"),
    by,
    width,
    height,
    rate,
    state: toMessage(detail),
  });
}
