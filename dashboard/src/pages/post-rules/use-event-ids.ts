// The event ids and patterns that the rule editor suggests, and the post texts that developers suggest for them.
import { useMemo } from "react";
import { useGames } from "../../api/use-games.ts";

/** More suggestions would be too many for a browser to show: there may be ten thousand event ids. */
const suggestionsMax = 200;

export type EventIds = {
  readonly seen: readonly string[];
  readonly suggestions: readonly string[];
  /** Post texts that developers suggest, by event id. */
  readonly suggestedTexts: ReadonlyMap<string, string>;
  /** True once the games have been fetched or the request has failed. */
  readonly isSettled: boolean;
};

export function useEventIds(): EventIds {
  const { data: known, isPending } = useGames();
  return useMemo(() => {
    const social = (known?.rules ?? []).filter(({ kind }) => kind === "social");
    const seen = social.map(({ eventId }) => eventId);
    const games = (known?.games ?? []).map(({ game }) => `${game}_*`);
    const texts = social.flatMap(({ eventId, postText }) => (postText === null ? [] : [[eventId, postText] as const]));
    const suggestions = [...seen, ...games].slice(0, suggestionsMax);
    return { seen, suggestions, suggestedTexts: new Map(texts), isSettled: !isPending };
  }, [known, isPending]);
}
