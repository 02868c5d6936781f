// The recording slice: triggers in, receipts out, and the life of every clip between them.
import { setTimeout as pause } from "node:timers/promises";
import type { EventKind, ReceiptState } from "@kit/contract";
import type { Route } from "../http/route.ts";
import { log } from "../log.ts";
import type { Statement } from "../storage/sql.ts";
import { createClipJobs, nobodyRecords } from "./clip-jobs/clip-jobs.ts";
import { createTestClip } from "./clip-jobs/test-clip.ts";
import { createClipPlanner, type Entry, type Taken } from "./clip-planner.ts";
import { createParts, type PartsNeeds } from "./components.ts";
import type { Fit } from "./fit/fit.ts";
import { createFootage, type Footage, type WantedFootage } from "./footage.ts";
import { createPastStore } from "./moments/past-store.ts";
import { createPreview } from "./moments/preview.ts";
import type { Rules } from "./moments/rules.ts";
import { createWindows, type MomentRule } from "./moments/windows.ts";
import type { Moment } from "./plan.ts";
import { recordingRoutes } from "./routes.ts";
import { labelOfError } from "./said.ts";

/** What the monitor knows of a report. */
export type ErrorReport = {
  /** The event's own id. */
  readonly event: string;
  readonly seq: number;
  readonly game: string | null;
  readonly message: string;
  readonly atMs: number;
};

type ErrorClips = {
  /** What to record for it; undefined when nothing is. The same event is asked for twice after a failed write: it counts once. */
  wishFor(report: ErrorReport): { moment: Moment; game: string | null; rule: MomentRule } | undefined;
};

const rule: MomentRule = {
  action: "clip",
  preMs: 20_000,
  postMs: 3_000,
  mergeGapMs: 8_000,
  longestMs: 120_000,
  cooldownMs: 0,
  priority: 500,
};
const anHourMs = 3_600_000;
const hourlyMax = 20;

/** Which error reports get a clip: those the monitor asks for, and not many an hour. */
export function createErrorClips(now: () => number): ErrorClips {
  /** Events of the last hour that got one, and when they were asked for. */
  let granted: ReadonlyMap<string, number> = new Map();
  return {
    wishFor({ event, seq, game, message, atMs }) {
      granted = new Map([...granted].filter(([, askedMs]) => now() - askedMs < anHourMs));
      if (!granted.has(event) && granted.size >= hourlyMax) return undefined;
      granted = new Map([...granted, [event, granted.get(event) ?? now()]]);
      return { moment: { event, seq, kind: "monitor", eventId: null, label: labelOfError(message), atMs }, game, rule };
    },
  };
}

/** Longer than that a timer of Node cannot wait; it is then set anew. */
const longestMs = 3_600_000;

type DueTimer = {
  /** Undefined: not at all. */
  set(dueMs: number | undefined): void;
};

/** Calls something at a time that may be set anew at any time. */
function createDueTimer(now: () => number, onDue: () => void): DueTimer {
  let timer: NodeJS.Timeout | undefined;
  return {
    set(dueMs) {
      clearTimeout(timer);
      timer = dueMs === undefined ? undefined : setTimeout(onDue, Math.min(longestMs, Math.max(0, dueMs - now())));
    },
  };
}

// When the launcher began, by the wall clock as it is now: what was over before has no footage.

/**
 * Many a machine sets its clock back by hours soon after it started: without this every moment would be older than the
 * launcher until the clock has caught up.
 */
export function createStartedAt(now: () => number, monotonic: () => number = () => performance.now()): () => number {
  const atMs = now();
  const beganMs = monotonic();
  return () => Math.min(atMs, Math.floor(now() - (monotonic() - beganMs)));
}

export type RecordingNeeds = PartsNeeds & {
  /** States for the receipts of events. */
  readonly stateReached: (
    events: readonly { readonly seq: number }[],
    state: ReceiptState,
    by: string,
    atMs: number,
    reason: string | null,
  ) => Statement;
  readonly gameOf: (kind: EventKind, eventId: string | null) => string | null;
  /** An event in words: a title, a chapter's name. */
  readonly wordsOf: (eventId: string, game: string | null) => string;
  /** False while recording is switched off, for all games or for that one. */
  readonly isOn: (game: string | null) => boolean;
  /** Receipts were written. */
  readonly onReceipts: () => void;
};

export type Recording = {
  readonly kind: "recording";
  /** Reads rules and settings; finishes what an earlier run left; begins to record as it is set. */
  load(): Promise<void>;
  /** Idempotent by event id: what it returns is committed together with its place in the journal. */
  receive(entries: readonly Entry[]): Promise<Taken>;
  /** A game runs or sent something. Cheap to call for every event. */
  gameSeen(game: string): void;
  gameEnded(): void;
  /** A switch may be another now: what was switched off is no longer captured. Cheap to call. */
  switched(): void;
  /** An error report came: it gets a clip when it is the first of its kind. Cheap to call for every report. */
  requestClip(report: ErrorReport): void;
  /**
   * A trigger of another service wants the footage of its moment: it joins the clips as a recording trigger does. Resolves when it is
   * promised durably, or known that there will be none. Idempotent by event id, across restarts too.
   */
  requestFootage(wanted: WantedFootage): Promise<void>;
  /** What became of that. Asked anew when clips changed. */
  footageOf(event: string): Promise<Footage>;
  /** The file of a clip's picture; undefined where there is none. */
  posterOf(clip: string): Promise<string | undefined>;
  /** Somebody was shown that clip: it is among the last that go. */
  shared(clip: string): Promise<void>;
  /** A copy of a clip or a screenshot that keeps to the limits of where it is posted; itself where it does already. */
  readonly fit: Fit["fit"];
  /** What each event id makes of the screen. */
  readonly rules: Rules;
  readonly routes: readonly Route[];
  /** Cuts what can be cut within seconds, leaves the rest to the next start, and ends every process. */
  stop(): Promise<void>;
};

