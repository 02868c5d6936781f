// Keeps a capture running: replaces a run that went wrong, hands over to one with less or more, and counts what that cost.

import { type Clock, type Delivered, type LiveRun, type Run, type RunEvents, startLiveRun } from "./live-run.ts";
import type { Level, Offer, ThreadStatus } from "./messages.ts";
import { createQualityRecovery } from "./quality-recovery.ts";
import { backOffMs, type Patience } from "./watchdogs.ts";

/** What the supervision of a capture needs, and what it gives. */
type SupervisorNeeds<F extends Delivered> = {
  readonly startRun: (level: Level, events: RunEvents<F>) => Run;
  readonly clock: Clock;
  readonly patience: Patience;
  /** How busy the machine is: programs that want a core, for each core. */
  readonly load: () => number;
  /** Whether a clip is under way: what may cost footage has to wait. */
  readonly isHeld: () => boolean;
  /** Footage that is to be kept: of one run after the other, the later one's reaching back over the end of the one before. */
  readonly onFragment: (fragment: F) => void;
  readonly onChanged: () => void;
  /** A run ended: why, and after how long the next one begins; null where another had taken its place. */
  readonly onRunEnded: (why: string, againInMs: number | null) => void;
  /** The command delivers nothing: it may be time to choose another. */
  readonly onStale: () => void;
};

type Supervisor = {
  /** Captures as offered. What runs goes on until its successor delivers; where that delivers nothing, for good. */
  capture(offer: Offer): void;
  /** Resolves when no process is left. */
  rest(): Promise<void>;
  /** The game sent an event: a picture that stands still meanwhile is suspicious. */
  eventArrived(): void;
  /** Nothing is held and no cut waits: what would cost footage may be done now. */
  nothingHeld(): void;
  status(): Omit<ThreadStatus, "heldSeconds" | "heldBytes">;
};

type Loss = {
  /** Pictures were kept, at that time of the clock that nobody sets. */
  kept(footage: Pick<Delivered, "startMs" | "endMs">, monoMs: number): void;
  /** Whether there is footage up to that epoch time. */
  reaches(ms: number): boolean;
  /** The capture is over: what follows is no loss. */
  over(): void;
  seconds(isRecording: boolean): number;
};

/** How much time has no footage: between one run of the capture and the next. */
function createLoss(now: () => number): Loss {
  let lostMs = 0;
  /** Where the footage ends, on both clocks. */
  let last: { readonly endMs: number; readonly monoMs: number } | undefined;
  return {
    kept({ startMs, endMs }, monoMs) {
      // The clock may have been set in between: no more was lost than time went by.
      if (last !== undefined) lostMs += Math.max(0, Math.min(startMs - last.endMs, monoMs - last.monoMs));
      last = { endMs, monoMs };
    },
    reaches: (ms) => last !== undefined && last.endMs >= ms,
    over() {
      last = undefined;
    },
    seconds: (isRecording) => (lostMs + (isRecording || last === undefined ? 0 : now() - last.monoMs)) / 1_000,
  };
}

type Stage<F> = {
  offer: Offer;
  /** Why it was begun in place of another. */
  readonly reason: string;
  readonly live: LiveRun;
  /** Of a successor: what it delivered until it took over. */
  readonly waiting: F[];
};

/** A machine this busy has nothing to give back. */
const loadMax = 0.8;
const frameShareMin = 0.98;
/** After about a second of a successor's footage nobody waits for the old run to catch up. */
const waitingMsMax = 900;
/** After a successor that delivered nothing. */
const againAfterMs = 15_000;
const othersNow = "the settings are others now";

const argsOf = ({ levels }: Offer) => JSON.stringify(levels.map(({ args }) => args));
const nothingOffered: Offer = { levels: [], level: 0, choice: 0 };

