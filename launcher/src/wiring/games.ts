// Connects games to other slices, and notifies them of changes.
import { createEventsFile } from "../games/events-file/events-file.ts";
import { eventsFileRoutes } from "../games/events-file/routes.ts";
import type { GameRegistry } from "../games/games.ts";
import { createLibraryStore, saveName } from "../games/library/library-store.ts";
import { loadSources } from "../games/source/source-store.ts";
import { createSources, type Sources } from "../games/source/sources.ts";
import type { Route } from "../http/route.ts";
import type { Feed } from "../inbox/feed.ts";
import type { Monitor } from "../monitor/monitor.ts";
import type { Recording } from "../recording/recording.ts";
import type { Core } from "./core.ts";

/** Applies changed switches at once, and not only at the next event. */
export function gamesSeen(listeners: readonly { onGamesChanged(): void }[], recording: Recording, feed: Feed): void {
  for (const listener of listeners) listener.onGamesChanged();
  recording.applySwitches();
  feed.notifyChange("games");
}

/** An events file contains labels, recording rules and the game's name. All are written in one commit. */
export function wireEventsFile({
  storage,
  games,
  recording,
}: Pick<Core, "storage"> & { readonly games: GameRegistry; readonly recording: Recording }): readonly Route[] {
  const { entries } = createLibraryStore(storage);
  const nameOf = async (game: string) => (await entries()).get(game)?.name ?? null;
  const { rules } = recording;
  return eventsFileRoutes(createEventsFile({ games, rules, names: { nameOf, named: saveName }, write: storage.write }));
}

/** Also applies switches of the monitor at once. */
export function gamesChanged(onSeen: () => void, monitor: Pick<Monitor, "onSwitchChanged">): void {
  onSeen();
  monitor.onSwitchChanged();
}

/** Changed sources also change the links of issues' frames. */
export function wireSources({ storage, now, feed }: Omit<Core, "config"> & { readonly feed: () => Feed }): Sources {
  const onChanged = () => {
    feed().notifyChange("games");
    feed().notifyChange("issues");
  };
  return createSources({ load: () => loadSources(storage), write: storage.write, now, onChanged });
}

/** Running games are detected only after the switches are loaded, which decide whether they are recorded. */
export async function loadGamesFirst(
  games: GameRegistry,
  recording: Recording,
  programs: { load(): Promise<void> },
): Promise<void> {
  await games.load();
  recording.applySwitches();
  await programs.load();
}
