// Turns events, and some error reports, into moments and clip plans. The plans and the receipts of the events are written in one commit.

import type { EventKind, KitEvent, Message, ReceiptState } from "@kit/contract";
import { message, toMessage } from "@kit/contract/messages";
import type { Statement } from "../../storage/sql.ts";
import type { Recorder } from "../capture/recorder.ts";
import { addMoments, deleteClips, extendClip, insertClip, insertMarker, moveMoments } from "../clips/clip-store.ts";
import type { ReceiptStatements } from "../jobs/job.ts";
import { type ClipJobs, cannotRecord } from "../jobs/jobs.ts";
import { describeRange, errorLabel } from "./notes.ts";
import { type ClipPlan, type Moment, markerOf } from "./plan.ts";
import type { RecordingRules } from "./rules.ts";
import { type ClipSchedule, type MomentPlacement, type MomentRule, toMomentRule } from "./schedule.ts";

/** An event with its position in the journal. */
export type JournalEvent = { readonly seq: number; readonly event: KitEvent };

/** A moment to record, with the rule that applies to it. */
export type MomentRequest = { readonly moment: Moment; readonly game: string | null; readonly rule: MomentRule };

/** What must be written for planned moments. */
export type PlannedWrite = {
  readonly statements: readonly Statement[];
  /** Must be called once the statements are durable. */
  committed(): void;
};

export type ClipPlannerDeps = {
  readonly rules: Pick<RecordingRules, "ruleOf">;
  readonly schedule: ClipSchedule;
  readonly jobs: Pick<
    ClipJobs,
    "addPlan" | "shrinkPlan" | "confirmWritten" | "planById" | "outcomeFor" | "startCut" | "closeJob"
  >;
  readonly recorder: Pick<Recorder, "state">;
  readonly receiptStatements: ReceiptStatements;
  readonly now: () => number;
  /** Returns when this launcher started. A moment whose post-roll ended before that has no footage. */
  readonly startedAtMs: () => number;
  readonly gameOf: (kind: EventKind, eventId: string | null) => string | null;
  /** Returns the label of an event, used as a title and as a chapter name. */
  readonly labelOf: (eventId: string, game: string | null) => string;
};

type MomentReceipt = { readonly moment: Moment; readonly state: ReceiptState; readonly reason: Message | null };

const noFootage = message("moment.no_footage");

export class ClipPlanner {
  readonly #deps: ClipPlannerDeps;

  constructor(deps: ClipPlannerDeps) {
    this.#deps = deps;
  }

  /** Plans the recording triggers of games. Planning an event again changes nothing. */
  planEvents(events: readonly JournalEvent[]): PlannedWrite {
    const results = events.map((event) => this.#toRequest(event));
    return this.#plan(
      results.filter((result) => "rule" in result),
      results.filter((result) => "state" in result),
    );
  }

  planMoment(request: MomentRequest): PlannedWrite {
    return this.#plan([request]);
  }

  /** Like `planMoment`, but plans no marker: returns the reason for it instead. */
  planFootage(request: MomentRequest): PlannedWrite | { readonly reason: Message } {
    const { moment, game } = request;
    const rule = this.#applicableRule(moment, request.rule);
    if (rule.action === "marker") return { reason: rule.reason ?? noFootage };
    const { outcome, reason } = this.#deps.schedule.place(moment, game, rule, this.#deps.now());
    return outcome === "marked" ? { reason: reason ?? noFootage } : this.#plan([request]);
  }

