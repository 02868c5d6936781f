// Queries for disk usage, backups, previous data and wipes.
import { getDiskUsage, listBackups, listClips, listPreviousData, listWipes, wipeGame } from "@kit/contract";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "./session.ts";

/** Short, because counts grow while games run, and a request costs little. */
const refetchMs = 5_000;
/** How many pinned clips the page lists by name before a wipe. */
const namedPinnedMax = 5;

const storageKeys = {
  usage: ["storage", "usage"],
  backups: ["storage", "backups"],
  aside: ["storage", "aside"],
  wipes: ["storage", "wipes"],
} as const;

export function useUsage() {
  const client = useClient();
  return useQuery({
    queryKey: storageKeys.usage,
    queryFn: () => client.call(getDiskUsage),
    refetchInterval: refetchMs,
    retry: false,
  });
}

export function useBackups() {
  const client = useClient();
  return useQuery({
    queryKey: storageKeys.backups,
    queryFn: () => client.call(listBackups),
    refetchInterval: refetchMs,
  });
}

export function usePreviousData() {
  const client = useClient();
  return useQuery({
    queryKey: storageKeys.aside,
    queryFn: () => client.call(listPreviousData),
    refetchInterval: refetchMs,
  });
}

/** Fetches the pending wipes, more often while there is one. A wipe that is no longer listed is over. */
export function useWipes() {
  const client = useClient();
  return useQuery({
    queryKey: storageKeys.wipes,
    queryFn: () => client.call(listWipes),
    refetchInterval: ({ state }) => (state.data?.wipes.length ? 1_000 : refetchMs),
  });
}

/** Fetches what a wipe of the game would delete now. */
export function useWipePlan(game: string) {
  const client = useClient();
  return useQuery({
    queryKey: ["storage", "plan", game],
    queryFn: () => client.call(wipeGame, { body: { game, dryRun: true } }),
    gcTime: 0,
    staleTime: 0,
  });
}

export function usePinnedClips(game: string, pinned: number) {
  const client = useClient();
  return useQuery({
    queryKey: ["clips", "pinned", game],
    queryFn: () => client.call(listClips, { query: { game, pinned: true, limit: namedPinnedMax } }),
    enabled: pinned > 0,
  });
}
