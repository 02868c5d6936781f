// The known games and rules, fetched once and again when the feed says they changed.
import { listGames } from "@kit/contract";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "./session-context.ts";

/** `everyMs`: again that often, for who shows how many events came. */
export function useGames(everyMs?: number) {
  const client = useClient();
  return useQuery({ queryKey: ["games"], queryFn: () => client.call(listGames), refetchInterval: everyMs ?? false });
}
