// Keeps a capture running: restarts runs that failed, and replaces a run by one with another configuration without a gap.
//
// A run is one ffmpeg process, from its start to its exit. The current run delivers the footage. A replacement is a second run,
// started beside the current one for another configuration or quality. It becomes the current run when its footage adjoins.

import { type Message, textOf } from "@kit/contract/message";
import { message } from "@kit/contract/messages";
import type { CaptureConfig, CaptureThreadStatus } from "./thread-client.ts";
import { backoffMs, type CaptureTimeouts, type Clock, QualityRecovery } from "./timeouts.ts";
import {
  type CaptureRun,
  type CaptureRunEvents,
  type FragmentFacts,
  type QualityLevel,
  WatchedRun,
} from "./watched-run.ts";

type CaptureSupervisorDeps<F extends FragmentFacts> = {
  /** `isUrgent` is true if nothing is captured until the run delivers. */
  readonly startRun: (level: QualityLevel, events: CaptureRunEvents<F>, isUrgent: boolean) => CaptureRun;
  readonly clock: Clock;
  readonly timeouts: CaptureTimeouts;
  /** Returns how many programs per core want to run: 1 is a fully used machine. */
  readonly load: () => number;
  /** Returns true while a clip needs footage. A change that may lose footage then waits. */
  readonly isHeld: () => boolean;
  /** Receives the footage to keep, run after run. The first footage of a run may overlap the last of the run before. */
  readonly onFragment: (fragment: F) => void;
  readonly onChanged: () => void;
  /** Called when a run ended. `restartInMs` is null if another run has replaced the ended one. */
  readonly onRunEnded: (reason: Message, restartInMs: number | null) => void;
  /** Called when the chosen command delivered no footage, so that the owner can choose another one. */
  readonly onChoiceFailed: () => void;
};

/** A run with the configuration it was started with. */
type SupervisedRun<F extends FragmentFacts> = {
  config: CaptureConfig;
  /** Why this run replaces the one before. */
  readonly reason: Message;
  readonly watched: WatchedRun<F>;
  /** Footage that a replacement delivered before it became the current run. */
  readonly pending: F[];
};

/** Quality is not raised while the machine is busier than this. */
const loadMax = 0.8;
/** Share of the frames that must arrive before quality is raised. */
const frameShareMin = 0.98;
/** After this much footage, a replacement becomes the current run even if its footage does not adjoin yet. */
const pendingMsMax = 900;
/** Pause between a replacement that failed and the next change of quality. */
const replacementPauseMs = 15_000;
const settingsChangedReason = message("capture.settings_changed");

const commandsOf = ({ levels }: CaptureConfig) =>
  JSON.stringify(levels.map(({ args, listedSize }) => [args, listedSize]));
const noConfig: CaptureConfig = { levels: [], level: 0, choiceId: 0 };
const doNothing = () => undefined;

/** Counts the time without footage between one run and the next. */
class LostTimeCounter {
  #lostMs = 0;
  /** The end of the footage so far: its wall clock time, and the monotonic time at which it arrived. */
  #end: { readonly endMs: number; readonly monoMs: number } | undefined;

  addFootage({ startMs, endMs }: Pick<FragmentFacts, "startMs" | "endMs">, monoMs: number): void {
    // After somebody set the wall clock, the gap between two runs may seem too long. No more is lost than the monotonic time that
    // passed.
    if (this.#end !== undefined) {
      this.#lostMs += Math.max(0, Math.min(startMs - this.#end.endMs, monoMs - this.#end.monoMs));
    }
    this.#end = { endMs, monoMs };
  }

  hasFootageUntil(epochMs: number): boolean {
    return this.#end !== undefined && this.#end.endMs >= epochMs;
  }

  /** Ends the count because the capture was stopped on purpose. */
  stop(): void {
    this.#end = undefined;
  }

  seconds(isRecording: boolean, nowMs: number): number {
    const openMs = isRecording || this.#end === undefined ? 0 : nowMs - this.#end.monoMs;
    return (this.#lostMs + openMs) / 1_000;
  }
}

export class CaptureSupervisor<F extends FragmentFacts> {
  readonly #deps: CaptureSupervisorDeps<F>;
  readonly #lostTime = new LostTimeCounter();
  /** Runs whose process has not exited yet. */
  readonly #alive = new Set<SupervisedRun<F>>();
  #recovery: QualityRecovery;
  #config = noConfig;
  #isWanted = false;
  #current: SupervisedRun<F> | undefined;
  #replacement: SupervisedRun<F> | undefined;
  #cancelRestart: () => void = doNothing;
  #cancelReplacementTimeout: () => void = doNothing;
  /** Monotonic time before which no other quality level is tried. */
  #levelChangeNotBeforeMs = 0;
  #stopped: PromiseWithResolvers<void> | undefined;
  #phase: CaptureThreadStatus["phase"] = "idle";
  #reason: Message | null = null;
  #failures = 0;
  #restarts = 0;
  /** True if the picture has not changed although the game sends events. */
  #isFrozen = false;

