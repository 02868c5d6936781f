// Previews a rule: runs the clip schedule over past triggers, to show what the rule would have recorded. Changes nothing.

import { type Message, type RecordingRule, type RulePreview, rulePreviewMomentsMax } from "@kit/contract";
import { joinClauses, message } from "@kit/contract/messages";
import type { ClipPlan, Moment } from "./plan.ts";
import type { PastTrigger, PastTriggerStore } from "./rule-store.ts";
import type { RecordingRuleChange, RecordingRules } from "./rules.ts";
import { ClipSchedule, type MomentPlacement, toMomentRule } from "./schedule.ts";

export type RulePreviewDeps = {
  readonly rules: Pick<RecordingRules, "ruleOf" | "previewChange">;
  readonly past: PastTriggerStore;
  readonly gameOf: (eventId: string) => string | null;
};

/** How many triggers of other event ids are read, newest first. The preview begins after the oldest of them. */
const othersMax = 2_000;
/** How many entries of the journal are read before the first moment, and after the last. */
const aroundMax = 1_000;
/** Moments further apart than this cannot share a clip. */
const nearMs = 900_000;

type Became = RulePreview["moments"][number]["became"];
/** A past trigger, and what the rules would make of it. */
type PreviewedTrigger = {
  readonly past: PastTrigger;
  readonly became: Became;
  readonly reason: Message | null;
  readonly plan: ClipPlan | null;
};

const isoOf = (ms: number) => new Date(ms).toISOString();
const momentOf = ({ id, seq, eventId, atMs }: PastTrigger, { priority }: RecordingRule): Moment => ({
  event: id,
  priority,
  seq,
  eventId,
  atMs,
  kind: "recording",
  label: eventId,
});

/** Does what the timer of the launcher does: takes the plans that become due before the next event. */
function passTime(schedule: ClipSchedule, fromMs: number, toMs: number): void {
  let nowMs = fromMs;
  for (let next = schedule.nextDueMs(nowMs); next !== undefined && next <= toMs; next = schedule.nextDueMs(nowMs)) {
    nowMs = Math.max(nowMs, next);
    const { cut, closed } = schedule.takeDue(nowMs);
    if (cut.length === 0 && closed.length === 0) return;
  }
}

function becameOf(
  { outcome: as, plan, reason }: MomentPlacement,
  isFirst: boolean,
): Pick<PreviewedTrigger, "became" | "reason"> {
  if (as === "marked") return { became: "marker", reason: reason ?? null };
  if (plan.kind === "screenshot") return { became: "screenshot", reason: null };
  return { became: isFirst ? "clip" : "joined", reason: null };
}

/** Replays triggers in the order in which they arrived. `newest` in the result has the last version of each plan. */
export function replayTriggers(
  events: readonly PastTrigger[],
  ruleOf: (eventId: string) => RecordingRule,
  game: string | null,
) {
  const schedule = new ClipSchedule();
  const newest = new Map<string, ClipPlan>();
  let nowMs = Number.NEGATIVE_INFINITY;
  const shown = events.map((past): PreviewedTrigger => {
    const rule = ruleOf(past.eventId);
    if (past.ignored) return { past, became: "nothing", reason: message("event.was_switched_off"), plan: null };
    if (rule.action === "nothing") return { past, became: "nothing", reason: null, plan: null };
    const arrivedMs = Math.max(nowMs, past.receivedMs);
    passTime(schedule, nowMs, arrivedMs);
    nowMs = arrivedMs;
    const placed = schedule.place(momentOf(past, rule), game, toMomentRule(rule, rule.action), nowMs);
    const [note, ...more] = placed.notes ?? [];
    newest.set(placed.plan.id, placed.plan);
    const { became, reason } = becameOf(placed, placed.outcome === "opened");
    return {
      past,
      became,
      reason: reason ?? (note === undefined ? null : joinClauses(note, ...more)),
      plan: placed.plan,
    };
  });
  return { shown, newest };
}

function previewOf(
  events: readonly PastTrigger[],
  rule: RecordingRule,
  rules: RulePreviewDeps["rules"],
  game: string | null,
): RulePreview {
  const { eventId } = rule;
  const isOwn = (id: string | null) => id === eventId;
  const { shown, newest } = replayTriggers(events, (id) => (isOwn(id) ? rule : rules.ruleOf(id)), game);
  const own = shown.filter(({ past }) => isOwn(past.eventId));
  const ids = new Set(own.flatMap(({ plan }) => (plan?.kind === "clip" ? [plan.id] : [])));
  const clips = [...newest.values()]
    .filter(({ id }) => ids.has(id))
    .toSorted((one, other) => one.fromMs - other.fromMs);
  const numbers = new Map(clips.map(({ id }, index) => [id, index]));
  return {
    moments: own.map(({ past, became, reason, plan }) => ({
      id: past.id,
      at: isoOf(past.atMs),
      became,
      reason,
      clip: plan === null ? null : (numbers.get(plan.id) ?? null),
    })),
    clips: clips.map(({ fromMs, toMs, moments }) => {
      const mine = moments.filter((moment) => isOwn(moment.eventId)).length;
      const seconds = Math.round(toMs - fromMs) / 1_000;
      return { from: isoOf(fromMs), to: isoOf(toMs), seconds, moments: mine, others: moments.length - mine };
    }),
  };
}

export type PreviewRule = ReturnType<typeof createRulePreview>;

export function createRulePreview({ rules, past, gameOf }: RulePreviewDeps) {
  return async function preview(eventId: string, change: RecordingRuleChange): Promise<RulePreview> {
    const rule = rules.previewChange(eventId, change);
    const own = await past.newest(eventId, rulePreviewMomentsMax);
    const last = own[0];
    const first = own.at(-1);
    if (last === undefined || first === undefined) return { moments: [], clips: [] };
    const others = await past.others(eventId, first.seq - aroundMax, last.seq + aroundMax, othersMax + 1);
    const fromSeq = others.length > othersMax ? (others.at(-1)?.seq ?? 0) : Number.NEGATIVE_INFINITY;
    const mine = own.filter(({ seq }) => seq > fromSeq);
    const game = gameOf(eventId);
    const times = mine.map(({ atMs }) => atMs).toSorted((one, other) => one - other);
    const isNear = ({ atMs }: PastTrigger) => {
      const after = times.find((time) => time >= atMs - nearMs);
      return after !== undefined && after <= atMs + nearMs;
    };
    const beside = others.filter((one) => gameOf(one.eventId) === game && isNear(one));
    const events = [...mine, ...beside].toSorted((one, other) => one.seq - other.seq);
    return previewOf(events, rule, rules, game);
  };
}
