// Merges pages of clips into the loaded part of a list. Pure.
import type { Clip } from "@kit/contract";

/** The clips of a list that are loaded so far, from its beginning. */
export type LoadedClipList = {
  readonly clips: readonly Clip[];
  /** Whether the list continues after the last loaded clip. */
  readonly more: boolean;
};

/** One reply of the launcher: the clips after `before`, or the first clips if `before` is undefined. */
export type ClipListPage = LoadedClipList & { readonly before: string | undefined };

/** Maximum clips per request. */
export const clipsPerPage = 100;

/**
 * Returns where the part of `known` ends that a page replaces. It begins at `from` and ends behind the last clip that
 * is also in the page.
 */
function replacedEnd(known: readonly Clip[], from: number, part: readonly Clip[]): number {
  const places = new Map(known.map(({ id }, index) => [id, index]));
  for (const { id } of part.toReversed()) {
    const at = places.get(id);
    if (at !== undefined && at >= from) return at + 1;
  }
  return from;
}

/** Merges a page into the loaded list. Changes nothing if the page follows a clip that is no longer in the list. */
export function mergePage(known: LoadedClipList | undefined, { before, clips, more }: ClipListPage): LoadedClipList {
  if (known === undefined) return { clips, more };
  const at = before === undefined ? 0 : known.clips.findIndex(({ id }) => id === before) + 1;
  if (before !== undefined && at === 0) return known;
  const isIn = new Set(clips.map(({ id }) => id));
  const ahead = known.clips.slice(0, at).filter(({ id }) => !isIn.has(id));
  if (!more) return { clips: [...ahead, ...clips], more };
  const to = replacedEnd(known.clips, at, clips);
  // The loaded list contains no clip of the page, so it is unknown which of its later clips still follow: all are
  // dropped.
  if (to === at) return { clips: [...ahead, ...clips], more };
  const behind = known.clips.slice(to).filter(({ id }) => !isIn.has(id));
  return { clips: [...ahead, ...clips, ...behind], more: behind.length === 0 ? more : known.more };
}

/** Positions of the first and last visible clip. */
export type VisibleClips = { readonly from: number; readonly to: number };

/** If fewer clips than this, one or two screens, follow the last visible one, the next page is fetched. */
const prefetchClips = 40;

/**
 * Returns the cursors of the pages that contain the visible clips, and of the first page; near the end, also of the
 * next page.
 */
export function pagesToFetch({ clips, more }: LoadedClipList, { from, to }: VisibleClips): (string | undefined)[] {
  const befores = new Set<string | undefined>([undefined]);
  for (let part = Math.floor(from / clipsPerPage); part <= Math.floor(to / clipsPerPage); part += 1) {
    const before = clips[part * clipsPerPage - 1];
    if (before) befores.add(before.id);
  }
  const last = clips.at(-1);
  if (more && last && to >= clips.length - prefetchClips) befores.add(last.id);
  return [...befores];
}
