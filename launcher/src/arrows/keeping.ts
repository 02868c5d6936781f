// What keeping is handed: what each slice counts, gives out and wipes of its own.
import { recorderDefaults } from "@kit/contract";
import { kitVersion } from "../config.ts";
import type { Filing } from "../games/filing.ts";
import type { Games } from "../games/games.ts";
import { createKeptGameStore } from "../games/kept-game-store.ts";
import { admissionCarried } from "../http/carried-store.ts";
import type { Feed } from "../inbox/feed.ts";
import type { InboxStore } from "../inbox/inbox-store.ts";
import { createKeptEventStore } from "../inbox/kept-event-store.ts";
import { createKeeping, type Keeping } from "../keeping/keeping.ts";
import { createKeptIssueStore } from "../monitor/kept-issue-store.ts";
import { createClipStore } from "../recording/clips/clip-store.ts";
import { diskOf, floorOf } from "../recording/clips/disk.ts";
import { createKeptClipStore } from "../recording/clips/kept-clip-store.ts";
import { loadSettings } from "../recording/settings/setting-store.ts";
import { createKeptPostStore } from "../social/posts/kept-post-store.ts";
import type { DataDir } from "../storage/data-dir.ts";
import type { Storage } from "../storage/storage.ts";
import type { Core } from "./core.ts";
import { exportOf } from "./export.ts";

type KeepingGiven = Core & {
  readonly dir: DataDir;
  readonly games: Games;
  readonly filing: Filing;
  readonly journal: InboxStore;
  readonly feed: Feed;
};

export function createKeepingFor({ config, storage, dir, now, games, filing, journal, feed }: KeepingGiven): Keeping {
  const { migrations, clipsDir } = config;
  const stores = [
    createKeptEventStore(storage, filing.gameOf),
    createKeptClipStore(storage),
    createKeptIssueStore(storage),
    createKeptPostStore(storage),
    createKeptGameStore(storage),
  ];
  return createKeeping({
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
