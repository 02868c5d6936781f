// Captures with ffmpeg: chooses the command, and controls the thread that runs it.
//
// A choice is a command that the probe found to work here, with its lower qualities. A guess is an untried choice that captures
// while the probe still runs. A pending choice waits for the clip that the guess captures, and then replaces the guess.

import { hasCode, type Message, type RecorderSettings, type RecorderState, type TestRecording } from "@kit/contract";
import { message, reasonOf } from "@kit/contract/messages";
import type { Ffmpeg, FoundFfmpeg } from "../../ffmpeg/find.ts";
import { type ClipPlan, type Footage, NoFootage } from "../../plans/plan.ts";
import type { CaptureBackend } from "../backend.ts";
import { type CaptureChoice, canResizeLater, isGuess, type ProbeRefusal } from "../probe/choice.ts";
import type { CaptureProbe, ProbeRequest } from "../probe/probe.ts";
import type { SoundChooser } from "../sound/sound-chooser.ts";
import { type CaptureTarget, subjectOf } from "../target.ts";
import { describeFfmpegState, noFootageMessage, runEndedMessage } from "./ffmpeg-state.ts";
import { killOrphans } from "./orphans.ts";
import { RecentChoices } from "./recent-choices.ts";
import { type BufferLimits, bufferLimits, CaptureThread, type CaptureThreadStatus } from "./thread-client.ts";
import { backoffMs, type CaptureTimeouts, captureTimeouts, createRetries, waitUntil } from "./timeouts.ts";

export type FfmpegBackendDeps = {
  readonly settings: () => RecorderSettings;
  /** What to capture. When it changes, `start` must be called. */
  readonly target: () => CaptureTarget;
  /** What the sound is recorded from. When it changes, `applySound` must be called. */
  readonly sound: Pick<SoundChooser, "start" | "stop" | "update" | "tracks" | "says">;
  readonly ffmpeg: () => Promise<FoundFfmpeg>;
  readonly system: Pick<ProbeRequest, "display" | "wayland" | "windowsDesktop">;
  /** File in the data folder that records the running ffmpeg, so that the next start can kill it if it was left behind. */
  readonly captureFile: string;
  readonly probe: Pick<CaptureProbe, "choose">;
  /** Called if the window that is the target cannot be captured. */
  readonly onWindowRefused: (why: Message) => void;
  readonly onChanged: () => void;
  readonly log: (what: string, detail: string) => void;
  /** For tests. */
  readonly timeouts?: CaptureTimeouts;
};

/** How long after the end of its range a cut waits for a capture that is still starting. */
const cutWaitMs = 3_000;

type ChooseOptions = { readonly ignoreSaved: boolean };
type RunningThread = { readonly client: CaptureThread; readonly ffmpeg: string; limits: BufferLimits };

export class FfmpegBackend implements CaptureBackend {
  readonly name = "ffmpeg";
  readonly #deps: FfmpegBackendDeps;
  readonly #timeouts: CaptureTimeouts;
  readonly #holds = new Map<string, number>();
  readonly #cuts = new Set<Promise<Footage>>();
  readonly #recentChoices = new RecentChoices();
  /** Restarts and lost seconds of the threads that have ended. */
  readonly #earlierCounts = { restarts: 0, lostSeconds: 0 };
  #found: FoundFfmpeg | undefined;
  #isWanted = false;
  #thread: RunningThread | undefined;
  #threadClosed: Promise<void> = Promise.resolve();
  #choosing: { readonly wish: string; readonly done: Promise<void> } | undefined;
  #abort: AbortController | undefined;
  #gettingReady: AbortController | undefined;
  #refusal: ProbeRefusal | undefined;
  #status: CaptureThreadStatus | undefined;
  /** What the newest choice captures. */
  #captured: CaptureTarget | undefined;
  /** What was wanted when the newest choice began to capture. */
  #capturedWish: string | undefined;
  #pendingChoice: CaptureChoice | undefined;
  #recordingSinceMs: number | undefined;
  readonly #retries = createRetries();
  #threadDeaths = 0;

  constructor(deps: FfmpegBackendDeps) {
    this.#deps = deps;
    this.#timeouts = deps.timeouts ?? captureTimeouts;
  }

  state(): RecorderState {
    return describeFfmpegState({
      isWanted: this.#isWanted,
      isChoosing: this.#choosing !== undefined,
      refusal: this.#refusal,
      target: this.#deps.target(),
      sound: this.#deps.sound.says(),
      status: this.#status,
      earlierCounts: this.#earlierCounts,
      choice: this.#recentChoices.get(this.#status?.choiceId),
    });
  }