export function createSupervisor<F extends Delivered>(needs: SupervisorNeeds<F>): Supervisor {
  const { clock, patience } = needs;
  const loss = createLoss(clock.monoMs);
  let climb = createQualityRecovery(patience, clock.monoMs);
  let wanted: Offer = nothingOffered;
  let isWanted = false;
  let current: Stage<F> | undefined;
  let successor: Stage<F> | undefined;
  /** Every run whose process is not gone yet. */
  const alive = new Set<Stage<F>>();
  let cancelAgain: () => void = () => undefined;
  let cancelPatience: () => void = () => undefined;
  /** No other level is tried before. */
  let notBeforeMs = 0;
  let rested: PromiseWithResolvers<void> | undefined;
  let phase: ThreadStatus["phase"] = "idle";
  let why: string | null = null;
  let failures = 0;
  let restarts = 0;
  let suspicious = false;
  let hasRenewedStill = false;

  const change = (to: ThreadStatus["phase"], reason: string | null) => {
    const isOther = phase !== to || why !== reason;
    phase = to;
    why = reason;
    if (isOther) needs.onChanged();
  };
  const enter = (offer: Offer, order: Level, reason: string): Stage<F> => {
    const stage: Stage<F> = {
      offer,
      reason,
      waiting: [],
      live: startLiveRun<F>(
        { ...needs, order },
        {
          onFragment: (fragment, monoMs) => delivered(stage, fragment, monoMs),
          onOverload: (because) => (stage === current ? another(1, because) : undefined),
          onEnd: (because, planned) => ended(stage, because, planned),
        },
      ),
    };
    alive.add(stage);
    return stage;
  };
  const begin = () => {
    const order = wanted.levels[wanted.level];
    if (order === undefined) return;
    cancelAgain();
    if (phase !== "broken") change("starting", why);
    current = enter(wanted, order, "");
  };
  /** Begins beside the run under way; whose footage counts is decided when it delivers. */
  const succeed = (offer: Offer, reason: string) => {
    const order = offer.levels[offer.level];
    if (order === undefined) return;
    dismiss("another one is wanted now");
    const stage = enter(offer, order, reason);
    successor = stage;
    cancelPatience = clock.after(patience.successorMs, () => {
      if (stage === successor) stage.live.end(`no footage came for ${patience.successorMs / 1_000} s`);
    });
  };
  const dismiss = (reason: string) => {
    const before = successor;
    successor = undefined;
    cancelPatience();
    before?.live.end(reason, true);
  };
  const another = (down: 1 | -1, reason: string) => {
    if (current === undefined || successor !== undefined || clock.monoMs() < notBeforeMs) return;
    const offer = { ...current.offer, level: current.offer.level + down };
    succeed(offer, reason);
  };
  const delivered = (stage: Stage<F>, fragment: F, monoMs: number) => {
    if (stage === successor) stage.waiting.push(fragment);
    if (stage === current) {
      needs.onFragment(fragment);
      if (fragment.frames === 0) return;
      loss.kept(fragment, monoMs);
      if (stage.live.ageMs() >= patience.healthyMs) failures = 0;
      if (stage.live.hasMoved()) suspicious = hasRenewedStill = false;
      change("recording", null);
      climbWhenCalm(stage);
    }
    takeOver(false);
  };
  /** The successor's footage counts from where the old run's ends, so that no picture is missing between them. */
  const takeOver = (atOnce: boolean) => {
    const next = successor;
    const first = next?.waiting[0];
    const last = next?.waiting.at(-1);
    if (next === undefined || first === undefined || last === undefined) return;
    if (!atOnce && !loss.reaches(first.startMs) && last.endMs - first.startMs < waitingMsMax) return;
    const before = current;
    current = next;
    successor = undefined;
    cancelPatience();
    if (next.offer.choice === wanted.choice && next.offer.level < wanted.level) climb.climbed();
    else climb.stepped();
    wanted = next.offer;
    for (const fragment of next.waiting.splice(0)) {
      needs.onFragment(fragment);
      if (fragment.frames > 0) loss.kept(fragment, clock.monoMs());
    }
    before?.live.end(next.reason, true);
    phase = "recording";
    why = null;
    needs.onChanged();
  };
  const climbWhenCalm = ({ offer, live }: Stage<F>) => {
    const order = offer.levels[offer.level];
    if (offer.level === 0 || order === undefined || live.ageMs() < patience.healthyMs || !climb.isDue()) return;
    if (order.steady && live.frameRate() < order.frameRate * frameShareMin) return;
    if (needs.isHeld() || needs.load() >= loadMax) return;
    another(-1, "the machine has room for more again");
  };
  const successorFailed = (stage: Stage<F>, reason: string) => {
    successor = undefined;
    cancelPatience();
    notBeforeMs = clock.monoMs() + againAfterMs;
    needs.onRunEnded(reason, null);
    if (stage.offer.choice !== current?.offer.choice) needs.onStale();
    else if (stage.offer.level < current.offer.level) climb.failed();
  };
  const ended = (stage: Stage<F>, reason: string, planned: boolean) => {
    alive.delete(stage);
    if (!isWanted) return finish();
    if (stage === successor) return successorFailed(stage, reason);
    if (stage !== current) return needs.onRunEnded(reason, null);
    current = undefined;
    if (!planned) {
      restarts += 1;
      failures += 1;
    }
    if (successor !== undefined) return replace(reason);
    const againInMs = planned ? 0 : backOffMs(failures, patience);
    change(stage.live.hasDelivered() ? "starting" : "broken", reason);
    needs.onRunEnded(reason, againInMs);
    cancelAgain = clock.after(againInMs, begin);
    if (!stage.live.hasDelivered()) needs.onStale();
  };
  /** The old run ended before its successor delivered: there is nothing to hand over any more. */
  const replace = (reason: string) => {
    needs.onRunEnded(reason, null);
    if ((successor?.waiting.length ?? 0) > 0) return takeOver(true);
    cancelPatience();
    current = successor;
    successor = undefined;
    wanted = current?.offer ?? wanted;
    change("starting", reason);
  };
  const finish = () => {
    if (alive.size > 0) return;
    current = undefined;
    change("idle", null);
    loss.over();
    rested?.resolve();
  };

  return {
    capture(offer) {
      const wasWanted = isWanted;
      const isSame = (other: Offer | undefined) => other !== undefined && argsOf(other) === argsOf(offer);
      isWanted = true;
      rested?.resolve();
      rested = undefined;
      if (wasWanted && isSame(successor?.offer)) return;
      if (wasWanted && isSame(wanted) && (current === undefined || isSame(current.offer))) {
        wanted = { ...wanted, choice: offer.choice };
        if (current !== undefined) current.offer = wanted;
        return dismiss(othersNow);
      }
      wanted = offer;
      notBeforeMs = 0;
      climb = createQualityRecovery(patience, clock.monoMs);
      if (current?.live.hasDelivered() && phase === "recording") return succeed(offer, othersNow);
      dismiss(othersNow);
      if (current !== undefined) return current.live.end(othersNow, true);
      change("starting", null);
      begin();
    },
    rest() {
      isWanted = false;
      cancelAgain();
      cancelPatience();
      failures = 0;
      rested ??= Promise.withResolvers();
      const { promise } = rested;
      successor = undefined;
      for (const { live } of [...alive]) live.end("the capture is over", true);
      if (alive.size === 0) finish();
      return promise;
    },
    eventArrived() {
      if ((current?.live.stillForMs() ?? 0) < patience.stillMs || suspicious) return;
      suspicious = true;
      needs.onChanged();
    },
    nothingHeld() {
      if (!suspicious || hasRenewedStill || current === undefined) return;
      hasRenewedStill = true;
      current.live.end("the picture stood still while the game sent events");
    },
    status: () => ({
      phase,
      why,
      level: (current?.offer ?? wanted).level,
      choice: (current?.offer ?? wanted).choice,
      frameRate: phase === "recording" ? (current?.live.frameRate() ?? 0) : 0,
      restarts,
      lostSeconds: loss.seconds(phase === "recording"),
      stillSeconds: suspicious ? Math.round((current?.live.stillForMs() ?? 0) / 1_000) : 0,
    }),
  };
}
