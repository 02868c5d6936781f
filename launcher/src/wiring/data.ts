// Creates the data slice. Every other slice supplies the functions that count, export and wipe its own data.
import { recorderDefaults } from "@kit/contract";
import { createDataService, type DataService } from "../data/index.ts";
import { createGameDataStore } from "../games/index.ts";
import { copyAdmission } from "../http/admission-copy-store.ts";
import { createEventExportStore } from "../inbox/index.ts";
import { createIssueExportStore } from "../monitor/issues/issue-export-store.ts";
import { minFreeBytes, readDiskSpace } from "../recording/clips/cleanup.ts";
import { createClipDataStore } from "../recording/clips/clip-data-store.ts";
import { createClipStore } from "../recording/clips/clip-store.ts";
import { loadRecorderSettings } from "../recording/settings/setting-store.ts";
import { createPostExportStore } from "../social/posts/post-export-store.ts";
import type { Storage } from "../storage/storage.ts";
import { wireExport } from "./export.ts";
import type { SharedDeps } from "./shared.ts";

export function wireData(shared: SharedDeps): DataService {
  const { config, storage, dir, now, games, assignment, feed } = shared;
  const { migrations, clipsDir } = config;
  const stores = [
    createEventExportStore(storage, assignment.gameOf),
    createClipDataStore(storage),
    createIssueExportStore(storage),
    createPostExportStore(storage),
    createGameDataStore(storage),
  ];
  return createDataService({
    storage,
    dir,
    clipsDir,
    migrations,
    now,
    diskOf: readDiskSpace,
    minFreeBytes,
    counts: stores.map(({ count }) => count),
    copyAdmission: () => copyAdmission(storage),
    clips: createClipStore(storage, clipsDir, () => undefined).usage,
    quotaBytes: () => loadQuota(storage),
    hasGame: (game) => games.list().games.some((known) => known.game === game),
    exporting: wireExport(shared),
    onChanged: () => feed.notifyChange("storage"),
  });
}

async function loadQuota(storage: Storage): Promise<number> {
  const { quotaBytes } = await loadRecorderSettings(storage);
  return typeof quotaBytes === "number" ? quotaBytes : recorderDefaults.quotaBytes;
}
