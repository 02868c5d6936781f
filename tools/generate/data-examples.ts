// Documentation examples for stored data and backups.
import {
  type Backup,
  type DiskUsage,
  getDiskUsage,
  listBackups,
  listPreviousData,
  listWipes,
  makeBackup,
  type PreviousData,
  restoreBackup,
  restorePreviousData,
  type StoredAmounts,
  type Wipe,
  wipeAll,
  wipeGame,
} from "@kit/contract";
import type { Show } from "./show.ts";

const holdings: StoredAmounts = {
  events: 18_204,
  clips: 212,
  clipBytes: 7_412_300_800,
  pinned: 3,
  issues: 41,
  posts: 12,
  sessions: 96,
};

const usage: DiskUsage = {
  dataDir: "/home/ana/.local/share/kit",
  clipsDir: "/home/ana/.local/share/kit/clips",
  disk: { freeBytes: 81_604_378_624, totalBytes: 499_963_174_912 },
  lowDisk: false,
  bytes: {
    clips: 7_398_112_256,
    bin: 14_188_544,
    copies: 52_428_800,
    database: 48_234_496,
    backups: 141_557_760,
    aside: 0,
  },
  quotaBytes: 20_000_000_000,
  games: [{ game: "my_game", ...holdings }],
};

const backup: Backup = {
  name: "2026-03-14T09-26-53.612Z-own.db",
  at: "2026-03-14T09:26:53.612Z",
  bytes: 47_185_920,
  by: "person",
};

const aside: PreviousData = {
  name: "2026-03-14T09-30-11.004Z-restored",
  at: "2026-03-14T09:30:11.004Z",
  bytes: 48_234_496,
  why: "restored",
};

const wipe: Wipe = { game: "my_game", holdings, dueAt: "2026-03-14T09:31:40.900Z" };

export function showData(show: Show): void {
  show(getDiskUsage, { reply: usage });
  show(listBackups, { reply: { backups: [backup] } });
  show(makeBackup, { reply: backup });
  show(restoreBackup, { reply: { reopening: true, aside: aside.name } });
  show(listPreviousData, { reply: { aside: [aside] } });
  show(restorePreviousData, { reply: { reopening: true, aside: "2026-03-14T09-33-02.771Z-restored" } });
  show(listWipes, { reply: { wipes: [wipe] } });
  show(wipeGame, { body: { game: "my_game" }, reply: wipe });
  show(wipeAll, {
    body: { confirm: "wipe all" },
    reply: { reopening: true, aside: "2026-03-14T09-35-47.208Z-wiped" },
  });
}
