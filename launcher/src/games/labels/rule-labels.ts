// Combines rules with their labels, and with the similar older ids that they were probably meant to be.
import { type EventKind, eventKinds } from "@kit/contract";
import type { StoredRule } from "../game-store.ts";
import { newRule, ruleKey, toRule, type UncountedRule } from "../rule-view.ts";
import { createLabels, type Labels } from "./labels.ts";
import { createSimilarIds } from "./similar.ts";

/** Kinds of events that have an event id. */
const triggerKinds = ["recording", "social"] as const;

export type RuleLabels = Omit<Labels, "all"> & {
  /** Returns rules of all ids that a game sent, and of ids that only a file or a person named. */
  all(): readonly StoredRule[];
  toRule(rule: StoredRule): UncountedRule;
  /** Returns the ids with a label, an icon or a post text. */
  labelledIds(): readonly string[];
  /** Must be called with each new rule. */
  addRule(rule: StoredRule): void;
  /** Must be called when ids belong to other games or their labels have changed. */
  reassignIds(): void;
};

export type RuleLabelsDeps = {
  /** Rules by kind and id, in the order in which they were first seen. */
  readonly rules: ReadonlyMap<string, StoredRule>;
  readonly gameOf: (kind: EventKind, eventId: string) => string | null;
  readonly now: () => number;
  /** Called when a similar older id was found. */
  readonly onFound: () => void;
};

export function createRuleLabels({ rules, gameOf, now, onFound }: RuleLabelsDeps): RuleLabels {
  const labels = createLabels(now);
  const similar = createSimilarIds(onFound);
  const isSeen = (eventId: string) => eventKinds.some((kind) => rules.has(ruleKey(kind, eventId)));
  const withGame = (kind: EventKind, eventId: string) => ({ kind, eventId, game: gameOf(kind, eventId) });
  return {
    ...labels,
    all() {
      const namedOnly = labels.all().filter(({ eventId }) => !isSeen(eventId));
      return [
        ...rules.values(),
        ...namedOnly.map(({ eventId, addedAtMs }) => newRule("recording", eventId, addedAtMs)),
      ];
    },
    toRule(rule) {
      const { kind, eventId } = rule;
      const override = labels.labelOverride(eventId);
      // An id with a label or an icon is intended, so no other id is suggested.
      const similarTo = override.label === null && override.icon === null ? similar.similarTo(kind, eventId) : null;
      return toRule(rule, { game: gameOf(kind, eventId), override, similarTo });
    },
    labelledIds: () => labels.all().map(({ eventId }) => eventId),
    addRule: ({ kind, eventId }) => similar.add(withGame(kind, eventId)),
    reassignIds() {
      // Labelled ids come first, so that they are suggested before ids that were only seen.
      const labelled = labels.all().flatMap(({ eventId }) => triggerKinds.map((kind) => withGame(kind, eventId)));
      similar.restart([...labelled, ...[...rules.values()].map(({ kind, eventId }) => withGame(kind, eventId))]);
    },
  };
}
