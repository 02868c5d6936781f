// What is answered of games: their switches, their sources, their kit.events.json, and the library.
import type { Games } from "../games/games.ts";
import { gameRoutes } from "../games/routes.ts";
import { createSeenStore } from "../games/seen-store.ts";
import type { Sessions } from "../games/sessions/sessions.ts";
import { sourceRoutes } from "../games/source/routes.ts";
import type { Sources } from "../games/source/sources.ts";
import type { Route } from "../http/route.ts";
import type { Feed } from "../inbox/feed.ts";
import type { Recording } from "../recording/recording.ts";
import type { Core } from "./core.ts";
import { eventsFileRoutesFor } from "./games.ts";
import { libraryRoutesFor } from "./library.ts";

export function gameRoutesFor(
  needs: Core & {
    readonly games: Games;
    readonly sources: Sources;
    readonly recording: Recording;
    readonly sessions: Sessions;
    readonly feed: Feed;
  },
): readonly Route[] {
  const { games, sources, storage } = needs;
  const seen = createSeenStore(storage);
  return [
    ...gameRoutes(games, seen),
    ...sourceRoutes(sources),
    ...eventsFileRoutesFor(needs),
    ...libraryRoutesFor(needs),
  ];
}
