// Collects the HTTP operations of games: switches, sources, kit.events.json and the library.
import type { GameRegistry } from "../games/games.ts";
import { createLibrary } from "../games/library/library.ts";
import { createLibraryStore } from "../games/library/library-store.ts";
import { createPlay } from "../games/library/play.ts";
import { createIconFinder } from "../games/library/program-icon.ts";
import { libraryRoutes } from "../games/library/routes.ts";
import { gameRoutes } from "../games/routes.ts";
import { createRuleCountStore } from "../games/rule-count-store.ts";
import type { Sessions } from "../games/sessions/sessions.ts";
import { sourceRoutes } from "../games/source/routes.ts";
import type { Sources } from "../games/source/sources.ts";
import type { Route } from "../http/route.ts";
import type { Feed } from "../inbox/feed.ts";
import { log } from "../log.ts";
import { createIssueCountStore } from "../monitor/issue-count-store.ts";
import { createClipCountStore } from "../recording/clips/clip-data-store.ts";
import type { Recording } from "../recording/recording.ts";
import { createDraftCountStore } from "../social/posts/draft-count-store.ts";
import type { Core } from "./core.ts";
import { wireEventsFile } from "./games.ts";

/** Each slice supplies a game's counts. Play starts this Kit once more as `kit run`. */
function wireLibrary({
  config,
  storage,
  now,
  games,
  recording,
  sessions,
  feed,
}: Core & {
  readonly games: GameRegistry;
  readonly recording: Recording;
  readonly sessions: Sessions;
  readonly feed: Feed;
}): readonly Route[] {
  const counts = {
    ...createClipCountStore(storage),
    ...createIssueCountStore(storage),
    ...createDraftCountStore(storage),
  };
  const play = createPlay({ ...config, runningSinceMs: sessions.runningSinceMs, onStarted: log.played });
  const onChanged = () => feed.notifyChange("games");
  return libraryRoutes(
    createLibrary({
      games,
      now,
      play,
      onChanged,
      ...counts,
      store: createLibraryStore(storage),
      write: storage.write,
      posterOf: recording.posterPath,
      findIcon: createIconFinder(now),
    }),
  );
}

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
