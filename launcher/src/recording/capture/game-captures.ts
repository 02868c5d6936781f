// Captures several games at once with ffmpeg: each game with a window has a capture of its own, so that no clip shows another game.
// The first capture also records what is not a game: the screen, or a window that a person chose.

import type { Message, RecorderState, TestRecording } from "@kit/contract";
import { joinSentences, message, toMessage } from "@kit/contract/messages";
import { type ClipPlan, type Footage, NoFootage } from "../plans/plan.ts";
import type { CaptureBackend } from "./backend.ts";
import { isWindowOfGame, type RunningGame, TargetChooser, type TargetDeps } from "./target.ts";
import type { FfmpegBackend, FfmpegBackendDeps } from "./thread/ffmpeg-backend.ts";
import type { MonitorWatch } from "./window.ts";

/** Each capture costs an encoder and a buffer, and hardly anyone plays more games at once. */
const capturesMax = 2;
/** How many targets of a capture are remembered. A minimised window makes a new one. */
const shownMax = 100;

type GameBackend = CaptureBackend &
  Pick<FfmpegBackend, "killOrphans" | "search" | "missing" | "prepare" | "updateSound">;

export type GameCapturesDeps = Omit<TargetDeps, "onChanged" | "onGame" | "isRecording" | "mayRecordScreen"> & {
  /**
   * Creates the backend of the nth capture, beginning with 0. `game` returns the process of its game. `onWindowRefused` must be
   * called if the window that is the target cannot be captured.
   */
  readonly createBackend: (
    number: number,
    target: FfmpegBackendDeps["target"],
    game: () => number | undefined,
    onWindowRefused: (why: Message) => void,
  ) => GameBackend;
  readonly isProcessRunning: (pid: number) => boolean;
  /** The wall clock, which the times of plans are in. */
  readonly now: () => number;
  /** Notices that monitors were rearranged. Undefined where Kit cannot list them. */
  readonly watchMonitors?: ((watch: MonitorWatch) => { stop(): void }) | undefined;
  /** Called when the capture target has changed. */
  readonly onChanged: () => void;
};

type Capture = {
  readonly chooser: TargetChooser;
  readonly backend: GameBackend;
  /** The game that is captured, while it runs. */
  owner: { readonly game: string; readonly pid: number } | undefined;
  /** The games that the footage shows. One program may send events of several games. */
  games: Set<string>;
  /** The last targets, the newest last: since when, and whether it was the window of a game. */
  shown: readonly { readonly sinceMs: number; readonly isGame: boolean }[];
};

/** Whether the window of a game was captured at any time of the range. */
const showedGame = ({ shown }: Capture, { fromMs, toMs }: Pick<ClipPlan, "fromMs" | "toMs">): boolean =>
  shown.some(
    ({ sinceMs, isGame }, index) => isGame && sinceMs < toMs && (shown[index + 1]?.sinceMs ?? Infinity) > fromMs,
  );

export class GameCaptures implements GameBackend {
  readonly name = "ffmpeg";
  readonly #deps: GameCapturesDeps;
  readonly #captures: readonly Capture[];
  readonly #holds = new Set<string>();
  #isStarted = false;
  #monitors: { stop(): void } | undefined;

  constructor(deps: GameCapturesDeps) {
    this.#deps = deps;
    this.#captures = Array.from({ length: capturesMax }, (_, number) => this.#createCapture(number));
  }

  /** Notes that a game runs. Cheap, so it can be called with each event. An unknown process is undefined. */
  gameRuns(game: string, process: RunningGame | undefined): void {
    const capture = process === undefined ? this.#captureOf(game) : this.#assignCapture(game, process);
    if (capture === undefined) this.#first().chooser.unknownGameRuns();
    else if (process !== undefined) this.#capture(capture, game, process);
  }

