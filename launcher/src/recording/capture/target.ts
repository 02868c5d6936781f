// Decides what the capture shows: the window of the game that runs, a window by its title, the whole screen, or nothing for now.

import type { Message, RecorderSettings } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { CapturedWindow, FollowWindow, WindowWish } from "./window.ts";

/** `subject` names whose picture it is: footage of two subjects never meets in a clip. */
export type CaptureTarget =
  /** `why` says why it is not the window of the game; null if a person chose the screen. */
  | { readonly kind: "screen"; readonly why: Message | null }
  | { readonly kind: "title"; readonly title: string }
  | { readonly kind: "window"; readonly window: CapturedWindow; readonly subject: string }
  | { readonly kind: "nothing"; readonly why: Message };

/** Whose picture it is: only that of a window has an owner. */
export const subjectOf = (target: CaptureTarget) => (target.kind === "window" ? target.subject : null);

const ofGame = "game ";
/** True if the window was found as that of a game, not by a title that a person chose. */
export const isWindowOfGame = (target: CaptureTarget): boolean => subjectOf(target)?.startsWith(ofGame) === true;

export type ProcessesOf = (pid: number) => ReadonlySet<number>;

export type TargetDeps = {
  readonly settings: () => Pick<RecorderSettings, "when" | "picture" | "window">;
  /** Undefined where Kit cannot follow windows. */
  readonly follow: FollowWindow | undefined;
  /** Returns the process and all that it started. */
  readonly processesOf: ProcessesOf;
  /** Returns true while footage arrives. */
  readonly isRecording: () => boolean;
  /** Returns false while another capture records a game, which the screen would show. Call `update` when that changes. */
  readonly mayRecordScreen: () => boolean;
  readonly onChanged: () => void;
  /** Called when another game is the newest one. */
  readonly onGame: () => void;
  /** For tests. */
  readonly times?: Partial<TargetTimes>;
};

export type TargetTimes = {
  /** How long a game that just started may take to open its window, before the whole screen is recorded. */
  readonly openingMs: number;
  /** How long a screen that is recorded all the time is not recorded after a game with a window has ended. */
  readonly endedMs: number;
  readonly refollowMs: number;
};

const usualTimes: TargetTimes = { openingMs: 2_000, endedMs: 16_000, refollowMs: 1_000 };
/** After so many failures in a row, the whole screen is recorded. */
const failuresMax = 2;
const gamesMax = 20;

type Following = {
  readonly subject: string;
  readonly handle: { stop(): void };
  /** Null before the first search has ended. */
  window: CapturedWindow | undefined | null;
  hadWindow: boolean;
  /** True while the game may still open its first window. */
  isOpening: boolean;
};
type Wish = { readonly subject: string; readonly wish: WindowWish; readonly hasJustStarted: boolean };
/** `hasJustStarted` is true if the game may still have to open its window. */
export type RunningGame = { readonly pid: number; readonly hasJustStarted: boolean };

/** `parts` are the ids of the game's processes when they were last read; at first only `pid`. */
type KnownGame = RunningGame & { parts: ReadonlySet<number> };

export class TargetChooser {
  readonly #deps: TargetDeps;
  readonly #times: TargetTimes;
  /** Running games whose process is known; the newest is last. */
  readonly #games = new Map<string, KnownGame>();
  /** The window of the newest game. */
  #own: Following | undefined;
  /** The window that a person chose by its title. */
  #chosen: Following | undefined;
  /** The game to which the chosen window belongs, as far as that is known: the choice holds for no other. */
  #chosenGame: string | undefined;
  #failures = 0;
  #failure: Message | undefined;
  /** The last game was captured by its window and has ended: what follows is not the game. */
  #ended: "just" | "a while ago" | undefined;
  readonly #timers = new Set<NodeJS.Timeout>();
  #current: CaptureTarget = { kind: "screen", why: null };

  constructor(deps: TargetDeps) {
    this.#deps = deps;
    this.#times = { ...usualTimes, ...deps.times };
  }

  current(): CaptureTarget {
    return this.#current;
  }

