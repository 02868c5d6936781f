// Holds the labels and icons of event ids that a person or the game's file has set. Other ids are shown as words.
import { eventInWords, KitError, oneLine } from "@kit/contract";
import type { Statement } from "../../storage/sql.ts";
import { deleteLabel, type LabelOverride, type StoredLabel, saveLabel } from "./label-store.ts";

/** Equal to the maximum number of rules. */
const labelsMax = 10_000;

/** Statements to write. `committed` must be called once they are durable. */
export type PlannedChange = { readonly statements: readonly Statement[]; readonly committed: () => void };

export type Labels = {
  restore(stored: readonly StoredLabel[]): void;
  labelOverride(eventId: string): LabelOverride;
  /** Returns the event's name for titles, chapters and posts. */
  displayName(eventId: string, game: string | null): string;
  /** Returns all labels in the order in which they were added. */
  all(): readonly StoredLabel[];
  /** Throws KitError payload_invalid if there would be too many labels. */
  plan(overrides: ReadonlyMap<string, LabelOverride>): PlannedChange;
};

const noOverride: LabelOverride = { label: null, icon: null, postText: null };
const isEmpty = ({ label, icon, postText }: LabelOverride) => label === null && icon === null && postText === null;
const isSame = (one: LabelOverride, other: LabelOverride) =>
  one.label === other.label && one.icon === other.icon && one.postText === other.postText;

/** An undefined member is unchanged. */
export type LabelChange = { readonly label?: string | null | undefined; readonly icon?: string | null | undefined };

export const applyLabelChange = (override: LabelOverride, { label, icon }: LabelChange): LabelOverride => ({
  ...override,
  label: label === undefined ? override.label : (label?.trim() ?? null),
  icon: icon === undefined ? override.icon : icon,
});

export function createLabels(now: () => number): Labels {
  const labels = new Map<string, StoredLabel>();
  const labelOverride = (eventId: string): LabelOverride => labels.get(eventId) ?? noOverride;
  return {
    restore(stored) {
      for (const label of stored) labels.set(label.eventId, label);
    },
    labelOverride,
    displayName(eventId, game) {
      const { label } = labelOverride(eventId);
      return (label === null ? "" : oneLine(label)) || eventInWords(eventId, game);
    },
    all: () => [...labels.values()],
    plan(wanted) {
      const changed = [...wanted].filter(([eventId, override]) => !isSame(labelOverride(eventId), override));
      const saved = changed.map(([eventId, { label, icon, postText }]): StoredLabel => {
        return { eventId, label, icon, postText, addedAtMs: labels.get(eventId)?.addedAtMs ?? now() };
      });
      const added = saved.filter((label) => !isEmpty(label) && !labels.has(label.eventId)).length;
      if (added > 0 && labels.size + added > labelsMax) {
        throw new KitError("payload_invalid", `${labelsMax} event ids already have a label or an icon.`);
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
    },
  };
}
