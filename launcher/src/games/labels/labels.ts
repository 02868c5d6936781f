// What an event id is called and how it is shown: as a person or the game's file says, else as its id says.
import { eventInWords, KitError, oneLine } from "@kit/contract";
import type { Statement } from "../../storage/sql.ts";
import { deleteLabel, type LabelOverride, type StoredLabel, saveLabel } from "./label-store.ts";

/** As many as there are rules. */
const looksMax = 10_000;

/** What has to be written, and what to do once it is durable. */
export type Planned = { readonly statements: readonly Statement[]; readonly committed: () => void };

export type Labels = {
  /** What was on disk. */
  restore(stored: readonly StoredLabel[]): void;
  lookOf(eventId: string): LabelOverride;
  /** The event in words, for titles, chapters and posts. */
  wordsOf(eventId: string, game: string | null): string;
  /** Those of which something was said, in the order in which it was. */
  all(): readonly StoredLabel[];
  /** Throws KitError payload_invalid when there would be too many. */
  plan(looks: ReadonlyMap<string, LabelOverride>): Planned;
};

const plain: LabelOverride = { label: null, icon: null, postText: null };
const isPlain = ({ label, icon, postText }: LabelOverride) => label === null && icon === null && postText === null;
const isSame = (one: LabelOverride, other: LabelOverride) =>
  one.label === other.label && one.icon === other.icon && one.postText === other.postText;

/** What is undefined stays as it is. */
export type LabelChange = { readonly label?: string | null | undefined; readonly icon?: string | null | undefined };

export const applyLabelChange = (look: LabelOverride, { label, icon }: LabelChange): LabelOverride => ({
  ...look,
  label: label === undefined ? look.label : (label?.trim() ?? null),
  icon: icon === undefined ? look.icon : icon,
});

export function createLabels(now: () => number): Labels {
  const looks = new Map<string, StoredLabel>();
  const lookOf = (eventId: string): LabelOverride => looks.get(eventId) ?? plain;
  return {
    restore(stored) {
      for (const look of stored) looks.set(look.eventId, look);
    },
    lookOf,
    wordsOf(eventId, game) {
      const { label } = lookOf(eventId);
      return (label === null ? "" : oneLine(label)) || eventInWords(eventId, game);
    },
    all: () => [...looks.values()],
    plan(wanted) {
      const changed = [...wanted].filter(([eventId, look]) => !isSame(lookOf(eventId), look));
      const saved = changed.map(([eventId, { label, icon, postText }]): StoredLabel => {
        return { eventId, label, icon, postText, addedAtMs: looks.get(eventId)?.addedAtMs ?? now() };
      });
      const added = saved.filter((look) => !isPlain(look) && !looks.has(look.eventId)).length;
      if (added > 0 && looks.size + added > looksMax) {
        throw new KitError("payload_invalid", `${looksMax} event ids have a label or a picture already.`);
      }
      return {
        statements: saved.map((look) => (isPlain(look) ? deleteLabel(look.eventId) : saveLabel(look))),
        committed() {
          for (const look of saved) {
            if (isPlain(look)) looks.delete(look.eventId);
            else looks.set(look.eventId, look);
          }
        },
      };
    },
  };
}
