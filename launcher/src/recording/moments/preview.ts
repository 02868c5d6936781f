// What a rule would have made of the moments that already came: the real windows, run over their times. Changes nothing.
import { type RecordingRule, type RulePreview, rulePreviewMomentsMax } from "@kit/contract";
import type { Moment, Plan } from "../plan.ts";
import { momentRuleOf } from "./moment-rule.ts";
import type { Past, PastStore } from "./past-store.ts";
import type { RuleChange, Rules } from "./rules.ts";
import { createWindows, type Placed, type Windows } from "./windows.ts";

export type PreviewNeeds = {
  readonly rules: Pick<Rules, "ruleOf" | "wouldBe">;
  readonly past: PastStore;
  readonly gameOf: (eventId: string) => string | null;
};

/** Of a flood of other ids only the end is looked through; the moments before it are left out, too. */
const othersMax = 2_000;
/** Around the stretch of the journal that holds the moments. */
const aroundMax = 1_000;
/** What lies further away cannot be in a clip with it. */
const nearMs = 900_000;

type Became = RulePreview["moments"][number]["became"];
type Shown = {
  readonly past: Past;
  readonly became: Became;
  readonly reason: string | null;
  readonly plan: Plan | null;
};

const isoOf = (ms: number) => new Date(ms).toISOString();
const momentOf = ({ id, seq, eventId, atMs }: Past): Moment => ({
  event: id,
  seq,
  eventId,
  atMs,
  kind: "recording",
  label: eventId,
});

/** The launcher's timer, which cuts and closes what is over before the next event comes. */
function passTime(windows: Windows, fromMs: number, toMs: number): void {
  let nowMs = fromMs;
  for (let next = windows.nextDueMs(nowMs); next !== undefined && next <= toMs; next = windows.nextDueMs(nowMs)) {
    nowMs = Math.max(nowMs, next);
    const { cut, closed } = windows.due(nowMs);
    if (cut.length === 0 && closed.length === 0) return;
  }
}

function becameOf({ as, plan, reason }: Placed, isFirst: boolean): Pick<Shown, "became" | "reason"> {
  if (as === "marked") return { became: "marker", reason: reason ?? null };
  if (plan.kind === "screenshot") return { became: "screenshot", reason: null };
  return { became: isFirst ? "clip" : "joined", reason: null };
}

/** Runs the windows over events in the order in which they came. `newest` holds each plan as it was in the end. */
export function replay(events: readonly Past[], ruleOf: (eventId: string) => RecordingRule, game: string | null) {
  const windows = createWindows();
  const newest = new Map<string, Plan>();
  let nowMs = Number.NEGATIVE_INFINITY;
  const shown = events.map((past): Shown => {
    const rule = ruleOf(past.eventId);
    if (past.ignored) return { past, became: "nothing", reason: "it was switched off when it came", plan: null };
    if (rule.action === "nothing") return { past, became: "nothing", reason: null, plan: null };
    const arrivedMs = Math.max(nowMs, past.receivedMs);
    passTime(windows, nowMs, arrivedMs);
    nowMs = arrivedMs;
    const placed = windows.place(momentOf(past), game, momentRuleOf(rule, rule.action), nowMs);
    const before = newest.get(placed.plan.id)?.notes ?? [];
    const notes = placed.plan.notes.filter((note) => !before.includes(note));
    newest.set(placed.plan.id, placed.plan);
    const { became, reason } = becameOf(placed, placed.as === "opened");
    return { past, became, reason: reason ?? (notes.join("; ") || null), plan: placed.plan };
  });
  return { shown, newest };
}

function previewOf(
  events: readonly Past[],
  rule: RecordingRule,
  rules: PreviewNeeds["rules"],
  game: string | null,
): RulePreview {
  const { eventId } = rule;
  const isOwn = (id: string | null) => id === eventId;
  const { shown, newest } = replay(events, (id) => (isOwn(id) ? rule : rules.ruleOf(id)), game);
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

export type Preview = ReturnType<typeof createPreview>;

export function createPreview({ rules, past, gameOf }: PreviewNeeds) {
  return async function preview(eventId: string, change: RuleChange): Promise<RulePreview> {
    const rule = rules.wouldBe(eventId, change);
    const own = await past.newest(eventId, rulePreviewMomentsMax);
    const last = own[0];
    const first = own.at(-1);
    if (last === undefined || first === undefined) return { moments: [], clips: [] };
    const others = await past.others(eventId, first.seq - aroundMax, last.seq + aroundMax, othersMax + 1);
    const fromSeq = others.length > othersMax ? (others.at(-1)?.seq ?? 0) : Number.NEGATIVE_INFINITY;
    const mine = own.filter(({ seq }) => seq > fromSeq);
    const game = gameOf(eventId);
    const times = mine.map(({ atMs }) => atMs).toSorted((one, other) => one - other);
    const isNear = ({ atMs }: Past) => {
      const after = times.find((time) => time >= atMs - nearMs);
      return after !== undefined && after <= atMs + nearMs;
    };
    const beside = others.filter((one) => gameOf(one.eventId) === game && isNear(one));
    const events = [...mine, ...beside].toSorted((one, other) => one.seq - other.seq);
    return previewOf(events, rule, rules, game);
  };
}
