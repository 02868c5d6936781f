// Queries for the known games and event ids.
import { listGames } from "@kit/contract";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useClient } from "./session.ts";

/** `everyMs`: polling interval, for pages that show how many events were sent. */
export function useGames(everyMs?: number) {
  const client = useClient();
  return useQuery({ queryKey: ["games"], queryFn: () => client.call(listGames), refetchInterval: everyMs ?? false });
}

/** Returns the sorted prefixes of all known games and of the games in `rows`. */
export function useGameNames(rows: readonly { readonly game: string | null }[]): string[] {
  const known = useGames().data?.games;
  return useMemo(() => {
    const listed = rows.flatMap(({ game }) => (game === null ? [] : [game]));
    return [...new Set([...(known ?? []).map(({ game }) => game), ...listed])].sort((a, b) => a.localeCompare(b));
  }, [known, rows]);
}
