// The names under which games and events are shown.
import { createNames, type ListedNames, type Names } from "@kit/contract";
import { useEffect, useSyncExternalStore } from "react";
import { unsorted } from "../api/address-filters.ts";
import { useGames } from "../api/use-games.ts";
import { t } from "../language/language.ts";
import { visibleLine } from "./visible-text.ts";

/** A cache of what the launcher lists. A name that it does not have yet is made from the id. */
let listed: ListedNames = { games: [], rules: [] };
let names: Names = createNames(listed);
const listeners = new Set<() => void>();

export function setListedNames(latest: ListedNames): void {
  if (latest === listed) return;
  listed = latest;
  names = createNames(latest);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Draws a component again when names have changed. Pages do it; so must components that are memoized. */
export function useNames(): void {
  useSyncExternalStore(subscribe, () => names);
}

/** Keeps the names as the launcher lists them. */
export function useListedNames(): void {
  const { data } = useGames();
  useEffect(() => {
    if (data !== undefined) setListedNames(data);
  }, [data]);
  useNames();
}

/** Returns the name to show for a game; null means events without a game. */
export function gameName(game: string | null, charsMax = 60): string {
  if (game === null || game === unsorted) return t("Unsorted");
  return visibleLine(names.gameName(game), charsMax).trim() || t("Unnamed");
}

/** Returns the name to show for an event id. */
export const eventName = (eventId: string, game: string | null, charsMax = 100): string =>
  visibleLine(names.eventName(eventId, game), charsMax).trim() || t("Unnamed");
