// Merges the parts of a session's timeline into one track of items, sorted by time. Pure.
import type { EventKind, Timeline, TimelineClip, TimelineEntry } from "@kit/contract";
import { clipTitle } from "../../../ui/clips/clip-text.ts";

export const timelineRows = ["clips", "moments", "errors", "posts"] as const;
export type TimelineRow = (typeof timelineRows)[number];

export type TimelineItem = {
  /** Id of the event or the clip. */
  readonly key: string;
  readonly row: TimelineRow;
  readonly atMs: number;
  /** Equal to `atMs` if the item has no duration. */
  readonly toMs: number;
  readonly says: string;
} & (
  | { readonly entry: TimelineEntry; readonly clip?: never }
  | { readonly clip: TimelineClip; readonly entry?: never }
);

export type TimeRange = { readonly fromMs: number; readonly toMs: number };

export type TimelineTrack = TimeRange & {
  readonly items: readonly TimelineItem[];
  /** Time ranges in which there is no item. */
  readonly gaps: readonly TimeRange[];
};

const laneOf: Record<EventKind, TimelineRow> = { recording: "moments", monitor: "errors", social: "posts" };

const ofEntry = (entry: TimelineEntry): TimelineItem => {
  const atMs = Date.parse(entry.at);
  return { key: entry.id, row: laneOf[entry.kind] ?? "moments", atMs, toMs: atMs, says: entry.label, entry };
};

const ofClip = (clip: TimelineClip): TimelineItem => {
  const atMs = Date.parse(clip.from);
  return { key: clip.id, row: "clips", atMs, toMs: Math.max(atMs, Date.parse(clip.to)), says: clipTitle(clip), clip };
};

/**
 * Merges the parts of a timeline. Two parts may contain the same clip, and a late event may be inside what an earlier
 * part reported as a gap.
 */
export function buildTrack(parts: readonly Timeline[], nowMs: number): TimelineTrack {
  const entries = new Map(parts.flatMap((part) => part.entries.map((entry) => [entry.id, entry])));
  const noted = new Set([...entries.values()].map(({ clip }) => clip));
  const all = new Map(parts.flatMap((part) => part.clips.map((clip) => [clip.id, clip])));
  // The marker's event is an item of the track already.
  const clips = [...all.values()].filter(({ id, kind }) => kind !== "marker" || !noted.has(id));
  const items = [...clips.map(ofClip), ...[...entries.values()].map(ofEntry)].sort((a, b) => a.atMs - b.atMs);
  const session = parts.at(-1)?.session;
  const startMs = session === undefined ? nowMs : Date.parse(session.startedAt);
  const reached = items.reduce((latest, { toMs }) => Math.max(latest, toMs), startMs);
  const endMs = session?.endedAt ? Date.parse(session.endedAt) : nowMs;
  const isWhole = parts.at(-1)?.until === null;
  const fromMs = items.reduce((first, { atMs }) => Math.min(first, atMs), startMs);
  const toMs = Math.max(reached, isWhole ? endMs : reached, fromMs + 1_000);
  return { items, fromMs, toMs, gaps: gapsIn(parts, items, toMs) };
}

function gapsIn(parts: readonly Timeline[], items: readonly TimelineItem[], endMs: number): TimeRange[] {
  const named = parts
    .flatMap(({ gaps }) => gaps.map(({ from, to }) => ({ fromMs: Date.parse(from), toMs: Date.parse(to) })))
    .sort((a, b) => a.fromMs - b.fromMs);
  const empty: TimeRange[] = [];
  for (const { fromMs, toMs } of named) {
    const isLast = toMs >= Math.max(...items.slice(-1).map(({ atMs }) => atMs), 0);
    const isFilled = items.some((item) => item.atMs < toMs && item.toMs > fromMs && item.atMs !== item.toMs);
    const isTouched = items.some((item) => item.atMs > fromMs && item.atMs < toMs);
    const after = empty.at(-1)?.toMs ?? Number.NEGATIVE_INFINITY;
    // While the game is running, the gap at the end lasts until now.
    if (!isFilled && !isTouched && fromMs >= after) empty.push({ fromMs, toMs: isLast ? Math.max(toMs, endMs) : toMs });
  }
  return empty;
}

/** An item, or a gap between two items. */
type TimelineListEntry =
  | { readonly item: TimelineItem; readonly gap?: never }
  | { readonly gap: TimeRange; readonly item?: never };

/** Returns items and gaps in one list: each gap is before the first item that follows it. */
export function toTimelineList(items: readonly TimelineItem[], gaps: readonly TimeRange[]): TimelineListEntry[] {
  const waiting = [...gaps];
  const listed: TimelineListEntry[] = [];
  for (const item of items) {
    for (let gap = waiting[0]; gap !== undefined && gap.toMs <= item.atMs; gap = waiting[0]) {
      listed.push({ gap });
      waiting.shift();
    }
    listed.push({ item });
  }
  return [...listed, ...waiting.map((gap) => ({ gap }))];
}

/**
 * Returns the item that an arrow key moves to: left or right in time, up or down to the nearest item of the next row
 * that is not empty.
 */
export function nextItem(
  items: readonly TimelineItem[],
  from: TimelineItem | undefined,
  step: "back" | "on" | "up" | "down",
) {
  if (from === undefined) return items[0];
  const at = items.findIndex(({ key }) => key === from.key);
  if (step === "back" || step === "on") return items[at + (step === "on" ? 1 : -1)];
  const by = step === "down" ? 1 : -1;
  for (let lane = timelineRows.indexOf(from.row) + by; lane >= 0 && lane < timelineRows.length; lane += by) {
    const there = items.filter((item) => item.row === timelineRows[lane]);
    const far = (item: TimelineItem) => Math.abs(item.atMs - from.atMs);
    if (there.length > 0) return there.reduce((near, item) => (far(item) < far(near) ? item : near));
  }
  return undefined;
}

/** Returns the clip that stands for a mark of several: the first highlight, because no error names one. */
export function clipOfMark(items: readonly TimelineItem[]): TimelineClip | undefined {
  return items.find(({ clip }) => clip?.subject === "highlight")?.clip ?? items[0]?.clip;
}