const recoverAgainMs = 2_000;
const waitForRecoveryMs = 2_000;
const stopWithinMs = 2_500;
const tidyEveryMs = 3_600_000;

export function createRecording(needs: RecordingNeeds): Recording {
  const { now, onReceipts } = needs;
  const startedAtMs = createStartedAt(now);
  const windows = createWindows();
  const errorClips = createErrorClips(now);
  const reached = (moments: readonly Moment[], state: ReceiptState, reason: string | null): Statement[] => {
    // The receipts of error reports are the monitor's.
    const own = moments.filter(({ kind }) => kind === "recording");
    return own.length === 0 ? [] : [needs.stateReached(own, state, "recording", now(), reason)];
  };
  const onChanged = () => {
    needs.onChanged("clips");
    onReceipts();
  };
  const parts = createParts({
    ...needs,
    stageOf: (id: string) => making.stageOf(id),
    isGrowing: (id: string) => making.planOf(id) !== undefined,
    onRecorderChanged: () => giveUpWhatCannotBe(),
    isOnAtAll: () => needs.isOn(null),
  });
  const { recorder, rules, library, write } = parts;
  const making = createClipJobs({
    ...parts,
    windows,
    find: parts.store.find,
    reached,
    onChanged,
    onFailure: log.notKept,
  });
  const intake = createClipPlanner({ ...needs, rules, windows, making, recorder, reached, startedAtMs });
  const footage = createFootage({ ...parts, ...needs, intake, making, startedAtMs, keep: (taken) => keep(taken) });
  const gameOf = (eventId: string) => needs.gameOf("recording", eventId);
  const preview = createPreview({ rules, past: createPastStore(needs.storage), gameOf });

  const timer = createDueTimer(now, () => {
    const { cut, closed } = windows.due(now());
    for (const { id } of cut) making.cut(id);
    for (const { id } of closed) making.close(id);
    timer.set(windows.nextDueMs(now()));
  });
  const giveUpWhatCannotBe = () => {
    needs.onChanged("recorder");
    const state = recorder.state();
    if (!nobodyRecords(state)) return;
    for (const { id } of windows.open()) making.giveUp(id, state.detail);
  };
  let recovered: Promise<boolean> | undefined;

  let tidying: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isOnAtAll = needs.isOn(null);
  let gameNow: string | undefined;
  const recover = async (): Promise<true> => {
    for (;;) {
      try {
        await parts.recover(reached);
        footage.ready();
        onChanged();
        if (!isStopped) void recorder.start();
        void tidy();
        return true;
      } catch (error) {
        log.notKept("clips of an earlier run", error);
        await pause(recoverAgainMs, undefined, { ref: false });
      }
    }
  };
  const keep = async ({ statements, committed }: Taken) => {
    timer.set(windows.nextDueMs(now()));
    await write(...statements);
    committed();
    onChanged();
  };
  const request = async (report: ErrorReport) => {
    // What an earlier run left is told apart from what is promised now by this alone.
    if ((await recovered) !== true) return;
    if (!needs.isOn(report.game) || report.atMs <= startedAtMs()) return;
    // A report names no game, so it starts no recording: that game's may be switched off.
    if (report.game !== null) recorder.gameActive();
    const state = recorder.state();
    const wish = nobodyRecords(state) || state.state === "idle" ? undefined : errorClips.wishFor(report);
    if (wish === undefined) return;
    await keep(intake.take(wish));
  };
  /** Files first: what lies elsewhere than its row says is put back before anything goes. */
  const tidy = () =>
    library
      .look()
      .then(library.tidy)
      .catch((error) => log.notKept("clips", error));

  return {
    kind: "recording",
    async load() {
      await parts.load();
      recovered ??= recover();
      tidying ??= setInterval(tidy, tidyEveryMs).unref();
    },
    async receive(entries) {
      // A part that an earlier run left must not be taken for one of this run.
      const isReady = await Promise.race([recovered, pause(waitForRecoveryMs, false, { ref: false })]);
      if (isReady !== true) throw new Error("the clips of an earlier run are still being looked at");
      for (const { event } of entries) if (Date.parse(event.actsOn) > startedAtMs()) recorder.gameActive();
      const { statements, committed } = intake.takeEntries(entries);
      timer.set(windows.nextDueMs(now()));
      return {
        statements,
        committed() {
          committed();
          needs.onChanged("clips");
        },
      };
    },
    gameSeen(game) {
      if (!needs.isOn(game)) return;
      gameNow = game;
      recorder.gameActive();
    },
    gameEnded: recorder.gameEnded,
    switched() {
      if (needs.isOn(null) !== isOnAtAll) {
        isOnAtAll = !isOnAtAll;
        recorder.settingsChanged();
      }
      if (gameNow === undefined || needs.isOn(gameNow)) return;
      gameNow = undefined;
      recorder.gameEnded();
    },
    requestClip: (report) => void request(report).catch((error) => log.notKept("clip", error)),
    requestFootage: footage.request,
    footageOf: footage.of,
    shared: library.shared,
    fit: parts.fit.fit,
    posterOf: async (clip) => (await library.media(clip, "poster"))?.path,
    rules,
    routes: recordingRoutes({ ...parts, preview, testClip: createTestClip({ ...parts, now, onChanged }) }),
    async stop() {
      isStopped = true;
      footage.stop();
      clearInterval(tidying);
      timer.set(undefined);
      await Promise.all([making.stop(now(), stopWithinMs), parts.fit.stop()]);
      await parts.stop();
    },
  };
}
