// What sessions are handed.
import type { Games } from "../games/games.ts";
import type { Senders } from "../games/senders.ts";
import type { ProcessLife } from "../games/sessions/process-life.ts";
import { createSessions, type Sessions } from "../games/sessions/sessions.ts";
import type { Feed } from "../inbox/feed.ts";
import type { Inbox } from "../inbox/inbox.ts";
import { createEventIssueStore } from "../monitor/event-issue-store.ts";
import { createClipSpanStore } from "../recording/clips/clip-span-store.ts";
import { createEventPostStore } from "../social/posts/event-post-store.ts";
import type { Core } from "./core.ts";

/** A session shows what recording, the monitor and social made of its events; its crash is a report like any other. */
export function createSessionsFor({
  games,
  inbox,
  feed,
  ...core
}: Omit<Core, "config"> & {
  readonly senders: Senders;
  readonly life: ProcessLife;
  readonly settled: () => Promise<void>;
  readonly games: Games;
  readonly inbox: () => Inbox;
  readonly feed: Feed;
}): Sessions {
  const { storage } = core;
  return createSessions({
    ...core,
    ...createClipSpanStore(storage),
    ...createEventIssueStore(storage),
    ...createEventPostStore(storage),
    gameOf: games.gameOf,
    wordsOf: games.wordsOf,
    register: async (game) => games.isRegistered(game) || games.register(game, {}),
    report: (sender, body) => inbox().accept({ kind: "monitor", body, ...ownReport, sender }),
    onChanged: () => feed.changed("sessions"),
  });
}
const ownReport = { repeated: false, origin: null, client: "kit-run", socket: {} } as const;
