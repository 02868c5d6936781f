// The loaded part of the gallery: fetches the list page by page and merges the pages.
import { type Clip, KitError, listClips } from "@kit/contract";
import { useQueries } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useClient } from "../../../api/session-context.ts";
import { type GalleryFilter, toClipFilter, toGalleryQuery } from "../clip-filter.ts";
import { clipsPerPage, type LoadedClipList, mergePage, pagesToFetch, type VisibleClips } from "./clip-pages.ts";

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
