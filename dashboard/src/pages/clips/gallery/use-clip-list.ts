// The loaded part of the gallery: fetches the list page by page and merges the pages.
import { type Clip, KitError, listClips } from "@kit/contract";
import { useQueries } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useClient } from "../../../api/session.ts";
import { type GalleryFilter, toClipFilter, toGalleryQuery } from "../clip-filter.ts";

/** The clips of a list that are loaded so far, from its beginning. */
export type LoadedClipList = {
  readonly clips: readonly Clip[];
  /** Whether the list continues after the last loaded clip. */
  readonly more: boolean;
};

/** One reply of the launcher: the clips after `before`, or the first clips if `before` is undefined. */
type ClipListPage = LoadedClipList & { readonly before: string | undefined };

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

/** How long a page of the list stays cached after no clip of it is visible any more. */
const unusedPageMs = 60_000;

const emptyList: LoadedClipList = { clips: [], more: false };
const firstRange: VisibleClips = { from: 0, to: 0 };

type Known = {
  readonly of: string;
  readonly listed: LoadedClipList;
  readonly bytes: number;
  readonly quotaBytes: number;
};

export type ClipList = {
  readonly clips: readonly Clip[];
  readonly more: boolean;
  /** Bytes that all clips use, and their limit; undefined until the launcher has answered. */
  readonly disk: { readonly bytes: number; readonly quotaBytes: number } | undefined;
  /** Whether the shown clips were fetched for the previous filter. */
  readonly isStale: boolean;
  readonly isFetching: boolean;
  readonly error: Error | undefined;
  /** Reports the visible clips. After a change, only their pages and the first page are fetched again. */
  setVisible(visible: VisibleClips): void;
  refetch(): void;
};

const isNotFound = (error: unknown) => error instanceof KitError && error.code === "not_found";

/** Returns a list of clips of any length, whose pages are fetched as the user scrolls. */
export function useClipList(filter: GalleryFilter): ClipList {
  const client = useClient();
  const of = toGalleryQuery(filter);
  const [known, setKnown] = useState<Known>();
  const [visible, setVisibleRange] = useState({ of, ...firstRange });
  const isOld = known?.of !== of;
  const listed = isOld ? emptyList : known.listed;
  const { from, to } = visible.of === of ? visible : firstRange;
  const befores = useMemo(() => pagesToFetch(listed, { from, to }), [listed, from, to]);
  const parts = useQueries({
    queries: befores.map((before) => ({
      queryKey: ["clips", "list", of, before ?? null],
      queryFn: async () => {
        const query = { ...toClipFilter(filter), ...(before === undefined ? {} : { before }), limit: clipsPerPage };
        return { before, ...(await client.call(listClips, { query })) };
      },
      gcTime: unusedPageMs,
    })),
  });
  // Each reply is merged only once: merging an older one from the cache again would bring back deleted clips.
  const mergedReplies = useRef({ of, answers: new WeakSet<object>() });
  useEffect(() => {
    if (mergedReplies.current.of !== of) mergedReplies.current = { of, answers: new WeakSet() };
    const { answers } = mergedReplies.current;
    for (const { data } of parts) {
      if (data === undefined || answers.has(data)) continue;
      answers.add(data);
      const { bytes, quotaBytes, ...part } = data;
      setKnown((now) => {
        const before = now?.of === of ? now.listed : undefined;
        // A later page cannot be shown before the first one has arrived.
        if (before === undefined && part.before !== undefined) return now;
        return { of, listed: mergePage(before, part), bytes, quotaBytes };
      });
    }
  }, [parts, of]);
  const setVisible = useCallback((now: VisibleClips) => setVisibleRange({ of, ...now }), [of]);
  const error = parts.find((part) => part.error !== null && !isNotFound(part.error))?.error ?? undefined;
  const shown = known?.listed ?? emptyList;
  return {
    clips: shown.clips,
    more: !isOld && shown.more,
    disk: known,
    isStale: isOld,
    isFetching: parts.some(({ isFetching }) => isFetching),
    error,
    setVisible,
    refetch: () => {
      for (const part of parts) void part.refetch();
    },
  };
}
