// The clips as the launcher lists them, fetched again whenever the feed says they changed.
import { getClip, KitError, listClips, planCleanup } from "@kit/contract";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useClient } from "../session/session-context.ts";
import { clipFilterOf, type GalleryFilter } from "./clip-filter.ts";

const pageClips = 60;
/** A made-up or mistyped event cannot be in more than a few. */
const clipsOfEventMax = 5;

export function useClipList(filter: GalleryFilter) {
  const client = useClient();
  return useInfiniteQuery({
    queryKey: ["clips", "list", filter],
    queryFn: ({ pageParam: before }) =>
      client.call(listClips, {
        query: { ...clipFilterOf(filter), ...(before === undefined ? {} : { before }), limit: pageClips },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.more ? page.clips.at(-1)?.id : undefined),
  });
}

export function useClip(id: string) {
  const client = useClient();
  return useQuery({
    queryKey: ["clips", "one", id],
    queryFn: () => client.call(getClip, { params: { id } }),
    retry: (failures, error) => failures < 2 && !(error instanceof KitError),
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
