// What the monitor is handed.
import type { Sources } from "../games/source/sources.ts";
import type { Feed } from "../inbox/feed.ts";
import { type InboxStore, stateReached } from "../inbox/inbox-store.ts";
import { createMonitor, type Monitor } from "../monitor/monitor.ts";
import type { Recording } from "../recording/recording.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Core } from "./core.ts";

/** The monitor asks recording for the video of a new error, and the journal for what came before one. */
export function createMonitorFor({
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
    stateReached,
    requestClip: recording.requestClip,
    sentBefore: journal.sentBefore,
    sourcesOf: sources.sourcesOf,
    searchPath: config.searchPath,
    onChanged: () => feed.changed("issues"),
    onNotices: () => feed.changed("notices"),
  });
}