  probeResults(): TestRecording["tried"] {
    return this.#refusal?.tried ?? this.#recentChoices.get()?.tried ?? [];
  }

  /** Chooses ffmpeg's command before a capture needs it. Never rejects. */
  async prepare(signal: AbortSignal): Promise<void> {
    const found = await this.#deps.ffmpeg().catch(() => undefined);
    if (found?.ffmpeg === undefined || signal.aborted) return;
    await this.#deps.probe.choose(this.#probeRequest(found.ffmpeg), { inAdvance: true, signal });
  }

  /** Kills a capture that an earlier launcher left behind. Never rejects. */
  async killOrphans(): Promise<void> {
    for (const { pid } of await killOrphans(this.#deps.captureFile))
      this.#deps.log("orphan ended", `ffmpeg, process ${pid}, was left behind by an earlier launcher`);
  }

  /** Searches for ffmpeg, so that `missing` knows whether there is one. Never rejects. */
  async search(): Promise<void> {
    this.#found = await this.#deps.ffmpeg().catch(() => undefined);
  }

  /** Returns what a person can do if `search` found no ffmpeg; undefined if there is one, or before `search`. */
  missing(): Message | undefined {
    return this.#found?.ffmpeg === undefined ? this.#found?.says : undefined;
  }

  async start(): Promise<void> {
    if (!this.#isWanted) this.#recordingSinceMs = undefined;
    this.#isWanted = true;
    await this.#chooseAndCapture({ ignoreSaved: false });
  }

  async stop(): Promise<void> {
    this.#isWanted = false;
    this.#deps.sound.stop();
    this.#retries.cancel();
    this.#abort?.abort();
    this.#gettingReady?.abort();
    this.#choosing = this.#refusal = this.#pendingChoice = this.#gettingReady = undefined;
    this.#retries.succeed();
    await this.#thread?.client.stopCapture();
    if (this.#holds.size === 0) await Promise.allSettled(this.#cuts);
    this.#closeUnusedThread();
    await this.#threadClosed;
    this.#deps.onChanged();
  }

  /** Must be called when the settings or the game have changed. */
  updateSound(): void {
    this.#deps.sound.update();
  }

  applySound(): void {
    this.#thread?.client.send({ type: "sound", tracks: this.#deps.sound.tracks() });
    this.#deps.onChanged();
  }

  hold(id: string, fromMs: number): void {
    this.#holds.set(id, fromMs);
    this.#thread?.client.send({ type: "hold", id, fromMs });
  }

  release(id: string): void {
    this.#holds.delete(id);
    this.#thread?.client.send({ type: "release", id });
    this.#capturePendingChoice();
    this.#closeUnusedThread();
  }

  async cut(plan: ClipPlan, file: string): Promise<Footage> {
    const isCapturing = this.#thread !== undefined && this.#status !== undefined && this.#status.phase !== "idle";
    if (this.#isWanted && !isCapturing) {
      await Promise.race([this.#choosing?.done, waitUntil(plan.toMs + cutWaitMs)]);
    }
    if (this.#thread === undefined) throw this.#noFootage(message("capture.nothing_captured"), plan);
    const cut = this.#thread.client.cut(plan, file);
    this.#cuts.add(cut);
    try {
      return await cut;
    } catch (error) {
      throw error instanceof NoFootage ? this.#noFootage(reasonOf(error), plan) : error;
    } finally {
      this.#cuts.delete(cut);
      this.#capturePendingChoice();
      this.#closeUnusedThread();
    }
  }

  #noFootage(why: Message, { toMs }: ClipPlan): NoFootage {
    const { when } = this.#deps.settings();
    return new NoFootage(
      noFootageMessage({ why, toMs, recordingSinceMs: this.#recordingSinceMs, when, state: this.state() }),
    );
  }

  #probeRequest(ffmpeg: Ffmpeg): ProbeRequest {
    const target = this.#deps.target();
    const window = target.kind === "title" ? target.title : null;
    const followed = target.kind === "window" ? target.window : undefined;
    return { ffmpeg, settings: { ...this.#deps.settings(), window }, ...this.#deps.system, followed };
  }

  #wish(): string {
    return JSON.stringify([this.#deps.settings(), this.#deps.target()]);
  }

  /** Chooses a command and captures with it. If a choice for the same settings is already in progress, waits for that one. */
  async #chooseAndCapture(options: ChooseOptions): Promise<void> {
    const target = this.#deps.target();
    if (target.kind === "nothing") {
      if (hasCode(target.why, "window.searching")) void this.#getReady();
      return this.#captureNothing();
    }
    this.#deps.sound.start();
    const wish = this.#wish();
    if (this.#choosing?.wish === wish) return this.#choosing.done;
    this.#retries.cancel();
    this.#abort?.abort();
    // A choice that still waits for a clip is of what was wanted before.
    this.#pendingChoice = undefined;
    const abort = new AbortController();
    this.#abort = abort;
    const done = this.#choose(options, abort.signal).catch((error: unknown) =>
      this.#refuse({ refused: message("capture.not_chosen", { why: reasonOf(error) }), tried: [] }, abort.signal),
    );
    this.#choosing = { wish, done };
    this.#deps.onChanged();
    await done;
    if (this.#abort !== abort) return;
    this.#choosing = undefined;
    if (this.#refusal !== undefined) this.#retryChoice(false);
    this.#deps.onChanged();
  }

  /** Chooses the command and starts the thread while a game opens its window, so that its capture starts at once. */
  async #getReady(): Promise<void> {
    const ffmpeg = (await this.#deps.ffmpeg().catch(() => undefined))?.ffmpeg;
    if (ffmpeg === undefined) return;
    this.#gettingReady ??= new AbortController();
    void this.#deps.probe.choose(this.#probeRequest(ffmpeg), { signal: this.#gettingReady.signal });
    await this.#threadClosed;
    if (this.#isWanted && this.#thread === undefined) this.#ensureThread(ffmpeg.path);
  }

  /** Stops the capture until there is something to capture again. Keeps the footage. */
  async #captureNothing(): Promise<void> {
    this.#retries.cancel();
    this.#abort?.abort();
    this.#choosing = this.#refusal = this.#pendingChoice = undefined;
    this.#deps.sound.stop();
    await this.#thread?.client.stopCapture();
    this.#deps.onChanged();
  }

  async #choose(options: ChooseOptions, signal: AbortSignal): Promise<void> {
    const found = await this.#deps.ffmpeg();
    if (signal.aborted) return;
    if (found.ffmpeg === undefined) return this.#refuse({ refused: found.says, tried: [] }, signal);
    const { path } = found.ffmpeg;
    const target = this.#deps.target();
    let guess: CaptureChoice | undefined;
    // While nothing captures, footage of lower quality is better than none.
    const onGuess = (guessed: CaptureChoice) => {
      const isTarget = JSON.stringify(this.#captured) === JSON.stringify(this.#deps.target());
      const isRecording = this.#status?.phase === "recording" && isTarget;
      if (options.ignoreSaved || signal.aborted || isRecording) return;
      guess = guessed;
      void this.#threadClosed.then(() => {
        if (guess !== undefined && !signal.aborted) this.#capture(path, guess);
      });
    };
    const chosen = await this.#deps.probe.choose(this.#probeRequest(found.ffmpeg), { ...options, onGuess, signal });
    if (signal.aborted) return;
    const isGuessRecording = guess !== undefined && this.#status?.phase === "recording";
    guess = undefined;
    this.#refusal = undefined;
    if ("refused" in chosen) return isGuessRecording ? undefined : this.#refuse(chosen, signal, target);
    await this.#threadClosed;
    if (signal.aborted) return;
    const mustWait = isGuessRecording || this.#isHeldFrom(chosen);
    this.#pendingChoice = mustWait ? chosen : undefined;
    if (mustWait) this.#capturePendingChoice();
    else this.#capture(path, chosen);
  }

  /** Ends the capture, unless it is what is wanted: nobody may record more than the state says. */
  async #refuse(refusal: ProbeRefusal, signal: AbortSignal, target?: CaptureTarget): Promise<void> {
    if (signal.aborted) return;
    if (this.#status?.phase === "recording" && this.#capturedWish === this.#wish()) return;
    this.#refusal = refusal;
    if (target?.kind === "window") this.#deps.onWindowRefused(refusal.refused);
    await this.#thread?.client.stopCapture();
  }

  /** True while a clip needs what is captured now, and this choice would cut that clip short. */
  #isHeldFrom(next: CaptureChoice): boolean {
    if (this.#status?.phase !== "recording" || (this.#holds.size === 0 && this.#cuts.size === 0)) return false;
    const now = this.#recentChoices.get(this.#status.choiceId);
    if (now !== undefined && canResizeLater(now, next)) return true;
    const isScreen = this.#captured?.kind === "screen" && this.#deps.target().kind === "window";
    return isScreen && this.#deps.settings().when === "always";
  }

  #capture(ffmpeg: string, choice: CaptureChoice): void {
    const target = this.#deps.target();
    if (target.kind === "nothing") return;
    const thread = this.#ensureThread(ffmpeg);
    if (this.#captured !== undefined && subjectOf(this.#captured) !== subjectOf(target)) {
      // Without the pause, the last footage of the other source would still arrive.
      void thread.stopCapture();
      thread.send({ type: "forget" });
    }
    this.#captured = target;
    this.#capturedWish = this.#wish();
    thread.send({ type: "capture", config: this.#recentChoices.add(choice) });
  }

  #capturePendingChoice(): void {
    const choice = this.#pendingChoice;
    if (choice === undefined || this.#holds.size > 0 || this.#cuts.size > 0) return;
    this.#pendingChoice = undefined;
    if (this.#thread !== undefined && this.#isWanted) this.#capture(this.#thread.ffmpeg, choice);
  }

  /** Chooses again after a choice failed. */
  #retryChoice(isFirstImmediate: boolean): void {
    if (!this.#isWanted || this.#choosing !== undefined || this.#retries.isWaiting()) return;
    // A window that changed is no reason to doubt the choice.
    const ignoreSaved = this.#deps.target().kind !== "window";
    this.#retries.next(isFirstImmediate, () => void this.#chooseAndCapture({ ignoreSaved }));
  }

  /** A guess that never delivered is not tried again: the probe finds out what works here. */
  #handleFailedChoice(client: CaptureThread): void {
    const failed = this.#recentChoices.get(this.#status?.choiceId);
    if (this.#choosing !== undefined && failed !== undefined && isGuess(failed)) void client.stopCapture();
    this.#retryChoice(true);
  }

  /** Returns the thread for this ffmpeg, resized to the current settings. Starts one if there is none. */
  #ensureThread(ffmpeg: string): CaptureThread {
    const limits = bufferLimits(this.#deps.settings());
    if (this.#thread !== undefined && this.#thread.ffmpeg === ffmpeg) {
      if (limits.secondsMax !== this.#thread.limits.secondsMax) this.#thread.client.send({ type: "resize", limits });
      this.#thread.limits = limits;
      return this.#thread.client;
    }
    this.#closeThread();
    const { captureFile, log } = this.#deps;
    const client: CaptureThread = new CaptureThread(
      { ffmpeg, captureFile, bufferLimits: limits, timeouts: this.#timeouts },
      {
        onStatus: (status, hasChanged) => this.#setStatus(client, status, hasChanged),
        onRunEnded: (reason, restartInMs) => log("capture ended", runEndedMessage(reason, restartInMs)),
        onChoiceFailed: () => this.#handleFailedChoice(client),
        onDied: (reason) => this.#replaceDeadThread(client, reason),
      },
    );
    this.#thread = { client, ffmpeg, limits };
    client.send({ type: "sound", tracks: this.#deps.sound.tracks() });
    for (const [id, fromMs] of this.#holds) client.send({ type: "hold", id, fromMs });
    return client;
  }

  #setStatus(client: CaptureThread, status: CaptureThreadStatus, hasChanged: boolean): void {
    if (this.#thread?.client !== client) return;
    this.#status = status;
    if (status.phase === "recording") {
      this.#recordingSinceMs ??= Date.now();
      if (status.choiceId === this.#recentChoices.newestId()) this.#retries.succeed();
    }
    if (hasChanged) this.#deps.onChanged();
  }

  #replaceDeadThread(client: CaptureThread, reason: string): void {
    if (this.#thread?.client !== client) return;
    this.#addToEarlierCounts();
    this.#earlierCounts.restarts += 1;
    this.#thread = undefined;
    this.#threadDeaths += 1;
    this.#deps.log("capture thread died", reason);
    const delayMs = backoffMs(this.#threadDeaths, this.#timeouts);
    // A running ffmpeg ends when its pipe breaks. A suspended one must be killed.
    this.#threadClosed = killOrphans(this.#deps.captureFile).then(() => undefined);
    const tried = this.#recentChoices.get()?.tried ?? [];
    this.#refusal = { refused: message("capture.internal_error"), tried };
    if (this.#isWanted) this.#retries.after(delayMs, () => void this.#chooseAndCapture({ ignoreSaved: false }));
    this.#deps.onChanged();
  }

  #closeThread(): void {
    if (this.#thread === undefined) return;
    this.#addToEarlierCounts();
    this.#threadClosed = Promise.all([this.#threadClosed, this.#thread.client.close()]).then(() => undefined);
    this.#thread = undefined;
  }

  #closeUnusedThread(): void {
    if (!this.#isWanted && this.#holds.size === 0 && this.#cuts.size === 0) this.#closeThread();
  }

  #addToEarlierCounts(): void {
    this.#earlierCounts.restarts += this.#status?.restarts ?? 0;
    this.#earlierCounts.lostSeconds += this.#status?.lostSeconds ?? 0;
    this.#status = undefined;
  }
}
