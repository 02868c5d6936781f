// The recording slice: makes clips and receipts of triggers, error reports and requests for footage.

import { setTimeout as pause } from "node:timers/promises";
import {
  type Clip,
  type EventKind,
  KitError,
  MessageError,
  type MessageOrText,
  type ReceiptState,
} from "@kit/contract";
import { message, toMessage } from "@kit/contract/messages";
import type { Route } from "../http/route.ts";
import { log } from "../log.ts";
import type { Statement } from "../storage/sql.ts";
import { quietAfterMs } from "./capture/recorder.ts";
import type { RunningGame } from "./capture/target.ts";
import { createRecordingComponents, type RecordingComponents, type RecordingEnvironment } from "./components.ts";
import type { ClipParts } from "./exports/clip-parts.ts";
import type { FitMedia } from "./exports/media-fitter.ts";
import {
  createFootageRequests,
  type FootageRequest,
  type FootageRequests,
  type FootageStatus,
} from "./jobs/footage-requests.ts";
import { ClipJobs, cannotRecord } from "./jobs/jobs.ts";
import { createManualSaves, createTestRecording, type ManualSaves } from "./jobs/manual-saves.ts";
import type { Moment } from "./plans/plan.ts";
import {
  ClipPlanner,
  ErrorClipLimiter,
  type ErrorReport,
  type JournalEvent,
  type PlannedWrite,
} from "./plans/planner.ts";
import { createRulePreview } from "./plans/rule-preview.ts";
import { createPastTriggerStore } from "./plans/rule-store.ts";
import type { RecordingRules } from "./plans/rules.ts";
import { ClipSchedule } from "./plans/schedule.ts";
import { recordingRoutes } from "./routes.ts";

/** Maximum time for which the timer is set, because Node's timers end at 24 days. If nothing is due then, it is set again. */
const timerMaxMs = 3_600_000;

/**
 * Returns when the launcher started, by the wall clock as it is set now. Many computers set their clock back soon after they
 * start. Without this correction, every moment after that would seem older than the launcher.
 */
export function createStartTimeReader(
  now: () => number,
  monotonic: () => number = () => performance.now(),
): () => number {
  const startedMs = now();
  const startedMonotonicMs = monotonic();
  return () => Math.min(startedMs, Math.floor(now() - (monotonic() - startedMonotonicMs)));
}

export type RecordingDeps = RecordingEnvironment & {
  /** Returns the statement that appends a state to the receipts of events. */
  readonly stateReached: (
    events: readonly { readonly seq: number }[],
    state: ReceiptState,
    by: string,
    atMs: number,
    reason: MessageOrText | null,
  ) => Statement;
  readonly gameOf: (kind: EventKind, eventId: string | null) => string | null;
  /** Returns the label of an event, used as a title and as a chapter name. */
  readonly labelOf: (eventId: string, game: string | null) => string;
  /** Returns false while recording is switched off for this game or for all. */
  readonly isOn: (game: string | null) => boolean;
  /** Called after receipts were written. */
  readonly onReceipts: () => void;
};

const retryRecoveryMs = 2_000;
const waitForRecoveryMs = 2_000;
const stopWithinMs = 2_500;
const upkeepEveryMs = 3_600_000;
const runningMax = 100;

/** Its functions are arrow properties, because the wiring passes them to other slices one by one. */
export class Recording {
  readonly kind = "recording";
  readonly rules: RecordingRules;
  readonly routes: readonly Route[];
  /** Makes a copy of a clip or screenshot that fits the limits of a network. */
  readonly fit: FitMedia;
  /** Cuts parts and pictures of clips for posts. */
  readonly parts: ClipParts;

  readonly #deps: RecordingDeps;
  readonly #startedAtMs: () => number;
  readonly #schedule = new ClipSchedule();
  readonly #errorClips: ErrorClipLimiter;
  readonly #components: RecordingComponents;
  readonly #jobs: ClipJobs;
  readonly #planner: ClipPlanner;
  readonly #footage: FootageRequests;
  readonly #saves: ManualSaves;
  #dueTimer: NodeJS.Timeout | undefined;
  #upkeepTimer: NodeJS.Timeout | undefined;
  /** Resolves when the clips of the previous run are recovered; undefined before `load`. */
  #recovered: Promise<boolean> | undefined;
  #isStopped = false;
  #isOnForAll: boolean;
  /** When each running game was seen last. */
  readonly #running = new Map<string, number>();
  /** The game that was seen last. */
  #game: string | undefined;
  /** When that game was seen last, and whether it has ended then. */
  #gameSeen = { atMs: 0, hasEnded: false };

