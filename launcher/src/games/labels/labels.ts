// Holds the labels and icons that a person or kit.events.json set for event ids. For an id without them, suggests the older id
// that it was probably meant to be. An id without a label is shown as words.

import { type EventKind, eventInWords, eventKinds, KitError, toShortLine } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Statement } from "../../storage/sql.ts";
import {
  deleteLabel,
  type LabelOverride,
  ruleKey,
  type StoredEventIdRule,
  type StoredLabel,
  saveLabel,
  type UncountedEventIdRule,
} from "../game-store.ts";
import { newEventIdRule, toEventIdRule } from "../rule-view.ts";
import { createSimilarIds, type SimilarIds } from "./similar.ts";

/** Maximum number of labels: as many as rules. */
const labelsMax = 10_000;
/** Kinds of events that have an event id. */
const triggerKinds = ["recording", "social"] as const;

/** A change that the caller of `plan` writes. Once the statements are durable, it must call `committed`. */
export type PlannedChange = { readonly statements: readonly Statement[]; readonly committed: () => void };

/** An undefined member leaves its value unchanged. */
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
  /** Rules by kind and id, in the order in which their ids were first seen. */
  readonly rules: ReadonlyMap<string, StoredEventIdRule>;
  readonly gameOf: (kind: EventKind, eventId: string) => string | null;
  readonly now: () => number;
  /** Called when the search has found similar older ids. */
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

  /** Returns the name of an event in titles, chapters and posts: its label, or its id in words. */
  eventName(eventId: string, game: string | null): string {
    const { label } = this.labelOverride(eventId);
    return (label === null ? "" : toShortLine(label)) || eventInWords(eventId, game);
  }

  /** Returns the ids with a label, an icon or a post text, in the order in which they were added. */
  labelledIds(): readonly string[] {
    return [...this.#labels.keys()];
  }

  /** Returns the rules of all ids that games sent, and new rules for ids that only a file or a person named. */
  allRules(): readonly StoredEventIdRule[] {
    const { rules } = this.#deps;
    const isSeen = (eventId: string) => eventKinds.some((kind) => rules.has(ruleKey(kind, eventId)));
    const namedOnly = [...this.#labels.values()].filter(({ eventId }) => !isSeen(eventId));
    return [
      ...rules.values(),
      ...namedOnly.map(({ eventId, addedAtMs }) => newEventIdRule("recording", eventId, addedAtMs)),
    ];
  }

  toEventIdRule(rule: StoredEventIdRule): UncountedEventIdRule {
    const { kind, eventId } = rule;
    const override = this.labelOverride(eventId);
    // A person or file that gave the id a label or an icon meant this id, so Kit suggests no other one.
    const isIntended = override.label !== null || override.icon !== null;
    const similarTo = isIntended ? null : this.#similar.similarTo(kind, eventId);
    return toEventIdRule(rule, { game: this.#deps.gameOf(kind, eventId), override, similarTo });
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
  addRule({ kind, eventId }: StoredEventIdRule): void {
    this.#similar.add(this.#withGame(kind, eventId));
  }

  /** Searches again for similar ids. Must be called when ids belong to other games or labels have changed. */
  reassignIds(): void {
    // Labelled ids come first. They then count as older than ids that were only seen, so the search suggests them.
    const labelled = this.labelledIds().flatMap((eventId) => triggerKinds.map((kind) => this.#withGame(kind, eventId)));
    const seen = [...this.#deps.rules.values()].map(({ kind, eventId }) => this.#withGame(kind, eventId));
    this.#similar.restart([...labelled, ...seen]);
  }

  #withGame(kind: EventKind, eventId: string) {
    return { kind, eventId, game: this.#deps.gameOf(kind, eventId) };
  }
}
