// Creates the monitor slice.
import type { SourceFolders } from "../games/index.ts";
import { insertReceiptState } from "../inbox/index.ts";
import { createMonitor, type Monitor } from "../monitor/monitor.ts";
import type { Recording } from "../recording/recording.ts";
import type { SharedDeps } from "./shared.ts";

/** The monitor gets the clip of a new error from recording, and the events before an error from the journal. */
export function wireMonitor(
  { config, storage, now, secrets, journal, feed }: SharedDeps,
  { recording, sources }: { readonly recording: Recording; readonly sources: SourceFolders },
): Monitor {
  return createMonitor({
    storage,
    now,
    secrets,
    stateReached: insertReceiptState,
    requestClip: recording.requestClip,
    sentBefore: journal.listPreceding,
    sourcesOf: sources.findSources,
    searchPath: config.searchPath,
    onChanged: () => feed.notifyChange("issues"),
    onNoticesChanged: () => feed.notifyChange("notices"),
  });
}
