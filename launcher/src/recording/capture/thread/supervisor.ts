// Keeps a capture running: restarts failed runs, hands over to a run with another configuration, and counts the time without footage.

import { type Message, textOf } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { CaptureConfig, ThreadStatus } from "./messages.ts";
import type { QualityLevel } from "./watched-run.ts";
import {
  backoffMs,
  type CaptureRun,
  type CaptureRunEvents,
  type CaptureTimeouts,
  type Clock,
  type FragmentFacts,
  WatchedRun,
} from "./watched-run.ts";

export type CaptureSupervisorDeps<F extends FragmentFacts> = {
  readonly startRun: (level: QualityLevel, events: CaptureRunEvents<F>) => CaptureRun;
  readonly clock: Clock;
  readonly timeouts: CaptureTimeouts;
  /** Number of runnable programs per core. */
  readonly load: () => number;
  /** True while a clip needs footage: a change that may lose footage then waits. */
  readonly isHeld: () => boolean;
  /** Receives the footage to keep, one run after the other. The first footage of a run may overlap the end of the previous run. */
  readonly onFragment: (fragment: F) => void;
  readonly onChanged: () => void;
  /** Called when a run ended. `restartInMs` is null if another run has replaced it. */
  readonly onRunEnded: (reason: Message, restartInMs: number | null) => void;
  /** Called when the chosen command delivered no footage, so that the owner can choose another one. */
  readonly onChoiceFailed: () => void;
};

/** Counts the time without footage between one run and the next. */
class LostTime {
  #lostMs = 0;
  /** Where the footage ends, on the wall clock and on the monotonic clock. */
  #end: { readonly endMs: number; readonly monoMs: number } | undefined;

  addFootage({ startMs, endMs }: Pick<FragmentFacts, "startMs" | "endMs">, monoMs: number): void {
    // The wall clock may have been set since: the loss is never longer than the time that passed on the monotonic clock.
    if (this.#end !== undefined) {
      this.#lostMs += Math.max(0, Math.min(startMs - this.#end.endMs, monoMs - this.#end.monoMs));
    }
    this.#end = { endMs, monoMs };
  }

  hasFootageUntil(epochMs: number): boolean {
    return this.#end !== undefined && this.#end.endMs >= epochMs;
  }

  /** Stops counting: the capture was stopped on purpose. */
  stop(): void {
    this.#end = undefined;
  }

  seconds(isRecording: boolean, nowMs: number): number {
    const openMs = isRecording || this.#end === undefined ? 0 : nowMs - this.#end.monoMs;
    return (this.#lostMs + openMs) / 1_000;
  }
}

/** Decides when a capture with reduced quality may try a higher quality again: after each failure the pause doubles. */
export class QualityRecovery {
  readonly #pauses: Pick<CaptureTimeouts, "recoveryFirstMs" | "recoveryMaxMs">;
  readonly #monoMs: () => number;
  #pauseMs: number;
  #pauseStartedMs: number;
  #raisedMs: number | undefined;

  constructor(pauses: Pick<CaptureTimeouts, "recoveryFirstMs" | "recoveryMaxMs">, monoMs: () => number) {
    this.#pauses = pauses;
    this.#monoMs = monoMs;
    this.#pauseMs = pauses.recoveryFirstMs;
    this.#pauseStartedMs = monoMs();
  }

  /** The capture now uses a lower quality or another configuration. */
  markReduced(): void {
    const { recoveryFirstMs, recoveryMaxMs } = this.#pauses;
    const lastedMs = this.#raisedMs === undefined ? undefined : this.#monoMs() - this.#raisedMs;
    this.#raisedMs = undefined;
    // A raised quality that lasted long enough counts as a success; the reduction has another cause.
    if (lastedMs !== undefined && lastedMs < recoveryMaxMs) return this.markFailed();
    this.#pauseStartedMs = this.#monoMs();
    if (lastedMs !== undefined) this.#pauseMs = recoveryFirstMs;
  }

  /** The attempt to raise the quality failed. */
  markFailed(): void {
    this.#pauseStartedMs = this.#monoMs();
    this.#pauseMs = Math.min(this.#pauses.recoveryMaxMs, this.#pauseMs * 2);
  }