  gameEnded(game: string): void {
    for (const capture of this.#captures) if (capture.owner?.game === game) this.#end(capture);
  }

  /** Must be called when the settings have changed. */
  applySettings(): void {
    const isByGame = this.#deps.settings().picture === "game";
    for (const capture of this.#captures) if (capture !== this.#first() && !isByGame) this.#end(capture);
    for (const { chooser } of this.#captures) chooser.applySettings();
    this.updateSound();
  }

  updateSound(): void {
    for (const { backend } of this.#captures) backend.updateSound();
  }

  /** Ends the search for windows. */
  close(): void {
    this.#stopWatch();
    for (const { chooser } of this.#captures) chooser.stop();
  }

  state(): RecorderState {
    const shown = this.#shown();
    const state = shown.backend.state();
    const others = this.#captures.filter((one) => one !== shown).map(({ backend }) => backend.state());
    const also = others.filter(({ state }) => state === "recording").map(({ detail }) => toMessage(detail));
    const sum = (of: "restarts" | "lostSeconds" | "heldBytes") =>
      others.reduce((total, other) => total + other[of], state[of]);
    return {
      ...state,
      detail: also.length === 0 ? state.detail : joinSentences(toMessage(state.detail), ...also),
      restarts: sum("restarts"),
      lostSeconds: sum("lostSeconds"),
      heldBytes: sum("heldBytes"),
    };
  }

  probeResults(): TestRecording["tried"] {
    return this.#shown().backend.probeResults();
  }

  async start(): Promise<void> {
    this.#isStarted = true;
    const ofScreens = () => this.#captures.filter(({ chooser }) => chooser.current().kind === "screen");
    this.#monitors ??= this.#deps.watchMonitors?.({
      isNeeded: () => ofScreens().length > 0,
      onChanged: () => ofScreens().forEach(({ backend }) => void backend.start()),
    });
    await Promise.all(this.#captures.map(({ backend }) => backend.start()));
  }

  async stop(): Promise<void> {
    this.#isStarted = false;
    this.#stopWatch();
    await Promise.all(this.#captures.map(({ backend }) => backend.stop()));
  }

  hold(id: string, fromMs: number): void {
    this.#holds.add(id);
    for (const { backend } of this.#captures) backend.hold(id, fromMs);
  }

  release(id: string): void {
    this.#holds.delete(id);
    for (const { backend } of this.#captures) backend.release(id);
  }

  async cut(plan: ClipPlan, file: string): Promise<Footage> {
    const { game } = plan;
    const own = game === null ? undefined : this.#captureOf(game);
    if (own !== undefined) return own.backend.cut(plan, file);
    const shown = this.#shown();
    if (game !== null && showedGame(shown, plan)) throw new NoFootage(message("capture.only_other_game"));
    return shown.backend.cut(plan, file);
  }

  async killOrphans(): Promise<void> {
    await Promise.all(this.#captures.map(({ backend }) => backend.killOrphans()));
  }

  search(): Promise<void> {
    return this.#first().backend.search();
  }

  missing(): Message | undefined {
    return this.#first().backend.missing();
  }

  prepare(signal: AbortSignal): Promise<void> {
    return this.#first().backend.prepare(signal);
  }

  #stopWatch(): void {
    this.#monitors?.stop();
    this.#monitors = undefined;
  }

  #first(): Capture {
    return this.#captures[0] as Capture;
  }

  /** Returns the capture to show to a person: one that records, or one of a running game. */
  #shown(): Capture {
    const recording = this.#captures.find(({ backend }) => backend.state().state === "recording");
    return recording ?? this.#captures.find(({ owner }) => owner !== undefined) ?? this.#first();
  }

  #createCapture(number: number): Capture {
    const backend = this.#deps.createBackend(
      number,
      () => chooser.current(),
      () => chooser.game(),
      (why) => chooser.refuseWindow(why),
    );
    const { settings } = this.#deps;
    const chooser: TargetChooser = new TargetChooser({
      ...this.#deps,
      // What a person chose to record is recorded by the first capture alone.
      settings: () => (number === 0 ? settings() : { ...settings(), picture: "game" }),
      isRecording: () => backend.state().state === "recording",
      mayRecordScreen: () => this.#mayRecordScreen(number),
      onGame: () => backend.updateSound(),
      onChanged: () => {
        const isGame = isWindowOfGame(chooser.current());
        capture.shown = [...capture.shown, { sinceMs: this.#deps.now(), isGame }].slice(-shownMax);
        if (this.#isStarted) void backend.start();
        this.#deps.onChanged();
      },
    });
    const capture: Capture = { chooser, backend, owner: undefined, games: new Set(), shown: [] };
    return capture;
  }

  /** True for one capture at a time: that of the only game, or the first one. */
  #mayRecordScreen(number: number): boolean {
    const hasOthers = this.#captures.some(({ owner }, i) => i !== number && owner !== undefined);
    return !hasOthers && (number === 0 || this.#captures[number]?.owner !== undefined);
  }

  #captureOf(game: string): Capture | undefined {
    const isOwner = ({ owner }: Capture) => owner?.game === game;
    return this.#captures.find(isOwner) ?? this.#captures.find(({ games }) => games.has(game));
  }

  /** Returns the capture for a running game; undefined if all are taken. */
  #assignCapture(game: string, { pid }: RunningGame): Capture | undefined {
    const sameProgram = this.#captures.find(({ owner }) => owner?.pid === pid);
    const own = sameProgram ?? this.#captures.find(({ owner }) => owner?.game === game);
    if (own !== undefined) return own;
    // Only games with a window can be told apart.
    if (this.#deps.follow === undefined || this.#deps.settings().picture !== "game") return this.#first();
    for (const capture of this.#captures)
      if (capture.owner && !this.#deps.isProcessRunning(capture.owner.pid)) this.#end(capture);
    const free = this.#captures.filter(({ owner }) => owner === undefined);
    // Reusing any other capture would discard footage that a clip may still need.
    const isUnneeded = ({ games }: Capture) => this.#holds.size === 0 || games.size === 0;
    return free.find(({ games }) => games.has(game)) ?? free.find(isUnneeded) ?? free[0];
  }

  #capture(capture: Capture, game: string, process: RunningGame): void {
    if (capture.owner?.pid === process.pid) {
      capture.games.add(game);
      return;
    }
    if (!capture.games.has(game)) capture.games = new Set([game]);
    const previous = capture.owner;
    capture.owner = { game, pid: process.pid };
    if (previous !== undefined && previous.game !== game) capture.chooser.gameEnded(previous.game);
    capture.chooser.gameRuns(game, process);
    this.#first().chooser.update();
  }

  #end(capture: Capture): void {
    const { owner } = capture;
    capture.owner = undefined;
    if (owner !== undefined) capture.chooser.gameEnded(owner.game);
    this.#first().chooser.update();
  }
}