  #toRequest({ seq, event }: JournalEvent): MomentRequest | MomentReceipt {
    const { gameOf, labelOf, rules, schedule } = this.#deps;
    const { id, kind, eventId, actsOn } = event;
    const game = gameOf(kind, eventId);
    const label = labelOf(eventId ?? "", game);
    const rule = rules.ruleOf(eventId ?? "");
    const { priority } = rule;
    const moment = { event: id, seq, kind, eventId, label, priority, atMs: Date.parse(actsOn) };
    if (rule.action !== "nothing") return { moment, game, rule: toMomentRule(rule, rule.action) };
    // A moment that was placed before the rule changed stays planned. Only its write is tried again.
    if (schedule.hasEvent(id)) return { moment, game, rule: toMomentRule(rule, "marker") };
    return { moment, state: "ignored", reason: message("rule.records_nothing") };
  }

  /** Returns the rule. If there can be no footage, its action is a marker with the reason. */
  #applicableRule(moment: Moment, rule: MomentRule): MomentRule {
    if (rule.action === "marker") return rule;
    if (moment.atMs + rule.postMs <= this.#deps.startedAtMs()) {
      return { ...rule, action: "marker", reason: message("launcher.was_not_running") };
    }
    const state = this.#deps.recorder.state();
    return cannotRecord(state) ? { ...rule, action: "marker", reason: toMessage(state.detail) } : rule;
  }

  /** Holds the footage at once, before anything is written. Planning an event again changes nothing. */
  #plan(requests: readonly MomentRequest[], receipts: readonly MomentReceipt[] = []): PlannedWrite {
    const { schedule, jobs, now } = this.#deps;
    const nowMs = now();
    const placements = requests.map(({ moment, game, rule }) =>
      this.#markIfMissed(moment, schedule.place(moment, game, this.#applicableRule(moment, rule), nowMs)),
    );
    const momentsOf = (id: string) =>
      requests.filter((_, index) => placements[index]?.plan.id === id).map(({ moment }) => moment);
    const plans = [...new Map(placements.map(({ plan }) => [plan.id, plan])).values()];
    for (const plan of plans) this.#startJob(plan, placements, momentsOf(plan.id));
    const shrunk = placements.flatMap(({ tookFrom = [] }) => tookFrom);
    for (const plan of shrunk) jobs.shrinkPlan(plan);
    const newReceipts = requests.flatMap(({ moment }, index) => {
      const placement = placements[index];
      return placement === undefined ? [] : [this.#receiptFor(moment, placement)];
    });
    return {
      statements: [
        ...plans.flatMap((plan) => this.#planStatements(this.#currentPlan(plan), placements)),
        ...shrunk.flatMap((plan) => this.#shrunkStatements(plan)),
        ...this.#groupedReceipts([...receipts, ...newReceipts]),
      ],
      committed() {
        for (const { id } of plans) {
          jobs.confirmWritten(
            id,
            momentsOf(id).map(({ event }) => event),
          );
        }
      },
    };
  }

  /** A moment that arrives after its clip was finished becomes a marker if the file does not show it. */
  #markIfMissed(moment: Moment, placement: MomentPlacement): MomentPlacement {
    const { jobs } = this.#deps;
    const { outcome, plan } = placement;
    if (outcome !== "late" || jobs.planById(plan.id) !== undefined) return placement;
    const { state, reason } = jobs.outcomeFor(plan.id, moment);
    return state === "saved" ? placement : { outcome: "marked", plan: markerOf(plan, [moment]), reason };
  }

  #currentPlan(plan: ClipPlan): ClipPlan {
    return this.#deps.jobs.planById(plan.id) ?? plan;
  }

  #startJob(plan: ClipPlan, placements: readonly MomentPlacement[], moments: readonly Moment[]): void {
    const { jobs } = this.#deps;
    const isLate = placements.some(({ outcome, plan: { id } }) => outcome === "late" && id === plan.id);
    const isInProgress = jobs.planById(plan.id) !== undefined;
    if (plan.kind === "marker" || (isLate && !isInProgress)) return;
    jobs.addPlan(plan, moments);
    const isNewScreenshot = plan.kind === "screenshot" && !isInProgress;
    // Starts these cuts here, because the schedule never says that screenshots or closed clips are due.
    if (isNewScreenshot || isLate) jobs.startCut(plan.id);
    if (isNewScreenshot) jobs.closeJob(plan.id);
  }

  #planStatements(plan: ClipPlan, placements: readonly MomentPlacement[]): Statement[] {
    const own = placements.filter((placement) => placement.plan.id === plan.id);
    if (plan.kind === "marker")
      return insertMarker(plan, own.find(({ reason }) => reason !== undefined)?.reason ?? null);
    const isInProgress = this.#deps.jobs.planById(plan.id) !== undefined;
    if (own.every(({ outcome }) => outcome === "late")) return isInProgress ? extendClip(plan) : addMoments(plan);
    const planned = own.length === 1 && own[0]?.outcome === "opened" ? insertClip(plan) : extendClip(plan);
    const hasTaken = own.some(({ tookFrom }) => tookFrom !== undefined);
    return hasTaken ? [...planned, moveMoments(plan)] : planned;
  }

  /** Must run after the statements of the clips that took the moments, because a deleted clip takes its moments with it. */
  #shrunkStatements(plan: ClipPlan): Statement[] {
    return plan.moments.length === 0 ? [deleteClips([plan.id])] : extendClip(this.#currentPlan(plan));
  }

  #receiptFor(moment: Moment, { outcome, plan, reason }: MomentPlacement): MomentReceipt {
    const { jobs } = this.#deps;
    if (outcome === "marked") return { moment, state: "marked", reason: reason ?? null };
    const isFinished = outcome === "late" && jobs.planById(plan.id) === undefined;
    if (isFinished) return { moment, ...jobs.outcomeFor(plan.id, moment) };
    if (plan.kind === "screenshot") return { moment, state: "recording", reason: message("moment.gets_screenshot") };
    return { moment, state: "recording", reason: describeRange(this.#currentPlan(plan), moment) };
  }

  /** Builds one statement for all moments with the same state and reason. */
  #groupedReceipts(receipts: readonly MomentReceipt[]): Statement[] {
    const groups = Map.groupBy(receipts, ({ state, reason }) => JSON.stringify([state, reason]));
    return [...groups.values()].flatMap((group) => {
      const [first] = group;
      if (first === undefined) return [];
      const moments = group.map(({ moment }) => moment);
      return this.#deps.receiptStatements(moments, first.state, first.reason);
    });
  }
}

