// Query for the library, and the addresses of its pictures.
import { getCover, getIcon, type LibraryGame, listLibrary } from "@kit/contract";
import { useQuery } from "@tanstack/react-query";
import type { LauncherFile } from "./media-pass.tsx";
import { useClient } from "./session.ts";

/** The key begins with the topic `games`, so that the library is fetched again when the feed reports changed games. */
const libraryKey = ["games", "library"] as const;

export function useLibrary() {
  const client = useClient();
  return useQuery({ queryKey: libraryKey, queryFn: () => client.call(listLibrary) });
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
