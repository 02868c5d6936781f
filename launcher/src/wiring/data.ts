// What keeping is handed: what each slice counts, gives out and wipes of its own.
import { recorderDefaults } from "@kit/contract";
import { kitVersion } from "../config.ts";
import { createDataService, type DataService } from "../data/data.ts";
import { createGameExportStore } from "../games/game-export-store.ts";
import type { GameResolver } from "../games/game-resolver.ts";
import type { Games } from "../games/games.ts";
import { admissionCarried } from "../http/carried-store.ts";
import { createEventExportStore } from "../inbox/event-export-store.ts";
import type { Feed } from "../inbox/feed.ts";
import type { InboxStore } from "../inbox/inbox-store.ts";
import { createIssueExportStore } from "../monitor/issue-export-store.ts";
import { createClipExportStore } from "../recording/clips/clip-export-store.ts";
import { createClipStore } from "../recording/clips/clip-store.ts";
import { diskOf, floorOf } from "../recording/clips/disk.ts";
import { loadSettings } from "../recording/settings/setting-store.ts";
import { createPostExportStore } from "../social/posts/post-export-store.ts";
import type { DataDir } from "../storage/data-dir.ts";
import type { Storage } from "../storage/storage.ts";
import type { Core } from "./core.ts";
import { exportOf } from "./export.ts";

type KeepingGiven = Core & {
  readonly dir: DataDir;
  readonly games: Games;
  readonly filing: GameResolver;
  readonly journal: InboxStore;
  readonly feed: Feed;
};

export function createDataFor({ config, storage, dir, now, games, filing, journal, feed }: KeepingGiven): DataService {
  const { migrations, clipsDir } = config;
  const stores = [
    createEventExportStore(storage, filing.gameOf),
    createClipExportStore(storage),
    createIssueExportStore(storage),
    createPostExportStore(storage),
    createGameExportStore(storage),
  ];
  return createDataService({
    storage,
    dir,
    clipsDir,
    migrations,
    now,
    diskOf,
    floorOf,
    counts: stores.map(({ count }) => count),
    carried: () => admissionCarried(storage),
    clips: createClipStore(storage, clipsDir, () => undefined).usage,
    quotaBytes: () => quotaIn(storage),
    isKnown: (game) => games.list().games.some((known) => known.game === game),
    exporting: exportOf({ storage, clipsDir, games, journal, version: kitVersion }),
    onChanged: () => feed.changed("keeping"),
  });
}

async function quotaIn(storage: Storage): Promise<number> {
  const { quotaBytes } = await loadSettings(storage);
  return typeof quotaBytes === "number" ? quotaBytes : recorderDefaults.quotaBytes;
}
