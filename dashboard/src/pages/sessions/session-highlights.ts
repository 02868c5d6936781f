// The highlights of a session: its best clips, its errors by issue, and its posts.
import type { Clip, TimelineEntry } from "@kit/contract";
import type { TimelineItem } from "./timeline/session-items.ts";

export type SessionIssue = { readonly entry: TimelineEntry; readonly count: number };

/** Returns one entry for each issue with the number of its errors, the most frequent first. */
export function errorsByIssue(items: readonly TimelineItem[]): SessionIssue[] {
  const byIssue = new Map<string, SessionIssue>();
  for (const { entry } of items) {
    if (entry?.kind !== "monitor") continue;
    const of = entry.issue ?? entry.label;
    const before = byIssue.get(of);
    byIssue.set(of, { entry: before?.entry ?? entry, count: (before?.count ?? 0) + entry.count });
  }
  return [...byIssue.values()].sort((a, b) => b.count - a.count);
}

export const postEntries = (items: readonly TimelineItem[]): TimelineEntry[] =>
  items.flatMap(({ entry }) => (entry?.kind === "social" && entry.post !== null ? [entry] : []));

/** Counts how many moments each clip contains. */
function momentCounts(items: readonly TimelineItem[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { entry } of items) if (entry?.clip) counts.set(entry.clip, (counts.get(entry.clip) ?? 0) + 1);
  return counts;
}

/** Returns the ids of the `max` clips with the most moments. */
export function bestClipCandidates(items: readonly TimelineItem[], max: number): string[] {
  const counts = momentCounts(items);
  const saved = items.flatMap(({ clip }) => (clip?.state === "saved" && clip.kind === "clip" ? [clip.id] : []));
  return saved.sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0)).slice(0, max);
}

/** Sorts clips by priority, then by number of moments, then by start. */
export const sortBestClipsFirst = (clips: readonly Clip[]): Clip[] =>
  clips.toSorted(
    (a, b) =>
      b.priority - a.priority || b.events.length - a.events.length || Date.parse(a.startedAt) - Date.parse(b.startedAt),
  );
