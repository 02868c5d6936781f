// Texts, icons and addresses for the items and rows of a session's timeline.
import { t } from "../../../language/language.ts";
import { clipsAddress, eventPostAddress, issuesAddress, rowAddress } from "../../../ui/address.ts";
import { receiptStateLabel } from "../../../ui/event-text.ts";
import { formatClock } from "../../../ui/format.ts";
import type { IconName } from "../../../ui/icon.tsx";
import { visibleLine } from "../../../ui/visible-text.ts";
import { clipStateLabel, occurrencesText } from "../session-text.ts";
import type { TimelineItem, TimelineRow } from "./session-items.ts";

export const timelineRowIcons: Record<TimelineRow, IconName> = {
  clips: "film",
  moments: "record",
  errors: "warning",
  posts: "megaphone",
};

export function timelineRowItemName(row: TimelineRow): string {
  if (row === "clips") return t("Clip");
  if (row === "moments") return t("Moment");
  return row === "errors" ? t("Error") : t("Post");
}

export function timelineRowLabel(row: TimelineRow): string {
  if (row === "clips") return t("Clips");
  if (row === "moments") return t("Moments");
  return row === "errors" ? t("Errors") : t("Posts");
}

const labelCharsMax = 160;

/** Returns an item's label. Never empty, because it is the text of a button. */
export const itemLabel = ({ says }: Pick<TimelineItem, "says">): string =>
  visibleLine(says, labelCharsMax).trim() || t("No text");

/** Returns the time from the start of the session to an item, as a player's clock shows it. */
export const itemOffset = ({ atMs }: Pick<TimelineItem, "atMs">, startMs: number): string =>
  formatClock((atMs - startMs) / 1_000);

export const itemState = (item: TimelineItem) =>
  item.entry ? receiptStateLabel(item.entry.state) : clipStateLabel(item.clip.state);

export function itemLine(item: TimelineItem, startMs: number): string {
  const times = item.entry === undefined ? "" : occurrencesText(item.entry);
  const said = [itemOffset(item, startMs), timelineRowItemName(item.row), itemLabel(item), times, itemState(item).says];
  return said.filter((each) => each !== "").join(" · ");
}

type Linked = Pick<TimelineItem, "entry"> & { readonly clip?: TimelineItem["clip"] };

/**
 * Returns the address of what an item is about: an error's issue, a trigger's post, a clip's player, or else the
 * event's receipt.
 */
export function itemAddress({ entry, clip }: Linked): string {
  if (entry === undefined) return clipsAddress(clip?.id);
  if (entry.issue !== null) return issuesAddress(entry.issue, `${new URLSearchParams({ event: entry.id })}`);
  if (entry.post !== null) return eventPostAddress(entry.id);
  return rowAddress(entry.id);
}
