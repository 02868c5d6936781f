// Creates the data slice. Every other slice supplies the functions that count, export and wipe its own data.
import { recorderDefaults } from "@kit/contract";
import { kitVersion } from "../config.ts";
import { createDataService, type DataService } from "../data/data.ts";
import { createGameExportStore } from "../games/game-export-store.ts";
import type { GameResolver } from "../games/game-resolver.ts";
import type { GameRegistry } from "../games/games.ts";
import { copyAdmission } from "../http/admission-copy-store.ts";
import { createEventExportStore } from "../inbox/event-export-store.ts";
import type { Feed } from "../inbox/feed.ts";
import type { InboxStore } from "../inbox/inbox-store.ts";
import { createIssueExportStore } from "../monitor/issue-export-store.ts";
import { minFreeBytes, readDisk } from "../recording/clips/cleanup.ts";
import { createClipDataStore } from "../recording/clips/clip-data-store.ts";
import { createClipStore } from "../recording/clips/clip-store.ts";
import { loadSettings } from "../recording/settings/setting-store.ts";
import { createPostExportStore } from "../social/posts/post-export-store.ts";
import type { DataDir } from "../storage/data-dir.ts";
import type { Storage } from "../storage/storage.ts";
import type { Core } from "./core.ts";
import { createExport } from "./export.ts";

type DataWiringDeps = Core & {
  readonly dir: DataDir;
  readonly games: GameRegistry;
  readonly assignment: GameResolver;
  readonly journal: InboxStore;
  readonly feed: Feed;
};

export function wireData({ config, storage, dir, now, games, assignment, journal, feed }: DataWiringDeps): DataService {
  const { migrations, clipsDir } = config;
  const stores = [
    createEventExportStore(storage, assignment.gameOf),
    createClipDataStore(storage),
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
    diskOf: readDisk,
    minFreeBytes,
    counts: stores.map(({ count }) => count),
    copyAdmission: () => copyAdmission(storage),
    clips: createClipStore(storage, clipsDir, () => undefined).usage,
    quotaBytes: () => loadQuota(storage),
    hasGame: (game) => games.list().games.some((known) => known.game === game),
    exporting: createExport({ storage, clipsDir, games, journal, version: kitVersion }),
    onChanged: () => feed.notifyChange("keeping"),
  });
}

async function loadQuota(storage: Storage): Promise<number> {
  const { quotaBytes } = await loadSettings(storage);
  return typeof quotaBytes === "number" ? quotaBytes : recorderDefaults.quotaBytes;
}
