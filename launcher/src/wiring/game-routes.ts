// Collects the HTTP operations of games: switches, sources, kit.events.json and the library.
import type { GameRegistry } from "../games/games.ts";
import { gameRoutes } from "../games/routes.ts";
import { createRuleCountStore } from "../games/rule-count-store.ts";
import type { Sessions } from "../games/sessions/sessions.ts";
import { sourceRoutes } from "../games/source/routes.ts";
import type { Sources } from "../games/source/sources.ts";
import type { Route } from "../http/route.ts";
import type { Feed } from "../inbox/feed.ts";
import type { Recording } from "../recording/recording.ts";
import type { Core } from "./core.ts";
import { wireEventsFile } from "./games.ts";
import { wireLibrary } from "./library.ts";

export function wireGameRoutes(
  needs: Core & {
    readonly games: GameRegistry;
    readonly sources: Sources;
    readonly recording: Recording;
    readonly sessions: Sessions;
    readonly feed: Feed;
  },
): readonly Route[] {
  const { games, sources, storage } = needs;
  const seen = createRuleCountStore(storage);
  return [...gameRoutes(games, seen), ...sourceRoutes(sources), ...wireEventsFile(needs), ...wireLibrary(needs)];
}
