// Creates the recording slice.
import type { GameRegistry } from "../games/games.ts";
import type { Feed } from "../inbox/feed.ts";
import { insertReceiptState } from "../inbox/inbox-store.ts";
import { Recording } from "../recording/recording.ts";
import type { DataDir } from "../storage/data-dir.ts";
import type { Core } from "./core.ts";

/** Recording gets switches and the game of an event from games, and notifies the feed of changes. */
export function wireRecording({
  config,
  games,
  feed,
  clipsChanged,
  ...core
}: Core & {
  readonly dir: DataDir;
  readonly games: GameRegistry;
  readonly feed: Feed;
  readonly clipsChanged: () => void;
}): Recording {
  return new Recording({
    ...config,
    ...core,
    stateReached: insertReceiptState,
    gameOf: (kind, eventId) => games.gameOf(kind, eventId),
    labelOf: (eventId, game) => games.displayName(eventId, game),
    knownIds: () => games.idsOfService("recording"),
    isOn: (game) => games.isOn("recording", game),
    onChanged(what) {
      feed.notifyChange(what);
      if (what === "clips") clipsChanged();
    },
    onReceipts: feed.wake,
  });
}
