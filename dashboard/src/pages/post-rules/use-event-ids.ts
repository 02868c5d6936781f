// The ids of social events that games sent, a pattern for each game, and the texts developers propose: what a rule may be for.
import { useMemo } from "react";
import { useGames } from "../../api/use-games.ts";

/** A list of ten thousand would stop a browser. */
const offeredMax = 200;

export type EventIds = {
  readonly seen: readonly string[];
  readonly offered: readonly string[];
  /** By event id: a text its developer proposes. */
  readonly proposed: ReadonlyMap<string, string>;
  /** They were asked for, with or without an answer. */
  readonly isSettled: boolean;
};

export function useEventIds(): EventIds {
  const { data: known, isPending } = useGames();
  return useMemo(() => {
    const social = (known?.rules ?? []).filter(({ kind }) => kind === "social");
    const seen = social.map(({ eventId }) => eventId);
    const games = (known?.games ?? []).map(({ game }) => `${game}_*`);
    const texts = social.flatMap(({ eventId, postText }) => (postText === null ? [] : [[eventId, postText] as const]));
    const offered = [...seen, ...games].slice(0, offeredMax);
    return { seen, offered, proposed: new Map(texts), isSettled: !isPending };
  }, [known, isPending]);
}
