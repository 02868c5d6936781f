// An item of a track in one line: when, what, and what became of it. Pure.

import { t } from "../../language/language.ts";
import { stateWord } from "../../ui/event-words.ts";
import { clockOf } from "../../ui/measures.ts";
import type { Item } from "../../ui/sessions/session-items.ts";
import { clipStateWord, timesWord } from "../../ui/sessions/session-words.ts";
import { visibleLine } from "../../ui/visible-text.ts";
import { laneWord } from "./lane-words.ts";

const labelCharsMax = 160;

/** Never empty: it is what is pressed. */
export const labelOf = ({ says }: Pick<Item, "says">): string =>
  visibleLine(says, labelCharsMax).trim() || t("Without words");

/** The time since the session began, as a player shows it. */
export const offsetOf = ({ atMs }: Pick<Item, "atMs">, startMs: number): string => clockOf((atMs - startMs) / 1_000);

export const stateOf = (item: Item) => (item.entry ? stateWord(item.entry.state) : clipStateWord(item.clip.state));

export function itemLine(item: Item, startMs: number): string {
  const times = item.entry === undefined ? "" : timesWord(item.entry);
  const said = [offsetOf(item, startMs), laneWord(item.lane), labelOf(item), times, stateOf(item).says];
  return said.filter((each) => each !== "").join(" · ");
}
