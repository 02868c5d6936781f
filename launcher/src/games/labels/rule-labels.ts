// Rules with how their ids are shown, and with the ids they were probably meant to be.
import { type EventKind, eventKinds } from "@kit/contract";
import type { StoredRule } from "../game-store.ts";
import { keyOf, newRule, type ShownRule, showRule } from "../shown.ts";
import { createLabels, type Labels } from "./labels.ts";
import { createSimilar } from "./similar.ts";

/** Only triggers have ids. */
const triggerKinds = ["recording", "social"] as const;

export type RuleLabels = Omit<Labels, "all"> & {
  /** Of the ids that were seen, and of those that a file or a person spoke of before any game did. */
  all(): readonly StoredRule[];
  shown(rule: StoredRule): ShownRule;
  /** The ids of which something was said. */
  ids(): readonly string[];
  /** A rule was made. */
  seen(rule: StoredRule): void;
  /** Ids belong to other games now, or something else is said of them. */
  refile(): void;
};

export type RuleLabelsNeeds = {
  /** By kind and id, in the order in which they were first seen. */
  readonly rules: ReadonlyMap<string, StoredRule>;
  readonly fileOf: (kind: EventKind, eventId: string) => string | null;
  readonly now: () => number;
  /** An id was probably meant to be another. */
  readonly onFound: () => void;
};

export function createRuleLabels({ rules, fileOf, now, onFound }: RuleLabelsNeeds): RuleLabels {
  const looks = createLabels(now);
  const similar = createSimilar(onFound);
  const isSeen = (eventId: string) => eventKinds.some((kind) => rules.has(keyOf(kind, eventId)));
  const filed = (kind: EventKind, eventId: string) => ({ kind, eventId, game: fileOf(kind, eventId) });
  return {
    ...looks,
    all() {
      const announced = looks.all().filter(({ eventId }) => !isSeen(eventId));
      return [
        ...rules.values(),
        ...announced.map(({ eventId, addedAtMs }) => newRule("recording", eventId, addedAtMs)),
      ];
    },
    shown(rule) {
      const { kind, eventId } = rule;
      const look = looks.lookOf(eventId);
      // An id of which a person or a file speaks is meant as it is.
      const similarTo = look.label === null && look.icon === null ? similar.to(kind, eventId) : null;
      return showRule(rule, { game: fileOf(kind, eventId), look, similarTo });
    },
    ids: () => looks.all().map(({ eventId }) => eventId),
    seen: ({ kind, eventId }) => similar.add(filed(kind, eventId)),
    refile() {
      // Those are meant before all that was only seen.
      const said = looks.all().flatMap(({ eventId }) => triggerKinds.map((kind) => filed(kind, eventId)));
      similar.restart([...said, ...[...rules.values()].map(({ kind, eventId }) => filed(kind, eventId))]);
    },
  };
}
