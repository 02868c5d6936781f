// The ids of social events that games sent, and a pattern for each game: what a rule may be for.
import { useMemo } from "react";
import { useGames } from "../live/use-games.ts";

/** A list of ten thousand would stop a browser. */
const offeredMax = 200;

export function useEventIds(): { readonly seen: readonly string[]; readonly offered: readonly string[] } {
  const known = useGames().data;
  return useMemo(() => {
    const seen = (known?.rules ?? []).flatMap(({ kind, eventId }) => (kind === "social" ? [eventId] : []));
    const games = (known?.games ?? []).map(({ game }) => `${game}_*`);
    return { seen, offered: [...seen, ...games].slice(0, offeredMax) };
  }, [known]);
}
