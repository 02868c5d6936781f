// Events become moments, moments join plans, and each event's receipt says which: all of it committed together.
import type { EventKind, KitEvent, ReceiptState } from "@kit/contract";
import type { Statement } from "../storage/sql.ts";
import type { Recorder } from "./capture/recorder.ts";
import { type ClipJobs, nobodyRecords } from "./clip-jobs/clip-jobs.ts";
import { addMoment, extended, marked, planned } from "./clips/clip-store.ts";
import { momentRuleOf } from "./moments/moment-rule.ts";
import type { Rules } from "./moments/rules.ts";
import type { MomentRule, Placed, Windows } from "./moments/windows.ts";
import type { Moment, Plan } from "./plan.ts";
import { windowSaid } from "./said.ts";

/** An event at its place in the journal. */
export type Entry = { readonly seq: number; readonly event: KitEvent };

export type Wish = { readonly moment: Moment; readonly game: string | null; readonly rule: MomentRule };

/** What has to be written for some moments, and which they are. */
export type Taken = {
  readonly statements: readonly Statement[];
  /** Called once the statements are durable. */
  committed(): void;
};

export type ClipPlannerNeeds = {
  readonly rules: Pick<Rules, "ruleOf">;
  readonly windows: Windows;
  readonly making: Pick<ClipJobs, "promise" | "written" | "planOf" | "outcomeOf" | "cut" | "close">;
  readonly recorder: Pick<Recorder, "state">;
  readonly reached: (moments: readonly Moment[], state: ReceiptState, reason: string | null) => Statement[];
  readonly now: () => number;
  /** When this launcher began, by the clock as it is now: what was over before has no footage. */
  readonly startedAtMs: () => number;
  readonly gameOf: (kind: EventKind, eventId: string | null) => string | null;
  /** An event in words: a title, a chapter's name. */
  readonly wordsOf: (eventId: string, game: string | null) => string;
};

const noFootage = "nothing is recorded of it";

type Said = { readonly moment: Moment; readonly state: ReceiptState; readonly reason: string | null };

/** One statement for all moments of which the same is said. */
function receiptsOf(said: readonly Said[], reached: ClipPlannerNeeds["reached"]): Statement[] {
  const alike = Map.groupBy(said, ({ state, reason }) => JSON.stringify([state, reason]));
  return [...alike.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined
      ? []
      : reached(
          group.map(({ moment }) => moment),
          first.state,
          first.reason,
        );
  });
}

const lastPlans = (placed: readonly Placed[]) => new Map(placed.map(({ plan }) => [plan.id, plan]));

export type ClipPlanner = ReturnType<typeof createClipPlanner>;

export function createClipPlanner(needs: ClipPlannerNeeds) {
  const { windows, making, recorder, reached, now, startedAtMs } = needs;

  /** A rule that asks for footage which nobody can give is a marker that says why. */
  const asPossible = (moment: Moment, rule: MomentRule): MomentRule => {
    if (rule.action === "marker") return rule;
    if (moment.atMs + rule.postMs <= startedAtMs()) {
      return { ...rule, action: "marker", reason: "the launcher did not run at that time" };
    }
    const state = recorder.state();
    return nobodyRecords(state) ? { ...rule, action: "marker", reason: state.detail } : rule;
  };
  const newest = (plan: Plan) => making.planOf(plan.id) ?? plan;

  const wishOf = ({ seq, event }: Entry): Wish | Said => {
    const { id, kind, eventId, actsOn } = event;
    const game = needs.gameOf(kind, eventId);
    const rule = needs.rules.ruleOf(eventId ?? "");
    const moment = {
      event: id,
      seq,
      kind,
      eventId,
      label: needs.wordsOf(eventId ?? "", game),
      atMs: Date.parse(actsOn),
    };
    const { action } = rule;
    // What was promised before the rule was changed stays so: its write is only tried again.
    if (action === "nothing" && !windows.knows(id))
      return { moment, state: "ignored", reason: "its rule says that nothing is recorded" };
    return { moment, game, rule: momentRuleOf(rule, action === "nothing" ? "marker" : action) };
  };
  const saidOf = (moment: Moment, { as, plan, reason }: Placed): Said => {
    if (as === "marked") return { moment, state: "marked", reason: reason ?? null };
    const isOver = as === "late" && making.planOf(plan.id) === undefined;
    if (isOver) return { moment, ...making.outcomeOf(plan.id, moment) };
    if (plan.kind === "screenshot") return { moment, state: "recording", reason: "a picture of its moment" };
    return { moment, state: "recording", reason: windowSaid(newest(plan), moment) };
  };
  const rowsOf = (plan: Plan, placed: readonly Placed[]): Statement[] => {
    const all = placed.filter((one) => one.plan.id === plan.id);
    if (plan.kind === "marker") return marked(plan, all.find(({ reason }) => reason !== undefined)?.reason ?? null);
    if (all.every(({ as }) => as === "late")) return making.planOf(plan.id) ? extended(plan) : addMoment(plan);
    return all.length === 1 && all[0]?.as === "opened" ? planned(plan) : extended(plan);
  };

  const promise = (plan: Plan, placed: readonly Placed[], moments: readonly Moment[]) => {
    const isLate = placed.some(({ as, plan: { id } }) => as === "late" && id === plan.id);
    const isBeingMade = making.planOf(plan.id) !== undefined;
    if (plan.kind === "marker" || (isLate && !isBeingMade)) return;
    making.promise(plan, moments);
    const isPicture = plan.kind === "screenshot" && !isBeingMade;
    // Neither is in the windows any more: nothing else will say that they are due.
    if (isPicture || isLate) making.cut(plan.id);
    if (isPicture) making.close(plan.id);
  };
  /** Footage is held from here on, before anything is written. Idempotent by event. */
  const take = (wishes: readonly Wish[], alreadySaid: readonly Said[] = []): Taken => {
    const nowMs = now();
    const placed = wishes.map(({ moment, game, rule }) => windows.place(moment, game, asPossible(moment, rule), nowMs));
    const eventsOf = (id: string) =>
      wishes.filter((_, index) => placed[index]?.plan.id === id).map(({ moment }) => moment);
    const plans = [...lastPlans(placed).values()];
    for (const plan of plans) promise(plan, placed, eventsOf(plan.id));
    const said = wishes.flatMap(({ moment }, index) => {
      const one = placed[index];
      return one === undefined ? [] : [saidOf(moment, one)];
    });
    return {
      statements: [
        ...plans.flatMap((plan) => rowsOf(newest(plan), placed)),
        ...receiptsOf([...alreadySaid, ...said], reached),
      ],
      committed() {
        for (const { id } of plans)
          making.written(
            id,
            eventsOf(id).map(({ event }) => event),
          );
      },
    };
  };
  return {
    /** What games sent. */
    takeEntries(entries: readonly Entry[]): Taken {
      const each = entries.map(wishOf);
      return take(
        each.filter((one) => "rule" in one),
        each.filter((one) => "state" in one),
      );
    },
    take: (wish: Wish): Taken => take([wish]),
    /** The same of footage or nothing: where there can be none, it says why, and nothing has to be written. */
    takeFootage(wish: Wish): Taken | { readonly reason: string } {
      const { moment, game } = wish;
      const rule = asPossible(moment, wish.rule);
      if (rule.action === "marker") return { reason: rule.reason ?? noFootage };
      const { as, reason } = windows.place(moment, game, rule, now());
      return as === "marked" ? { reason: reason ?? noFootage } : take([wish]);
    },
  };
}