  /** The capture now uses a higher quality. */
  markRaised(): void {
    this.#raisedMs = this.#monoMs();
    this.#pauseStartedMs = this.#raisedMs;
  }

  isDue(): boolean {
    return this.#monoMs() - this.#pauseStartedMs >= this.#pauseMs;
  }
}

/** One run with the configuration it was started with. */
type Stage<F extends FragmentFacts> = {
  config: CaptureConfig;
  /** Why this run replaces the previous one. */
  readonly reason: Message;
  readonly run: WatchedRun<F>;
  /** Footage of a successor that has not taken over yet. */
  readonly pending: F[];
};

/** Quality is not raised while the machine is busier than this. */
const loadMax = 0.8;
/** Share of the frames that must arrive before quality is raised. */
const frameShareMin = 0.98;
/** After this much footage, a successor takes over even if the old run has not caught up. */
const pendingMsMax = 900;
/** Pause after a successor that delivered nothing. */
const successorPauseMs = 15_000;
const settingsChangedReason = message("capture.settings_changed");

const commandsOf = ({ levels }: CaptureConfig) => JSON.stringify(levels.map(({ args }) => args));
const noConfig: CaptureConfig = { levels: [], level: 0, choiceId: 0 };
const doNothing = () => undefined;

export class CaptureSupervisor<F extends FragmentFacts> {
  readonly #deps: CaptureSupervisorDeps<F>;
  readonly #lostTime = new LostTime();
  /** Runs whose process has not exited yet. */
  readonly #alive = new Set<Stage<F>>();
  #recovery: QualityRecovery;
  #config = noConfig;
  #isWanted = false;
  #current: Stage<F> | undefined;
  #successor: Stage<F> | undefined;
  #cancelRestart: () => void = doNothing;
  #cancelSuccessorTimeout: () => void = doNothing;
  /** No other quality level is tried before this time. */
  #levelChangeNotBeforeMs = 0;
  #stopped: PromiseWithResolvers<void> | undefined;
  #phase: ThreadStatus["phase"] = "idle";
  #reason: Message | null = null;
  #failures = 0;
  #restarts = 0;
  /** The picture has not changed although the game sends events. */
  #isFrozen = false;
  #hasRestartedFrozen = false;

  constructor(deps: CaptureSupervisorDeps<F>) {
    this.#deps = deps;
    this.#recovery = new QualityRecovery(deps.timeouts, deps.clock.monoMs);
  }