  constructor(deps: RecordingDeps) {
    const { now } = deps;
    this.#deps = deps;
    this.#startedAtMs = createStartTimeReader(now);
    this.#errorClips = new ErrorClipLimiter(now, () => this.rules.maxPreSeconds() * 1_000);
    this.#isOnForAll = deps.isOn(null);
    const components = createRecordingComponents({
      ...deps,
      stageById: (id: string) => this.#jobs.stageById(id),
      isGrowing: (id: string) => this.#jobs.planById(id) !== undefined,
      onRecorderChanged: () => this.#handleRecorderChange(),
      isOnForAll: () => deps.isOn(null),
      onHotkey: (name) => {
        const made = name === "save" ? this.saveLast() : this.mark();
        made.catch((error) => log.operationFailed("hotkey", error));
      },
    });
    const shared = { ...components, startedAtMs: this.#startedAtMs, receiptStatements: this.#receiptStatements };
    this.#components = components;
    this.#jobs = new ClipJobs({
      ...shared,
      schedule: this.#schedule,
      find: components.store.find,
      onSaved: ({ title, titleMessage, game, moments }) => {
        // Errors have alerts of their own.
        if (moments.length === 0 || moments.some(({ kind }) => kind !== "monitor"))
          components.notices.saved(titleMessage ?? title, game);
      },
      onChanged: this.#notifyChange,
      onFailure: log.operationFailed,
    });
    this.#planner = new ClipPlanner({ ...deps, ...shared, schedule: this.#schedule, jobs: this.#jobs });
    this.#footage = createFootageRequests({
      ...deps,
      ...shared,
      planner: this.#planner,
      jobs: this.#jobs,
      write: this.#write,
    });
    this.#saves = createManualSaves({
      ...components,
      now,
      jobs: this.#jobs,
      bufferSeconds: () => components.settings.current().bufferSeconds,
      gameSince: this.#gameSince,
      isOn: deps.isOn,
      onChanged: this.#notifyChange,
    });
    this.rules = components.rules;
    this.fit = components.fitter.fit;
    this.parts = components.parts;
    const gameOf = (eventId: string) => deps.gameOf("recording", eventId);
    const preview = createRulePreview({ rules: this.rules, past: createPastTriggerStore(deps.storage), gameOf });
    const testClip = createTestRecording({ ...components, now, onChanged: this.#notifyChange });
    const { saveLast, mark, expectGame } = this;
    this.routes = recordingRoutes({ ...components, preview, testClip, saveLast, mark, expectGame });
  }

  /** Loads rules and settings. Then recovers the clips of the previous run in the background, and starts the recorder. */
  readonly load = async (): Promise<void> => {
    await this.#components.load();
    this.#recovered ??= this.#recover();
    this.#upkeepTimer ??= setInterval(this.#runUpkeep, upkeepEveryMs).unref();
  };

  /** Plans the triggers of games. The dispatcher writes the result with its cursor. Planning an event again changes nothing. */
  readonly receive = async (events: readonly JournalEvent[]): Promise<PlannedWrite> => {
    // Waits for recovery, which could otherwise mistake a partial file of this run for one of the previous run.
    const isReady = await Promise.race([this.#recovered, pause(waitForRecoveryMs, false, { ref: false })]);
    if (isReady !== true) throw new MessageError(message("clip.still_recovering"));
    // Other events were told by `gameSeen`, unless they are of a game that has ended.
    const isOfUnknownGame = ({ event }: JournalEvent) =>
      event.game === null && Date.parse(event.actsOn) > this.#startedAtMs();
    if (events.some(isOfUnknownGame)) this.#components.recorder.markGameActive();
    const { statements, committed } = this.#planner.planEvents(events);
    this.#setDueTimer();
    return {
      statements,
      committed: () => {
        committed();
        this.#deps.onChanged("clips");
      },
    };
  };

  /** Must be called when a game has started or sent an event: starts the recorder. Cheap. An unknown process is undefined. */
  readonly gameSeen = (game: string, process: RunningGame | undefined): void => {
    if (!this.#deps.isOn(game)) return;
    this.#game = game;
    this.gameRuns(game, process);
  };

  /** Must be called from time to time while a game runs. Cheap. The game that was seen last stays the current one until it ends. */
  readonly gameRuns = (game: string, process: RunningGame | undefined): void => {
    if (!this.#deps.isOn(game)) return;
    if (this.#game === undefined || this.#gameSeen.hasEnded) this.#game = game;
    const nowMs = this.#deps.now();
    if (game === this.#game) this.#gameSeen = { atMs: nowMs, hasEnded: false };
    this.#running.delete(game);
    const [oldest] = this.#running.set(game, nowMs).keys();
    if (this.#running.size > runningMax && oldest !== undefined) this.#running.delete(oldest);
    this.#components.captures.gameRuns(game, process);
    this.#components.recorder.markGameActive();
  };

  /** Must be called while somebody waits for the first event of a game, so that its moment has footage. */
  readonly expectGame = async (): Promise<void> => {
    if (this.#deps.isOn(null)) this.#components.recorder.expectGame();
  };

  readonly gameEnded = (game: string): void => {
    this.#components.captures.gameEnded(game);
    const nowMs = this.#deps.now();
    if (game === this.#game) this.#gameSeen = { atMs: nowMs, hasEnded: true };
    this.#running.delete(game);
    // Another game is still played, and its capture goes on.
    const goesOn = [...this.#running.values()].some((atMs) => atMs > nowMs - quietAfterMs);
    if (!goesOn) this.#components.recorder.markGameEnded();
  };

  /** Saves the last seconds as a clip without an event. Resolves when it is saved or has failed. */
  readonly saveLast = async (seconds?: number): Promise<Clip> => {
    await this.#assertRecovered();
    const clip = await this.#saves.save(seconds);
    if (clip.state !== "saved" && clip.reason !== undefined) this.#components.notices.notSaved(clip.reason);
    return clip;
  };

  /** Sets a marker at this moment, without an event. */
  readonly mark = async (): Promise<Clip> => {
    await this.#assertRecovered();
    const marker = await this.#saves.mark();
    this.#components.notices.marked(marker.titleMessage ?? marker.title);
    return marker;
  };

  /** Must be called when a switch has changed: stops the capture of what is now off. Cheap. */
  readonly applySwitches = (): void => {
    if (this.#deps.isOn(null) !== this.#isOnForAll) {
      this.#isOnForAll = !this.#isOnForAll;
      this.#components.recorder.applySettings();
    }
    for (const game of [...this.#running.keys()]) if (!this.#deps.isOn(game)) this.gameEnded(game);
    if (this.#game !== undefined && !this.#deps.isOn(this.#game)) this.#game = undefined;
  };

  /** Requests a clip for an error report. Cheap. */
  readonly requestClip = (report: ErrorReport): void =>
    void this.#planErrorClip(report).catch((error) => log.operationFailed("clip", error));

  /** Requests the footage of an event. Resolves when a clip is planned durably, or known to be impossible. May be repeated, even after a restart. */
  readonly requestFootage = (request: FootageRequest): Promise<void> => this.#footage.requestFootage(request);

  /** Returns the status of requested footage. Ask again when clips have changed. */
  readonly footageOf = (event: string): Promise<FootageStatus> => this.#footage.statusOf(event);

  /** Returns the footage of a clip, for a post that a person makes from it. */
  readonly footageOfClip = (clip: string): Promise<FootageStatus> => this.#footage.statusOfClip(clip);

  /** Throws KitError if there is no such clip. */
  readonly clipOf = (id: string): Promise<Clip> => this.#components.library.get(id);

  /** Returns undefined if the clip has no poster. */
  readonly posterPath = async (clip: string): Promise<string | undefined> =>
    (await this.#components.library.mediaFile(clip, "poster"))?.path;

  /** Marks a clip as shared, so that cleanup deletes it later than others. */
  readonly markShared = (clip: string): Promise<void> => this.#components.library.markShared(clip);

  /** Cuts what can be cut within seconds, leaves the rest to the next start, and ends all processes of ffmpeg. */
  readonly stop = async (): Promise<void> => {
    this.#isStopped = true;
    this.#footage.rejectWaiting();
    clearInterval(this.#upkeepTimer);
    clearTimeout(this.#dueTimer);
    await Promise.all([this.#jobs.stop(this.#deps.now(), stopWithinMs), this.#components.fitter.stop()]);
    await this.#components.stop();
  };

  readonly #receiptStatements = (
    moments: readonly Moment[],
    state: ReceiptState,
    reason: MessageOrText | null,
  ): Statement[] => {
    // The receipts of error reports belong to the monitor, those of social triggers to social.
    const own = moments.filter(({ kind }) => kind === "recording");
    return own.length === 0 ? [] : [this.#deps.stateReached(own, state, "recording", this.#deps.now(), reason)];
  };

  /** Returns the game that ran then or later; null if none did. A game that ends unseen counts for as long as it is recorded. */
  readonly #gameSince = (atMs: number): string | null => {
    const { atMs: seenMs, hasEnded } = this.#gameSeen;
    return seenMs >= (hasEnded ? atMs : this.#deps.now() - quietAfterMs) ? (this.#game ?? null) : null;
  };

  /** Recovery could mistake a partial file of this run for one of the previous run. */
  async #assertRecovered(): Promise<void> {
    const isReady = await Promise.race([this.#recovered, pause(waitForRecoveryMs, false, { ref: false })]);
    if (isReady !== true) throw new KitError("storage_unavailable", message("clip.still_recovering"));
  }

  readonly #notifyChange = (): void => {
    this.#deps.onChanged("clips");
    this.#deps.onReceipts();
  };

  #setDueTimer(): void {
    const nowMs = this.#deps.now();
    const dueMs = this.#schedule.nextDueMs(nowMs);
    clearTimeout(this.#dueTimer);
    if (dueMs === undefined) return;
    const waitMs = Math.min(timerMaxMs, Math.max(0, dueMs - nowMs));
    this.#dueTimer = setTimeout(() => this.#handleDuePlans(), waitMs);
  }

  #handleDuePlans(): void {
    const { cut, closed } = this.#schedule.takeDue(this.#deps.now());
    for (const { id } of cut) this.#jobs.startCut(id);
    for (const { id } of closed) this.#jobs.closeJob(id);
    this.#setDueTimer();
  }

  #handleRecorderChange(): void {
    this.#deps.onChanged("recorder");
    const state = this.#components.recorder.state();
    if (!cannotRecord(state)) return;
    for (const { id } of this.#schedule.openPlans()) this.#jobs.turnIntoMarker(id, toMessage(state.detail));
  }

  readonly #write = async ({ statements, committed }: PlannedWrite): Promise<void> => {
    this.#setDueTimer();
    await this.#components.write(...statements);
    committed();
    this.#notifyChange();
  };

  async #planErrorClip(report: ErrorReport): Promise<void> {
    // Recovery comes first, so that it cannot take a new clip for one of the previous run.
    if ((await this.#recovered) !== true) return;
    if (!this.#deps.isOn(report.game) || report.atMs <= this.#startedAtMs()) return;
    const { recorder } = this.#components;
    // The report of a run that has ended starts and prolongs no capture.
    if (report.game !== null && this.#running.has(report.game)) recorder.markGameActive();
    const state = recorder.state();
    if (cannotRecord(state) || state.state === "idle") return;
    const request = this.#errorClips.requestFor(report);
    if (request !== undefined) await this.#write(this.#planner.planMoment(request));
  }

  async #recover(): Promise<true> {
    for (;;) {
      try {
        await this.#components.recover(this.#receiptStatements);
        this.#footage.releaseWaiting();
        this.#notifyChange();
        if (!this.#isStopped) void this.#components.recorder.start();
        void this.#runUpkeep();
        return true;
      } catch (error) {
        log.operationFailed("clips of an earlier run", error);
        await pause(retryRecoveryMs, undefined, { ref: false });
      }
    }
  }

  /** Looks at the files first: an interrupted move is finished before anything is deleted. */
  readonly #runUpkeep = (): Promise<unknown> => {
    const { library } = this.#components;
    return library
      .checkFiles()
      .then(library.enforceLimits)
      .catch((error) => log.operationFailed("clips", error));
  };
}
