// Labels and icons of event ids that a person or the game's file has set, and the older id that an unlabelled id was probably
// meant to be. Ids without a label are shown as words.

import { type EventKind, eventInWords, eventKinds, KitError, oneLine } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Statement } from "../../storage/sql.ts";
import type { StoredRule } from "../game-store.ts";
import { newRule, ruleKey, toRule, type UncountedRule } from "../rule-view.ts";
import { deleteLabel, type LabelOverride, type StoredLabel, saveLabel } from "./label-store.ts";
import { createSimilarIds, type SimilarIds } from "./similar.ts";

/** Equal to the maximum number of rules. */
const labelsMax = 10_000;
/** Kinds of events that have an event id. */
const triggerKinds = ["recording", "social"] as const;

/** Statements to write. `committed` must be called once they are durable. */
export type PlannedChange = { readonly statements: readonly Statement[]; readonly committed: () => void };

/** An undefined member is unchanged. */
export type LabelChange = { readonly label?: string | null | undefined; readonly icon?: string | null | undefined };

export const applyLabelChange = (override: LabelOverride, { label, icon }: LabelChange): LabelOverride => ({
  ...override,
  label: label === undefined ? override.label : (label?.trim() ?? null),
  icon: icon === undefined ? override.icon : icon,
});

const noOverride: LabelOverride = { label: null, icon: null, postText: null };
const isEmpty = ({ label, icon, postText }: LabelOverride) => label === null && icon === null && postText === null;
const isSame = (one: LabelOverride, other: LabelOverride) =>
  one.label === other.label && one.icon === other.icon && one.postText === other.postText;

export type LabelsDeps = {
  /** Rules by kind and id, in the order in which they were first seen. */
  readonly rules: ReadonlyMap<string, StoredRule>;
  readonly gameOf: (kind: EventKind, eventId: string) => string | null;
  readonly now: () => number;
  /** Called when a similar older id was found. */
  readonly onFound: () => void;
};

export class Labels {
  readonly #deps: LabelsDeps;
  readonly #labels = new Map<string, StoredLabel>();
  readonly #similar: SimilarIds;

  constructor(deps: LabelsDeps) {
    this.#deps = deps;
    this.#similar = createSimilarIds(deps.onFound);
  }

  restore(stored: readonly StoredLabel[]): void {
    for (const label of stored) this.#labels.set(label.eventId, label);
  }

  labelOverride(eventId: string): LabelOverride {
    return this.#labels.get(eventId) ?? noOverride;
  }

  /** Returns the event's name for titles, chapters and posts. */
  displayName(eventId: string, game: string | null): string {
    const { label } = this.labelOverride(eventId);
    return (label === null ? "" : oneLine(label)) || eventInWords(eventId, game);
  }

  /** Returns the ids with a label, an icon or a post text, in the order in which they were added. */
  labelledIds(): readonly string[] {
    return [...this.#labels.keys()];
  }

  /** Returns rules of all ids that a game sent, and of ids that only a file or a person named. */
  allRules(): readonly StoredRule[] {
    const { rules } = this.#deps;
    const isSeen = (eventId: string) => eventKinds.some((kind) => rules.has(ruleKey(kind, eventId)));
    const namedOnly = [...this.#labels.values()].filter(({ eventId }) => !isSeen(eventId));
    return [...rules.values(), ...namedOnly.map(({ eventId, addedAtMs }) => newRule("recording", eventId, addedAtMs))];
  }

  toRule(rule: StoredRule): UncountedRule {
    const { kind, eventId } = rule;
    const override = this.labelOverride(eventId);
    // An id with a label or an icon is intended, so no other id is suggested.
    const isIntended = override.label !== null || override.icon !== null;
    const similarTo = isIntended ? null : this.#similar.similarTo(kind, eventId);
    return toRule(rule, { game: this.#deps.gameOf(kind, eventId), override, similarTo });
  }

  /** Throws KitError payload_invalid if there would be too many labels. */
  plan(wanted: ReadonlyMap<string, LabelOverride>): PlannedChange {
    const labels = this.#labels;
    const changed = [...wanted].filter(([eventId, override]) => !isSame(this.labelOverride(eventId), override));
    const saved = changed.map(([eventId, { label, icon, postText }]): StoredLabel => {
      const addedAtMs = labels.get(eventId)?.addedAtMs ?? this.#deps.now();
      return { eventId, label, icon, postText, addedAtMs };
    });
    const added = saved.filter((label) => !isEmpty(label) && !labels.has(label.eventId)).length;
    if (added > 0 && labels.size + added > labelsMax) {
      throw new KitError("payload_invalid", message("label.too_many", { count: labelsMax }));
    }
    return {
      statements: saved.map((label) => (isEmpty(label) ? deleteLabel(label.eventId) : saveLabel(label))),
      committed() {
        for (const label of saved) {
          if (isEmpty(label)) labels.delete(label.eventId);
          else labels.set(label.eventId, label);
        }
      },
    };
  }

  /** Must be called with each new rule. */
  addRule({ kind, eventId }: StoredRule): void {
    this.#similar.add(this.#withGame(kind, eventId));
  }

  /** Must be called when ids belong to other games or their labels have changed. */
  reassignIds(): void {
    // Labelled ids come first, so that they are suggested before ids that were only seen.
    const labelled = this.labelledIds().flatMap((eventId) => triggerKinds.map((kind) => this.#withGame(kind, eventId)));
    const seen = [...this.#deps.rules.values()].map(({ kind, eventId }) => this.#withGame(kind, eventId));
    this.#similar.restart([...labelled, ...seen]);
  }

  #withGame(kind: EventKind, eventId: string) {
    return { kind, eventId, game: this.#deps.gameOf(kind, eventId) };
  }
}