  /** Captures with this configuration. A running capture continues until its successor delivers, or indefinitely if it never does. */
  capture(config: CaptureConfig): void {
    const wasWanted = this.#isWanted;
    const isSame = (other: CaptureConfig | undefined) =>
      other !== undefined && commandsOf(other) === commandsOf(config);
    this.#isWanted = true;
    this.#stopped?.resolve();
    this.#stopped = undefined;
    if (wasWanted && isSame(this.#successor?.config)) return;
    const current = this.#current;
    if (wasWanted && isSame(this.#config) && (current === undefined || isSame(current.config))) {
      this.#config = { ...this.#config, choiceId: config.choiceId };
      if (current !== undefined) current.config = this.#config;
      return this.#endSuccessor(settingsChangedReason);
    }
    this.#config = config;
    this.#levelChangeNotBeforeMs = 0;
    this.#recovery = new QualityRecovery(this.#deps.timeouts, this.#deps.clock.monoMs);
    if (current?.run.hasDelivered && this.#phase === "recording") {
      return this.#startSuccessor(config, settingsChangedReason);
    }
    this.#endSuccessor(settingsChangedReason);
    if (current !== undefined) return current.run.end(settingsChangedReason, true);
    this.#setPhase("starting", null);
    this.#startCurrent();
  }

  /** Resolves when every process has exited. */
  stop(): Promise<void> {
    this.#isWanted = false;
    this.#cancelRestart();
    this.#cancelSuccessorTimeout();
    this.#failures = 0;
    this.#stopped ??= Promise.withResolvers();
    const { promise } = this.#stopped;
    this.#successor = undefined;
    for (const { run } of [...this.#alive]) run.end(message("capture.was_stopped"), true);
    this.#finishStop();
    return promise;
  }

  /** Notes an event of the game: a picture that has not changed for a while is now suspicious. */
  noteGameEvent(): void {
    if (this.#isFrozen || this.#unchangedMs() < this.#deps.timeouts.unchangedMs) return;
    this.#isFrozen = true;
    this.#deps.onChanged();
  }

  /** Restarts a capture whose picture is frozen, once. Called when no clip needs footage. */
  restartIfFrozen(): void {
    if (!this.#isFrozen || this.#hasRestartedFrozen || this.#current === undefined) return;
    this.#hasRestartedFrozen = true;
    this.#current.run.end(message("capture.picture_frozen"));
  }

  status(): Omit<ThreadStatus, "heldSeconds" | "heldBytes"> {
    const isRecording = this.#phase === "recording";
    const { level, choiceId } = this.#current?.config ?? this.#config;
    return {
      phase: this.#phase,
      why: this.#reason,
      level,
      choiceId,
      frameRate: isRecording ? (this.#current?.run.watch.frameRate() ?? 0) : 0,
      restarts: this.#restarts,
      lostSeconds: this.#lostTime.seconds(isRecording, this.#deps.clock.monoMs()),
      unchangedSeconds: this.#isFrozen ? Math.round(this.#unchangedMs() / 1_000) : 0,
    };
  }

  #unchangedMs(): number {
    return this.#current?.run.watch.unchangedMs() ?? 0;
  }

  #setPhase(phase: ThreadStatus["phase"], reason: Message | null): void {
    const hasChanged = this.#phase !== phase || textOf(this.#reason ?? "") !== textOf(reason ?? "");
    this.#phase = phase;
    this.#reason = reason;
    if (hasChanged) this.#deps.onChanged();
  }

  #startStage(config: CaptureConfig, level: QualityLevel, reason: Message): Stage<F> {
    const { startRun, clock, timeouts } = this.#deps;
    const run = new WatchedRun<F>({
      startRun,
      clock,
      timeouts,
      level,
      onFragment: (fragment, monoMs) => this.#handleFragment(stage, fragment, monoMs),
      onOverload: (cause) => (stage === this.#current ? this.#changeLevel(1, cause) : undefined),
      onEnd: (cause, isPlanned) => this.#handleEnd(stage, cause, isPlanned),
    });
    const stage: Stage<F> = { config, reason, pending: [], run };
    this.#alive.add(stage);
    return stage;
  }

  #startCurrent(): void {
    const level = this.#config.levels[this.#config.level];
    if (level === undefined) return;
    this.#cancelRestart();
    if (this.#phase !== "broken") this.#setPhase("starting", this.#reason);
    this.#current = this.#startStage(this.#config, level, message("capture.was_stopped"));
  }

  /** Starts a second run beside the current one. The successor takes over when it delivers footage. */
  #startSuccessor(config: CaptureConfig, reason: Message): void {
    const level = config.levels[config.level];
    if (level === undefined) return;
    this.#endSuccessor(message("capture.other_configuration"));
    const stage = this.#startStage(config, level, reason);
    this.#successor = stage;
    const { clock, timeouts } = this.#deps;
    this.#cancelSuccessorTimeout = clock.after(timeouts.successorMs, () => {
      if (stage === this.#successor)
        stage.run.end(message("capture.no_footage_for", { seconds: timeouts.successorMs / 1_000 }));
    });
  }

  #endSuccessor(reason: Message): void {
    const successor = this.#successor;
    this.#successor = undefined;
    this.#cancelSuccessorTimeout();
    successor?.run.end(reason, true);
  }

  /** Starts a successor one quality level lower (1) or higher (-1). */
  #changeLevel(step: 1 | -1, reason: Message): void {
    const isTooEarly = this.#deps.clock.monoMs() < this.#levelChangeNotBeforeMs;
    if (this.#current === undefined || this.#successor !== undefined || isTooEarly) return;
    const { config } = this.#current;
    this.#startSuccessor({ ...config, level: config.level + step }, reason);
  }

  #handleFragment(stage: Stage<F>, fragment: F, monoMs: number): void {
    if (stage === this.#successor) stage.pending.push(fragment);
    if (stage === this.#current) {
      this.#deps.onFragment(fragment);
      if (fragment.frames === 0) return;
      this.#lostTime.addFootage(fragment, monoMs);
      if (stage.run.ageMs() >= this.#deps.timeouts.healthyMs) this.#failures = 0;
      if (stage.run.watch.hasMoved) this.#isFrozen = this.#hasRestartedFrozen = false;
      this.#setPhase("recording", null);
      this.#raiseQualityIfIdle(stage);
    }
    this.#handOver(false);
  }

  /** Makes the successor the current run once its footage adjoins that of the old run, so that no frame is missing in between. */
  #handOver(isImmediate: boolean): void {
    const next = this.#successor;
    const first = next?.pending[0];
    const last = next?.pending.at(-1);
    if (next === undefined || first === undefined || last === undefined) return;
    const isReady = this.#lostTime.hasFootageUntil(first.startMs) || last.endMs - first.startMs >= pendingMsMax;
    if (!isImmediate && !isReady) return;
    const previous = this.#current;
    this.#current = next;
    this.#successor = undefined;
    this.#cancelSuccessorTimeout();
    const isRaised = next.config.choiceId === this.#config.choiceId && next.config.level < this.#config.level;
    if (isRaised) this.#recovery.markRaised();
    else this.#recovery.markReduced();
    this.#config = next.config;
    for (const fragment of next.pending.splice(0)) {
      this.#deps.onFragment(fragment);
      if (fragment.frames > 0) this.#lostTime.addFootage(fragment, this.#deps.clock.monoMs());
    }
    previous?.run.end(next.reason, true);
    this.#phase = "recording";
    this.#reason = null;
    this.#deps.onChanged();
  }

  #raiseQualityIfIdle({ config, run }: Stage<F>): void {
    const level = config.levels[config.level];
    if (config.level === 0 || level === undefined) return;
    if (run.ageMs() < this.#deps.timeouts.healthyMs || !this.#recovery.isDue()) return;
    if (level.constantRate && run.watch.frameRate() < level.frameRate * frameShareMin) return;
    if (this.#deps.isHeld() || this.#deps.load() >= loadMax) return;
    this.#changeLevel(-1, message("capture.capacity_again"));
  }

  #handleEnd(stage: Stage<F>, reason: Message, isPlanned: boolean): void {
    this.#alive.delete(stage);
    if (!this.#isWanted) return this.#finishStop();
    if (stage === this.#successor) return this.#handleSuccessorFailure(stage, reason);
    if (stage !== this.#current) return this.#deps.onRunEnded(reason, null);
    this.#current = undefined;
    if (!isPlanned) {
      this.#restarts += 1;
      this.#failures += 1;
    }
    if (this.#successor !== undefined) return this.#promoteSuccessor(this.#successor, reason);
    const restartInMs = isPlanned ? 0 : backoffMs(this.#failures, this.#deps.timeouts);
    this.#setPhase(stage.run.hasDelivered ? "starting" : "broken", reason);
    this.#deps.onRunEnded(reason, restartInMs);
    this.#cancelRestart = this.#deps.clock.after(restartInMs, () => this.#startCurrent());
    if (!stage.run.hasDelivered) this.#deps.onChoiceFailed();
  }

  #handleSuccessorFailure({ config }: Stage<F>, reason: Message): void {
    this.#successor = undefined;
    this.#cancelSuccessorTimeout();
    this.#levelChangeNotBeforeMs = this.#deps.clock.monoMs() + successorPauseMs;
    this.#deps.onRunEnded(reason, null);
    const current = this.#current?.config;
    if (config.choiceId !== current?.choiceId) this.#deps.onChoiceFailed();
    else if (config.level < current.level) this.#recovery.markFailed();
  }

  /** Makes the successor the current run because the old run ended before the handover. */
  #promoteSuccessor(successor: Stage<F>, reason: Message): void {
    this.#deps.onRunEnded(reason, null);
    if (successor.pending.length > 0) return this.#handOver(true);
    this.#cancelSuccessorTimeout();
    this.#current = successor;
    this.#successor = undefined;
    this.#config = successor.config;
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