  /** Returns the process of the newest running game; undefined if none is known. */
  game(): number | undefined {
    return [...this.#games.values()].at(-1)?.pid;
  }

  /** Notes that a game runs as this process. Cheap, so it can be called with each event. */
  gameRuns(game: string, process: RunningGame): void {
    const known = this.#games.get(game);
    if (known !== undefined && this.#isPartOf(known, process.pid)) return;
    this.#games.delete(game);
    this.#games.set(game, { ...process, parts: new Set([process.pid]) });
    const [oldest] = this.#games.keys();
    if (this.#games.size > gamesMax && oldest !== undefined) this.#games.delete(oldest);
    this.#ended = undefined;
    // What failed with the window of one game may work with the next.
    this.#failures = 0;
    this.#failure = undefined;
    this.update();
    this.#deps.onGame();
  }

  /** Notes that a game runs whose process is unknown, so that only the screen can show it. Cheap. */
  unknownGameRuns(): void {
    if (this.#ended === undefined) return;
    this.#ended = undefined;
    this.update();
  }

  /** Notes that the window cannot be captured. Until another game runs, the target is what it is without a window. */
  refuseWindow(why: Message): void {
    this.#failures = failuresMax;
    this.#failure = why;
    this.update();
  }

  /** A program that starts the game and the game that it started are one: footage of two subjects never meets in a clip. */
  #isPartOf(known: KnownGame, pid: number): boolean {
    if (!known.parts.has(pid)) known.parts = new Set([...this.#deps.processesOf(known.pid), known.pid]);
    return known.parts.has(pid);
  }

  gameEnded(game: string): void {
    if (!this.#games.delete(game)) return;
    if (this.#games.size === 0 && this.#own?.hadWindow) {
      this.#ended = "just";
      this.#after(this.#times.endedMs, () => {
        if (this.#ended === "just") this.#ended = "a while ago";
      });
    }
    this.update();
    this.#deps.onGame();
  }

  /** Must be called when the settings have changed. */
  applySettings(): void {
    this.#failures = 0;
    this.#failure = undefined;
    this.update();
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    for (const following of [this.#own, this.#chosen]) following?.handle.stop();
    this.#own = this.#chosen = undefined;
  }

  #after(ms: number, change: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      change();
      this.update();
    }, ms).unref();
    this.#timers.add(timer);
  }

  /** Chooses again. */
  update(): void {
    const chosen = this.#follow(this.#chosen, this.#chosenWish());
    if (chosen?.subject !== this.#chosen?.subject) this.#chosenGame = undefined;
    this.#chosen = chosen;
    this.#noteChosenGame();
    this.#own = this.#follow(this.#own, this.#ownWish());
    const next = this.#choose();
    if (JSON.stringify(next) === JSON.stringify(this.#current)) return;
    this.#current = next;
    this.#deps.onChanged();
  }

  #mayFollow(): boolean {
    const { when, picture } = this.#deps.settings();
    return when !== "never" && picture !== "screen" && this.#failures < failuresMax;
  }

  #chosenWish(): Wish | undefined {
    const { picture, window: title } = this.#deps.settings();
    if (picture !== "window" || title === null || !this.#mayFollow()) return undefined;
    return { subject: `window ${title}`, wish: { title }, hasJustStarted: false };
  }

  /** The window of the game, unless the one that a person chose is there for it. */
  #ownWish(): Wish | undefined {
    const newest = [...this.#games].at(-1);
    const isChosen = this.#chosen?.window === null || this.#chosenWindow() !== undefined;
    if (newest === undefined || isChosen || !this.#mayFollow()) return undefined;
    const [game, { pid, hasJustStarted }] = newest;
    const processes = () => this.#deps.processesOf(pid);
    return { subject: `${ofGame}${game} ${pid}`, wish: { processes }, hasJustStarted };
  }

  #noteChosenGame(): void {
    const pid = this.#chosen?.window?.pid;
    if (pid === undefined) return;
    const owner = [...this.#games].findLast(([, known]) => this.#isPartOf(known, pid));
    if (owner !== undefined) [this.#chosenGame] = owner;
  }

  /** Returns the window that a person chose, if it is open and not that of another game than the newest. */
  #chosenWindow(): CapturedWindow | undefined {
    const newest = [...this.#games.keys()].at(-1);
    const isOfAnother = newest !== undefined && this.#chosenGame !== undefined && this.#chosenGame !== newest;
    return isOfAnother ? undefined : (this.#chosen?.window ?? undefined);
  }

  /** Follows what is wanted instead of `now`, unless it is the same. */
  #follow(now: Following | undefined, wanted: Wish | undefined): Following | undefined {
    if (wanted?.subject === now?.subject) return now;
    now?.handle.stop();
    const { follow } = this.#deps;
    if (wanted === undefined || follow === undefined) return undefined;
    const { subject, wish, hasJustStarted } = wanted;
    const isCurrent = () => this.#own === following || this.#chosen === following;
    const handle = follow(wish, {
      onWindow: (window) => {
        if (!isCurrent()) return;
        following.window = window;
        following.hadWindow ||= window !== undefined;
        this.#failures = 0;
        this.#failure = undefined;
        this.update();
      },
      onLost: (why) => isCurrent() && this.#handleLost(following, why),
    });
    const following: Following = { subject, handle, window: null, hadWindow: false, isOpening: hasJustStarted };
    if (hasJustStarted) {
      this.#after(this.#times.openingMs, () => {
        following.isOpening = false;
      });
    }
    return following;
  }

  /** What covers the window could show from now on, so nothing is captured until the window is followed again. */
  #handleLost(lost: Following, why: Message): void {
    this.#failures += 1;
    this.#failure = why;
    this.#after(this.#times.refollowMs, () => {
      if (this.#own === lost) this.#own = undefined;
      if (this.#chosen === lost) this.#chosen = undefined;
    });
    lost.window = null;
    this.update();
  }

  #choose(): CaptureTarget {
    const { when, picture, window: title } = this.#deps.settings();
    if (picture === "screen") return { kind: "screen", why: null };
    if (picture === "window" && title !== null) return this.#chooseWindow() ?? { kind: "title", title };
    if (this.#own !== undefined) return this.#windowOf(this.#own) ?? this.#chooseWithoutWindow(this.#own);
    const goesOn = when === "always" && this.#ended !== "just";
    if (this.#ended !== undefined && !goesOn) return { kind: "nothing", why: message("window.game_ended") };
    if (!this.#deps.mayRecordScreen()) return { kind: "nothing", why: message("window.other_game") };
    return { kind: "screen", why: this.#failure ?? message("window.of_game_not_found") };
  }

  /** The window that a person chose, or without it that of the game. The screen shows more than a person wants who chose a window. */
  #chooseWindow(): CaptureTarget | undefined {
    const following = this.#chosenWindow() === undefined ? this.#own : this.#chosen;
    const shown = following && this.#windowOf(following);
    if (shown !== undefined) return shown;
    const isSearching = [this.#chosen, this.#own].some((one) => one?.window === null || one?.isOpening);
    return isSearching ? { kind: "nothing", why: message("window.searching") } : undefined;
  }

  #windowOf({ subject, window }: Following): CaptureTarget | undefined {
    if (window?.isShown) return { kind: "window", window, subject };
    if (!window) return undefined;
    return { kind: "nothing", why: message("window.minimised", { title: window.title.slice(0, 100) }) };
  }

  #chooseWithoutWindow({ window, hadWindow, isOpening }: Following): CaptureTarget {
    if (hadWindow) return { kind: "nothing", why: message("window.closed") };
    const isSearching = window === null || isOpening;
    // What a person records all the time goes on until there is something better.
    const goesOn = this.#current.kind === "screen" && this.#deps.isRecording();
    if (isSearching && !goesOn) return { kind: "nothing", why: message("window.searching") };
    if (!this.#deps.mayRecordScreen()) return { kind: "nothing", why: message("window.none_beside_game") };
    return { kind: "screen", why: this.#failure ?? message("window.of_game_not_found") };
  }
}
