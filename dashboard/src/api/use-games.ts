// Queries for the known games and event ids, and for the library with the addresses of its pictures.
import {
  addLibraryGame,
  type BodyOf,
  getCover,
  getIcon,
  type LibraryGame,
  listGames,
  listLibrary,
} from "@kit/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import type { LauncherFile } from "./media-pass.ts";
import { useClient } from "./session.ts";

/** `everyMs`: polling interval, for pages that show how many events were sent. */
export function useGames(everyMs?: number) {
  const client = useClient();
  return useQuery({ queryKey: ["games"], queryFn: () => client.call(listGames), refetchInterval: everyMs ?? false });
}

/** Returns a function that fetches the games and event ids again. */
export function useRefetchGames(): () => Promise<void> {
  const queryClient = useQueryClient();
  return useCallback(() => queryClient.invalidateQueries({ queryKey: ["games"] }), [queryClient]);
}

/** Returns the sorted prefixes of all known games and of the games in `rows`. */
export function useGameNames(rows: readonly { readonly game: string | null }[]): string[] {
  const known = useGames().data?.games;
  return useMemo(() => {
    const listed = rows.flatMap(({ game }) => (game === null ? [] : [game]));
    return [...new Set([...(known ?? []).map(({ game }) => game), ...listed])].sort((a, b) => a.localeCompare(b));
  }, [known, rows]);
}

/** The key begins with the topic `games`, so that the library is fetched again when the feed reports changed games. */
const libraryKey = ["games", "library"] as const;

export function useLibrary() {
  const client = useClient();
  return useQuery({ queryKey: libraryKey, queryFn: () => client.call(listLibrary) });
}

/** Adds the program of a window as a game. */
export function useAddGame(onAdded: (game: LibraryGame) => void) {
  const client = useClient();
  const refetchGames = useRefetchGames();
  return useMutation({
    mutationFn: (body: BodyOf<typeof addLibraryGame>) => client.call(addLibraryGame, { body }),
    onSuccess: async (game) => {
      await refetchGames();
      onAdded(game);
    },
  });
}

export const coverFile = ({ game, coverVersion: v }: LibraryGame): LauncherFile => ({
  operation: getCover,
  params: { game },
  query: { v },
});

export const iconFile = ({ game, icon }: LibraryGame): LauncherFile => ({
  operation: getIcon,
  params: { game },
  query: icon === null ? {} : { v: icon },
});
