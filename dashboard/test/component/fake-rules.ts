// The event rules of a launcher for component tests. They change as the page requests it, so that a test sees what the page shows then.
import {
  allSwitchesOn,
  changeEventIdRule,
  changeRecordingRule,
  type EventIdRule,
  gameInWords,
  listGames,
  listPostRules,
  listRecordingRules,
  type PostRule,
  previewRecordingRule,
  type RecordingRule,
  type RulePreview,
  recordingRuleDefaults,
  resetRecordingRule,
} from "@kit/contract";
import { eventRuleOf, seenAt } from "../rule-samples.ts";
import { createFakeLauncher, type FakeLauncher } from "./fake-launcher.ts";

const atSecond = (second: number) => new Date(Date.parse(seenAt) + second * 1_000).toISOString();

/** Three moments in one clip, and one within the cooldown. */
function previewOf({ preSeconds, postSeconds }: Pick<RecordingRule, "preSeconds" | "postSeconds">): RulePreview {
  const moments = [0, 4, 8].map((second, n) => {
    const became = n === 0 ? ("clip" as const) : ("joined" as const);
    return { id: String(n), at: atSecond(second), became, reason: null, clip: 0 };
  });
  const early = { id: "9", at: atSecond(60), became: "marker" as const, reason: "Within its cooldown", clip: null };
  const seconds = preSeconds + postSeconds + 8;
  const clip = { from: atSecond(-preSeconds), to: atSecond(8 + postSeconds), seconds, moments: 3, others: 0 };
  return { clips: [clip], moments: [...moments, early] };
}

const gamesOf = (rules: readonly EventIdRule[]) =>
  [...new Set(rules.flatMap(({ game }) => game ?? []))].map((game) => ({
    game,
    name: gameInWords(game),
    registered: false,
    switches: allSwitchesOn,
    firstSeenAt: seenAt,
  }));

type Given = { readonly rules?: readonly EventIdRule[]; readonly postRules?: readonly PostRule[] };

/** The changes that the page requested, without previews and dry runs, which change nothing. */
export const realChanges = ({ changes }: FakeLauncher) => changes.filter((each) => !/preview|dryRun/u.test(each));

export function launcherWithRules({ rules: given = someRules(), postRules = [] }: Given = {}): FakeLauncher {
  const launcher = createFakeLauncher();
  let rules = [...given];
  const recording = new Map<string, RecordingRule>();
  const recordingOf = (eventId: string) =>
    recording.get(eventId) ?? { ...recordingRuleDefaults, eventId, changed: false };
  launcher.when(listGames).reply(() => ({ services: allSwitchesOn, games: gamesOf(rules), rules }));
  launcher.when(listRecordingRules).reply(() => ({
    rules: rules.filter(({ kind }) => kind === "recording").map(({ eventId }) => recordingOf(eventId)),
  }));
  launcher.when(changeRecordingRule).reply(({ body }) => {
    const rule = { ...recordingOf(body.eventId), ...body, changed: true };
    recording.set(body.eventId, rule);
    return rule;
  });
  launcher.when(resetRecordingRule).reply(({ query }) => void recording.delete(query.eventId));
  launcher.when(changeEventIdRule).reply(({ body: { kind, eventId, enabled, label, icon } }) => {
    const change = (rule: EventIdRule): EventIdRule => ({
      ...rule,
      // The label and icon of an event id are the same for all its kinds.
      ...(label !== undefined && { label }),
      ...(icon !== undefined && { icon }),
      ...(rule.kind === kind && enabled !== undefined && { enabled }),
    });
    rules = rules.map((rule) => (rule.eventId === eventId ? change(rule) : rule));
    return rules.find((rule) => rule.kind === kind && rule.eventId === eventId) ?? eventRuleOf(eventId);
  });
  launcher.when(previewRecordingRule).reply(({ body }) => previewOf({ ...recordingRuleDefaults, ...body }));
  launcher.when(listPostRules).reply(() => ({ rules: [...postRules] }));
  return launcher;
}

/** An id of two kinds, one that looks mistyped, one that is switched off, and one of no game. */
export const someRules = (): EventIdRule[] => [
  eventRuleOf("saga_boss_defeated"),
  eventRuleOf("saga_boss_defeated", { kind: "social", postText: "Down it went" }),
  eventRuleOf("saga_boss_defeted", { similarTo: "saga_boss_defeated" }),
  eventRuleOf("saga_step", { enabled: false }),
  eventRuleOf("loose", { game: null }),
];
