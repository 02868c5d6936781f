// What a session comes to: its best clips, its errors by issue, its posts. Pure.
import type { Clip, TimelineEntry } from "@kit/contract";
import type { Item } from "../../ui/sessions/session-items.ts";

export type SessionError = { readonly entry: TimelineEntry; readonly count: number };

/** One of each issue, what happened most often first. */
export function errorsIn(items: readonly Item[]): SessionError[] {
  const told = new Map<string, SessionError>();
  for (const { entry } of items) {
    if (entry?.kind !== "monitor") continue;
    const of = entry.issue ?? entry.label;
    const before = told.get(of);
    told.set(of, { entry: before?.entry ?? entry, count: (before?.count ?? 0) + entry.count });
  }
  return [...told.values()].sort((a, b) => b.count - a.count);
}

export const postsIn = (items: readonly Item[]): TimelineEntry[] =>
  items.flatMap(({ entry }) => (entry?.kind === "social" && entry.post !== null ? [entry] : []));

/** How many moments each clip holds. */
function momentsIn(items: readonly Item[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { entry } of items) if (entry?.clip) counts.set(entry.clip, (counts.get(entry.clip) ?? 0) + 1);
  return counts;
}

/** Ids of the clips that may be the best: those with most moments. */
export function likelyBest(items: readonly Item[], max: number): string[] {
  const counts = momentsIn(items);
  const saved = items.flatMap(({ clip }) => (clip?.state === "saved" && clip.kind === "clip" ? [clip.id] : []));
  return saved.sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0)).slice(0, max);
}

/** By what their moments are worth, then by how many there are, then as they came. */
export const bestFirst = (clips: readonly Clip[]): Clip[] =>
  clips.toSorted(
    (a, b) =>
      b.priority - a.priority || b.events.length - a.events.length || Date.parse(a.startedAt) - Date.parse(b.startedAt),
  );
