// The clips as the launcher lists them, fetched again whenever the feed says they changed.
import { type Clip, getClip, KitError, listClips, listClipTags, planCleanup } from "@kit/contract";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { clipFilterOf, type GalleryFilter, galleryQueryOf } from "./clip-filter.ts";
import { firstPages, type Listed, type LoadedClips, partClips, withPart } from "./clip-pages.ts";
import { useClient } from "./session-context.ts";

/** A made-up or mistyped event cannot be in more than a few. */
const clipsOfEventMax = 5;
const pendingMs = 1_000;
/** Parts nobody looks at any more. */
const forgottenAfterMs = 60_000;

const nothing: Listed = { clips: [], more: false };
const beginning: LoadedClips = { from: 0, to: 0 };

type Known = { readonly of: string; readonly listed: Listed; readonly bytes: number; readonly quotaBytes: number };

export type ClipList = {
  readonly clips: readonly Clip[];
  readonly more: boolean;
  /** What all files hold, and may hold; undefined until the launcher answered. */
  readonly disk: { readonly bytes: number; readonly quotaBytes: number } | undefined;
  /** What is shown is of another filter, until its own is there. */
  readonly isOld: boolean;
  readonly isFetching: boolean;
  readonly error: Error | undefined;
  /** Says which clips are looked at: only they, and the beginning, are fetched again when clips change. */
  look(looked: LoadedClips): void;
  again(): void;
};

const isGone = (error: unknown) => error instanceof KitError && error.code === "not_found";

/** A list of any length: fetched part by part as it is looked at. */
export function useClipList(filter: GalleryFilter): ClipList {
  const client = useClient();
  const of = galleryQueryOf(filter);
  const [known, setKnown] = useState<Known>();
  const [looked, setLooked] = useState({ of, ...beginning });
  const isOld = known?.of !== of;
  const listed = isOld ? nothing : known.listed;
  const { from, to } = looked.of === of ? looked : beginning;
  const befores = useMemo(() => firstPages(listed, { from, to }), [listed, from, to]);
  const parts = useQueries({
    queries: befores.map((before) => ({
      queryKey: ["clips", "list", of, before ?? null],
      queryFn: async () => {
        const query = { ...clipFilterOf(filter), ...(before === undefined ? {} : { before }), limit: partClips };
        return { before, ...(await client.call(listClips, { query })) };
      },
      gcTime: forgottenAfterMs,
    })),
  });
  // Each answer goes in once: older ones that are still remembered would bring back what has left since.
  const taken = useRef({ of, answers: new WeakSet<object>() });
  useEffect(() => {
    if (taken.current.of !== of) taken.current = { of, answers: new WeakSet() };
    const { answers } = taken.current;
    for (const { data } of parts) {
      if (data === undefined || answers.has(data)) continue;
      answers.add(data);
      const { bytes, quotaBytes, ...part } = data;
      setKnown((now) => {
        const before = now?.of === of ? now.listed : undefined;
        // Without its beginning a list is none.
        if (before === undefined && part.before !== undefined) return now;
        return { of, listed: withPart(before, part), bytes, quotaBytes };
      });
    }
  }, [parts, of]);
  const look = useCallback((now: LoadedClips) => setLooked({ of, ...now }), [of]);
  const error = parts.find((part) => part.error !== null && !isGone(part.error))?.error ?? undefined;
  const shown = known?.listed ?? nothing;
  return {
    clips: shown.clips,
    more: !isOld && shown.more,
    disk: known,
    isOld,
    isFetching: parts.some(({ isFetching }) => isFetching),
    error,
    look,
    again: () => {
      for (const part of parts) void part.refetch();
    },
  };
}

export function useClip(id: string) {
  const client = useClient();
  return useQuery({
    queryKey: ["clips", "one", id],
    queryFn: () => client.call(getClip, { params: { id } }),
    retry: (failures, error) => failures < 2 && !(error instanceof KitError),
    // The feed says when it changes; of one that is being made, whoever waits for it asks besides.
    refetchInterval: ({ state }) => (state.data?.state === "pending" ? pendingMs : false),
  });
}

/** The tags clips have, the most used first. */
export function useClipTags() {
  const client = useClient();
  return useQuery({
    queryKey: ["clips", "tags"],
    queryFn: async () => (await client.call(listClipTags, {})).tags.toSorted((a, b) => b.clips - a.clips),
  });
}

/** What an event became. `state` is the newest of its receipt: with it the answer changes. */
export function useClipsOfEvent(event: string, state: string) {
  const client = useClient();
  return useQuery({
    queryKey: ["clips", "event", event, state],
    queryFn: () => client.call(listClips, { query: { event, limit: clipsOfEventMax } }),
    placeholderData: (before, query) => (query?.queryKey[2] === event ? before : undefined),
  });
}

/** What would go if all had to fit into so many bytes; the set quota when left out. */
export function useCleanupPlan(quotaBytes: number | undefined) {
  const client = useClient();
  return useQuery({
    queryKey: ["clips", "cleanup", quotaBytes],
    queryFn: () => client.call(planCleanup, { query: quotaBytes === undefined ? {} : { quotaBytes } }),
    placeholderData: (before) => before,
  });
}
