// Creates the recording slice.
import { insertReceiptState } from "../inbox/index.ts";
import { Recording } from "../recording/recording.ts";
import type { SharedDeps } from "./shared.ts";

/** Recording gets switches and the game of an event from games, and notifies the feed of changes. */
export function wireRecording(
  { config, storage, dir, now, games, feed }: SharedDeps,
  clipsChanged: () => void,
): Recording {
  return new Recording({
    ...config,
    storage,
    dir,
    now,
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
