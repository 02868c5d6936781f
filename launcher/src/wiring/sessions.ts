// Creates sessions.
import type { GameRegistry } from "../games/games.ts";
import type { SenderRegistry } from "../games/senders.ts";
import type { ProcessLife } from "../games/sessions/process-life.ts";
import { createSessions, type Sessions } from "../games/sessions/sessions.ts";
import type { Feed } from "../inbox/feed.ts";
import type { Inbox } from "../inbox/inbox.ts";
import { createEventIssueStore } from "../monitor/event-issue-store.ts";
import { createClipSpanStore } from "../recording/clips/clip-data-store.ts";
import { createEventPostStore } from "../social/posts/event-post-store.ts";
import type { Core } from "./core.ts";

/** A session shows the clips, issues and posts of its events. Its crash is sent as an error report. */
export function wireSessions({
  games,
  inbox,
  feed,
  ...core
}: Omit<Core, "config"> & {
  readonly senders: SenderRegistry;
  readonly life: ProcessLife;
  readonly waitForSenders: () => Promise<void>;
  readonly games: GameRegistry;
  readonly inbox: () => Inbox;
  readonly feed: Feed;
}): Sessions {
  const { storage } = core;
  return createSessions({
    ...core,
    ...createClipSpanStore(storage),
    ...createEventIssueStore(storage),
    ...createEventPostStore(storage),
    gameOf: (kind, eventId) => games.gameOf(kind, eventId),
    wordsOf: (eventId, game) => games.displayName(eventId, game),
    register: async (game) => games.isRegistered(game) || games.registerGame(game, {}),
    report: (sender, body) => inbox().accept({ kind: "monitor", body, ...ownReport, sender }),
    onChanged: () => feed.notifyChange("sessions"),
  });
}
const ownReport = { repeated: false, origin: null, client: "kit-run", socket: {} } as const;