/** An error report as the monitor passes it on. */
export type ErrorReport = {
  /** Id of the event. */
  readonly event: string;
  readonly seq: number;
  readonly game: string | null;
  readonly message: string;
  readonly atMs: number;
};

/** The clip of an error has a rule of its own, because errors have no event id. */
const errorRule: MomentRule = {
  action: "clip",
  preMs: 20_000,
  postMs: 3_000,
  mergeGapMs: 8_000,
  longestMs: 120_000,
  cooldownMs: 0,
  priority: 500,
};
/** How long the clip of an error waits at most. The footage before it must still be in the replay buffer. */
const errorWaitMsMax = 30_000;
const hourMs = 3_600_000;
const hourlyMax = 20;

/** Limits how many error reports get a clip. */
export class ErrorClipLimiter {
  readonly #now: () => number;
  /** Returns the longest pre-roll of any rule: so much later, a highlight may still cover an error. */
  readonly #longestPreMs: () => number;
  /** Events that got a clip within the last hour, each with the time of its request. */
  #granted: ReadonlyMap<string, number> = new Map();

  constructor(now: () => number, longestPreMs: () => number) {
    this.#now = now;
    this.#longestPreMs = longestPreMs;
  }

  /** Returns undefined if the limit for an hour is reached. A report that is passed twice counts once. */
  requestFor({ event, seq, game, message, atMs }: ErrorReport): MomentRequest | undefined {
    const nowMs = this.#now();
    this.#granted = new Map([...this.#granted].filter(([, requestedMs]) => nowMs - requestedMs < hourMs));
    if (!this.#granted.has(event) && this.#granted.size >= hourlyMax) return undefined;
    this.#granted = new Map([...this.#granted, [event, this.#granted.get(event) ?? nowMs]]);
    const rule = { ...errorRule, waitMs: Math.min(this.#longestPreMs(), errorWaitMsMax) };
    const { priority } = rule;
    return {
      moment: { event, seq, kind: "monitor", eventId: null, label: errorLabel(message), priority, atMs },
      game,
      rule,
    };
  }
}
