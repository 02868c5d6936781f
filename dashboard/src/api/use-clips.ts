// Queries for one clip, the clips of one event, and the cleanup plan.
import { type CleanupRequest, getClip, listClips, planCleanup } from "@kit/contract";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "./session.ts";

/** Maximum clips shown for one event. */
const clipsOfEventMax = 5;
const pendingMs = 1_000;

export function useClip(id: string) {
  const client = useClient();
  return useQuery({
    queryKey: ["clips", "one", id],
    queryFn: () => client.call(getClip, { params: { id } }),
    // The feed announces changes, but the progress of a pending clip is polled.
    refetchInterval: ({ state }) => (state.data?.state === "pending" ? pendingMs : false),
  });
}

/**
 * Fetches the clips of an event. `state` is part of the query key, so that a new state of the event causes a refetch.
 */
export function useClipsOfEvent(event: string, state: string) {
  const client = useClient();
  return useQuery({
    queryKey: ["clips", "event", event, state],
    queryFn: () => client.call(listClips, { query: { event, limit: clipsOfEventMax } }),
    placeholderData: (before, query) => (query?.queryKey[2] === event ? before : undefined),
  });
}

/** Fetches which clips Kit would remove for a request. Undefined fetches nothing. */
export function useCleanupPlan(request: CleanupRequest | undefined) {
  const client = useClient();
  return useQuery({
    queryKey: ["clips", "cleanup", request],
    enabled: request !== undefined,
    queryFn: () => client.call(planCleanup, { query: request ?? {} }),
    placeholderData: (before) => before,
  });
}
