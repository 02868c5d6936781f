// Creates the monitor slice.
import type { Sources } from "../games/source/sources.ts";
import type { Feed } from "../inbox/feed.ts";
import { type InboxStore, insertReceiptState } from "../inbox/inbox-store.ts";
import { createMonitor, type Monitor } from "../monitor/monitor.ts";
import type { Recording } from "../recording/recording.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Core } from "./core.ts";

/** The monitor gets the clip of a new error from recording, and the events before an error from the journal. */
export function wireMonitor({
  config,
  recording,
  journal,
  sources,
  feed,
  ...core
}: Core & {
  readonly recording: Recording;
  readonly journal: InboxStore;
  readonly sources: Sources;
  readonly secrets: Secrets;
  readonly feed: Feed;
}): Monitor {
  return createMonitor({
    ...core,
    stateReached: insertReceiptState,
    requestClip: recording.requestClip,
    sentBefore: journal.listPreceding,
    sourcesOf: sources.findSources,
    searchPath: config.searchPath,
    onChanged: () => feed.notifyChange("issues"),
    onNoticesChanged: () => feed.notifyChange("notices"),
  });
}
