// What recording is handed.
import type { Games } from "../games/games.ts";
import type { Feed } from "../inbox/feed.ts";
import { stateReached } from "../inbox/inbox-store.ts";
import { createRecording, type Recording } from "../recording/recording.ts";
import type { DataDir } from "../storage/data-dir.ts";
import type { Core } from "./core.ts";

/** Recording asks games what is switched on and what belongs to which game, and tells the feed what changed. */
export function createRecordingFor({
  config,
  games,
  feed,
  clipsChanged,
  ...core
}: Core & {
  readonly dir: DataDir;
  readonly games: Games;
  readonly feed: Feed;
  readonly clipsChanged: () => void;
}): Recording {
  return createRecording({
    ...config,
    ...core,
    stateReached,
    gameOf: games.gameOf,
    wordsOf: games.wordsOf,
    knownIds: () => games.idsOf("recording"),
    isOn: (game) => games.isOn("recording", game),
    onChanged(what) {
      feed.changed(what);
      if (what === "clips") clipsChanged();
    },
    onReceipts: feed.wake,
  });
}
