// Creates the operations and sessions of games. The other slices supply a game's counts, covers, and what became of its events.
import {
  createEventsFiles,
  createGameLibrary,
  createGameSessions,
  createIconFinder,
  createPlayGame,
  type GameSessions,
  gameRoutes,
  type ProcessLife,
  type SourceFolders,
} from "../games/index.ts";
import type { Route } from "../http/route.ts";
import type { Inbox } from "../inbox/index.ts";
import { log } from "../log.ts";
import { createEventIssueStore, createIssueCountStore } from "../monitor/issues/issues-of-games-store.ts";
import { createClipCountStore, createClipSpanStore } from "../recording/clips/clip-data-store.ts";
import type { Recording } from "../recording/recording.ts";
import { createDraftCountStore, createEventPostStore } from "../social/posts/posts-of-games-store.ts";
import type { SharedDeps } from "./shared.ts";

/** A session shows the clips, issues and posts of its events. Its crash is sent as an error report. */
export function wireSessions(
  { storage, now, games, assignment, senders, feed }: SharedDeps,
  life: ProcessLife,
  inbox: () => Inbox,
): GameSessions {
  const ownReport = { repeated: false, origin: null, client: "kit-run", socket: {} } as const;
  return createGameSessions({
    ...createClipSpanStore(storage),
    ...createEventIssueStore(storage),
    ...createEventPostStore(storage),
    storage,
    now,
    assignment,
    senders,
    life,
    gameOf: (kind, eventId) => games.gameOf(kind, eventId),
    wordsOf: (eventId, game) => games.displayName(eventId, game),
    register: async (game) => games.isRegistered(game) || games.registerGame(game, {}),
    reportCrash: (sender, body) => inbox().accept({ kind: "monitor", body, ...ownReport, sender }),
    onChanged: () => feed.notifyChange("sessions"),
  });
}

type Others = { readonly recording: Recording; readonly sessions: GameSessions; readonly sources: SourceFolders };

/** Play starts this Kit once more as `kit run`. An events file's labels, recording rules and name are written in one commit. */
export function wireGameRoutes(
  { config, storage, now, games, feed }: SharedDeps,
  { recording, sessions, sources }: Others,
): readonly Route[] {
  const library = createGameLibrary({
    ...createClipCountStore(storage),
    ...createIssueCountStore(storage),
    ...createDraftCountStore(storage),
    games,
    storage,
    now,
    play: createPlayGame({ ...config, runningSinceMs: sessions.runningSinceMs, onStarted: log.played }),
    posterOf: recording.posterPath,
    findIcon: createIconFinder(now),
    onChanged: () => feed.notifyChange("games"),
  });
  const eventsFiles = createEventsFiles({ games, rules: recording.rules, storage });
  return gameRoutes({ storage, games, sources, eventsFiles, library });
}