  constructor(deps: CaptureSupervisorDeps<F>) {
    this.#deps = deps;
    this.#recovery = new QualityRecovery(deps.timeouts, deps.clock.monoMs);
  }

  /** Captures with this configuration. The current run continues until a replacement delivers footage, or for good if none does. */
  capture(config: CaptureConfig): void {
    const wasWanted = this.#isWanted;
    const isSame = (other: CaptureConfig | undefined) =>
      other !== undefined && commandsOf(other) === commandsOf(config);
    this.#isWanted = true;
    this.#stopped?.resolve();
    this.#stopped = undefined;
    if (wasWanted && isSame(this.#replacement?.config)) return;
    const current = this.#current;
    if (wasWanted && isSame(this.#config) && (current === undefined || isSame(current.config))) {
      this.#config = { ...this.#config, choiceId: config.choiceId };
      if (current !== undefined) current.config = this.#config;
      return this.#endReplacement(settingsChangedReason);
    }
    this.#config = config;
    this.#levelChangeNotBeforeMs = 0;
    this.#recovery = new QualityRecovery(this.#deps.timeouts, this.#deps.clock.monoMs);
    if (current?.watched.hasDelivered && this.#phase === "recording") {
      return this.#startReplacement(config, settingsChangedReason);
    }
    this.#endReplacement(settingsChangedReason);
    if (current !== undefined) return current.watched.end(settingsChangedReason, true);
    this.#setPhase("starting", null);
    this.#startCurrent();
  }

  /** Stops capturing. Resolves when every ffmpeg has exited. */
  stop(): Promise<void> {
    this.#isWanted = false;
    this.#cancelRestart();
    this.#cancelReplacementTimeout();
    this.#failures = 0;
    this.#stopped ??= Promise.withResolvers();
    const { promise } = this.#stopped;
    this.#replacement = undefined;
    for (const { watched } of [...this.#alive]) watched.end(message("capture.was_stopped"), true);
    this.#finishStop();
    return promise;
  }

  /** Notes that the game sent an event. The state then mentions a picture that has never changed; the game may show a still one. */
  noteGameEvent(): void {
    if (this.#isFrozen || this.#unchangedMs() < this.#deps.timeouts.unchangedMs) return;
    this.#isFrozen = true;
    this.#deps.onChanged();
  }

  status(): Omit<CaptureThreadStatus, "heldSeconds" | "heldBytes"> {
    const isRecording = this.#phase === "recording";
    const { level, choiceId } = this.#current?.config ?? this.#config;
    return {
      phase: this.#phase,
      why: this.#reason,
      level,
      choiceId,
      frameRate: isRecording ? (this.#current?.watched.stream.frameRate() ?? 0) : 0,
      restarts: this.#restarts,
      lostSeconds: this.#lostTime.seconds(isRecording, this.#deps.clock.monoMs()),
      unchangedSeconds: this.#isFrozen ? Math.round(this.#unchangedMs() / 1_000) : 0,
    };
  }

  #unchangedMs(): number {
    return this.#current?.watched.stream.unchangedMs() ?? 0;
  }

  #setPhase(phase: CaptureThreadStatus["phase"], reason: Message | null): void {
    const hasChanged = this.#phase !== phase || textOf(this.#reason ?? "") !== textOf(reason ?? "");
    this.#phase = phase;
    this.#reason = reason;
    if (hasChanged) this.#deps.onChanged();
  }

  #startRun(config: CaptureConfig, level: QualityLevel, reason: Message): SupervisedRun<F> {
    const { startRun, clock, timeouts } = this.#deps;
    const isUrgent = this.#current === undefined;
    const watched = new WatchedRun<F>({
      startRun: (level, events) => startRun(level, events, isUrgent),
      clock,
      timeouts,
      level,
      onFragment: (fragment, monoMs) => this.#handleFragment(run, fragment, monoMs),
      onOverload: (cause) => (run === this.#current ? this.#changeLevel(1, cause) : undefined),
      onEnd: (cause, isPlanned) => this.#handleEnd(run, cause, isPlanned),
    });
    const run: SupervisedRun<F> = { config, reason, pending: [], watched };
    this.#alive.add(run);
    return run;
  }

  #startCurrent(): void {
    const level = this.#config.levels[this.#config.level];
    if (level === undefined) return;
    this.#cancelRestart();
    if (this.#phase !== "broken") this.#setPhase("starting", this.#reason);
    this.#current = this.#startRun(this.#config, level, message("capture.was_stopped"));
  }

  #startReplacement(config: CaptureConfig, reason: Message): void {
    const level = config.levels[config.level];
    if (level === undefined) return;
    this.#endReplacement(message("capture.other_configuration"));
    const run = this.#startRun(config, level, reason);
    this.#replacement = run;
    const { clock, timeouts } = this.#deps;
    this.#cancelReplacementTimeout = clock.after(timeouts.replacementMs, () => {
      if (run === this.#replacement)
        run.watched.end(message("capture.no_footage_for", { seconds: timeouts.replacementMs / 1_000 }));
    });
  }

  #endReplacement(reason: Message): void {
    const replacement = this.#replacement;
    this.#replacement = undefined;
    this.#cancelReplacementTimeout();
    replacement?.watched.end(reason, true);
  }

  /** Starts a replacement whose quality is one level lower (`step` 1) or higher (-1). */
  #changeLevel(step: 1 | -1, reason: Message): void {
    const isTooEarly = this.#deps.clock.monoMs() < this.#levelChangeNotBeforeMs;
    if (this.#current === undefined || this.#replacement !== undefined || isTooEarly) return;
    const { config } = this.#current;
    this.#startReplacement({ ...config, level: config.level + step }, reason);
  }

  #handleFragment(run: SupervisedRun<F>, fragment: F, monoMs: number): void {
    if (run === this.#replacement) run.pending.push(fragment);
    if (run === this.#current) {
      this.#deps.onFragment(fragment);
      if (fragment.frames === 0) return;
      this.#lostTime.addFootage(fragment, monoMs);
      if (run.watched.ageMs() >= this.#deps.timeouts.healthyMs) this.#failures = 0;
      if (run.watched.stream.hasMoved) this.#isFrozen = false;
      this.#setPhase("recording", null);
      this.#raiseQualityIfIdle(run);
    }
    this.#replaceCurrent(false);
  }

  /** Makes the replacement the current run once its footage adjoins that of the current run, so that no frame is missing. */
  #replaceCurrent(isImmediate: boolean): void {
    const next = this.#replacement;
    const first = next?.pending[0];
    const last = next?.pending.at(-1);
    if (next === undefined || first === undefined || last === undefined) return;
    const isReady = this.#lostTime.hasFootageUntil(first.startMs) || last.endMs - first.startMs >= pendingMsMax;
    if (!isImmediate && !isReady) return;
    const previous = this.#current;
    this.#current = next;
    this.#replacement = undefined;
    this.#cancelReplacementTimeout();
    const isRaised = next.config.choiceId === this.#config.choiceId && next.config.level < this.#config.level;
    if (isRaised) this.#recovery.markRaised();
    else this.#recovery.markReduced();
    this.#config = next.config;
    for (const fragment of next.pending.splice(0)) {
      this.#deps.onFragment(fragment);
      if (fragment.frames > 0) this.#lostTime.addFootage(fragment, this.#deps.clock.monoMs());
    }
    previous?.watched.end(next.reason, true);
    this.#phase = "recording";
    this.#reason = null;
    this.#deps.onChanged();
  }

  #raiseQualityIfIdle({ config, watched }: SupervisedRun<F>): void {
    const level = config.levels[config.level];
    if (config.level === 0 || level === undefined) return;
    if (watched.ageMs() < this.#deps.timeouts.healthyMs || !this.#recovery.isDue()) return;
    if (level.constantRate && watched.stream.frameRate() < level.frameRate * frameShareMin) return;
    if (this.#deps.isHeld() || this.#deps.load() >= loadMax) return;
    this.#changeLevel(-1, message("capture.capacity_again"));
  }

  #handleEnd(run: SupervisedRun<F>, reason: Message, isPlanned: boolean): void {
    this.#alive.delete(run);
    if (!this.#isWanted) return this.#finishStop();
    if (run === this.#replacement) return this.#handleReplacementFailure(run, reason);
    if (run !== this.#current) return this.#deps.onRunEnded(reason, null);
    this.#current = undefined;
    if (!isPlanned) {
      this.#restarts += 1;
      this.#failures += 1;
    }
    if (this.#replacement !== undefined) return this.#replaceEndedRun(this.#replacement, reason);
    const restartInMs = isPlanned ? 0 : backoffMs(this.#failures, this.#deps.timeouts);
    this.#setPhase(run.watched.hasDelivered ? "starting" : "broken", reason);
    this.#deps.onRunEnded(reason, restartInMs);
    this.#cancelRestart = this.#deps.clock.after(restartInMs, () => this.#startCurrent());
    if (!run.watched.hasDelivered) this.#deps.onChoiceFailed();
  }

  #handleReplacementFailure({ config }: SupervisedRun<F>, reason: Message): void {
    this.#replacement = undefined;
    this.#cancelReplacementTimeout();
    this.#levelChangeNotBeforeMs = this.#deps.clock.monoMs() + replacementPauseMs;
    this.#deps.onRunEnded(reason, null);
    const current = this.#current?.config;
    if (config.choiceId !== current?.choiceId) this.#deps.onChoiceFailed();
    else if (config.level < current.level) this.#recovery.markFailed();
  }

  /** Makes the replacement the current run because the current run ended before the replacement was ready. */
  #replaceEndedRun(replacement: SupervisedRun<F>, reason: Message): void {
    this.#deps.onRunEnded(reason, null);
    if (replacement.pending.length > 0) return this.#replaceCurrent(true);
    this.#cancelReplacementTimeout();
    this.#current = replacement;
    this.#replacement = undefined;
    this.#config = replacement.config;
    this.#setPhase("starting", reason);
  }

  #finishStop(): void {
    if (this.#alive.size > 0) return;
    this.#current = undefined;
    this.#setPhase("idle", null);
    this.#lostTime.stop();
    this.#stopped?.resolve();
  }
}
