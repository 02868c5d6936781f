// What games is handed, and who is told when it changes.
import { createEventsFile } from "../games/events-file/events-file.ts";
import { eventsFileRoutes } from "../games/events-file/routes.ts";
import type { Games } from "../games/games.ts";
import { createLibraryStore, named } from "../games/library/library-store.ts";
import { loadSources } from "../games/source/source-store.ts";
import { createSources, type Sources } from "../games/source/sources.ts";
import type { Route } from "../http/route.ts";
import type { Feed } from "../inbox/feed.ts";
import type { Monitor } from "../monitor/monitor.ts";
import type { Recording } from "../recording/recording.ts";
import type { Core } from "./core.ts";

/** A switch takes effect at once, not only with the next event. */
export function gamesSeen(filed: readonly { gamesChanged(): void }[], recording: Recording, feed: Feed): void {
  for (const { gamesChanged } of filed) gamesChanged();
  recording.switched();
  feed.changed("games");
}

/** A file says how events are shown, what becomes of them on the screen, and how the game is called: three stores, one write. */
export function eventsFileRoutesFor({
  storage,
  games,
  recording,
}: Pick<Core, "storage"> & { readonly games: Games; readonly recording: Recording }): readonly Route[] {
  const { entries } = createLibraryStore(storage);
  const nameOf = async (game: string) => (await entries()).get(game)?.name ?? null;
  const { rules } = recording;
  return eventsFileRoutes(createEventsFile({ games, rules, names: { nameOf, named }, write: storage.write }));
}

/** A switch of the monitor's takes effect at once, too. */
export function gamesChanged(onSeen: () => void, monitor: Pick<Monitor, "switched">): void {
  onSeen();
  monitor.switched();
}

/** The frames that are shown now may have other links. */
export function createSourcesFor({
  storage,
  now,
  feed,
}: Omit<Core, "config"> & { readonly feed: () => Feed }): Sources {
  const onChanged = () => {
    feed().changed("games");
    feed().changed("issues");
  };
  return createSources({ load: () => loadSources(storage), write: storage.write, now, onChanged });
}

/** A game that runs is only noticed once it is known whether it may be recorded. */
export async function loadGamesFirst(
  games: Games,
  recording: Recording,
  programs: { load(): Promise<void> },
): Promise<void> {
  await games.load();
  recording.switched();
  await programs.load();
}
