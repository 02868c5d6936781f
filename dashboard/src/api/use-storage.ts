// What is kept, as the launcher says it: fetched again when the feed says it changed, and now and then.
import { getUsage, listAside, listBackups, listClips, listWipes, wipeGame } from "@kit/contract";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "./session-context.ts";

/** Games go on while somebody looks; counting costs little, and is no hurry. */
const everyMs = 5_000;
/** Pinned clips that are named before they go. */
const pinnedNamed = 5;

const keptKeys = {
  usage: ["keeping", "usage"],
  backups: ["keeping", "backups"],
  aside: ["keeping", "aside"],
  wipes: ["keeping", "wipes"],
} as const;

export function useUsage() {
  const client = useClient();
  return useQuery({
    queryKey: keptKeys.usage,
    queryFn: () => client.call(getUsage),
    refetchInterval: everyMs,
    retry: false,
  });
}

export function useBackups() {
  const client = useClient();
  return useQuery({ queryKey: keptKeys.backups, queryFn: () => client.call(listBackups), refetchInterval: everyMs });
}

export function useAside() {
  const client = useClient();
  return useQuery({ queryKey: keptKeys.aside, queryFn: () => client.call(listAside), refetchInterval: everyMs });
}

/** While one is due it is asked for often: when it is done is told by its absence. */
export function useWipes() {
  const client = useClient();
  return useQuery({
    queryKey: keptKeys.wipes,
    queryFn: () => client.call(listWipes),
    refetchInterval: ({ state }) => (state.data?.wipes.length ? 1_000 : everyMs),
  });
}

/** What would go with a game, counted now. */
export function useWipePlan(game: string) {
  const client = useClient();
  return useQuery({
    queryKey: ["keeping", "plan", game],
    queryFn: () => client.call(wipeGame, { body: { game, dryRun: true } }),
    gcTime: 0,
    staleTime: 0,
  });
}

export function usePinnedOf(game: string, pinned: number) {
  const client = useClient();
  return useQuery({
    queryKey: ["clips", "pinned", game],
    queryFn: () => client.call(listClips, { query: { game, pinned: true, limit: pinnedNamed } }),
    enabled: pinned > 0,
  });
}
