// Measures disk usage by kind of data and by game.
import { dirname } from "node:path";
import type { DiskUsage, StoredAmounts } from "@kit/contract";
import type { DataDir } from "../storage/data-dir.ts";
import { findPreviousData, sizeOnDisk } from "./previous-data.ts";

/** Counts the stored things of each game. The key null is for what belongs to no game. */
export type CountByGame = () => Promise<ReadonlyMap<string | null, Partial<StoredAmounts>>>;

export const noStoredAmounts: StoredAmounts = {
  events: 0,
  clips: 0,
  clipBytes: 0,
  pinned: 0,
  issues: 0,
  posts: 0,
  sessions: 0,
};

export async function sumStoredAmounts(counts: readonly CountByGame[]): Promise<Map<string | null, StoredAmounts>> {
  const all = new Map<string | null, StoredAmounts>();
  for (const counted of await Promise.all(counts.map((count) => count()))) {
    for (const [game, some] of counted) all.set(game, { ...noStoredAmounts, ...all.get(game), ...some });
  }
  return all;
}

type Disk = { readonly freeBytes: number; readonly totalBytes: number };

export type UsageDeps = {
  readonly dir: DataDir;
  readonly clipsDir: string;
  readonly storedAmounts: () => Promise<ReadonlyMap<string | null, StoredAmounts>>;
  /** Bytes of all clip files, and of those in the trash. */
  readonly clips: () => Promise<{ readonly bytes: number; readonly binBytes: number }>;
  readonly quotaBytes: () => Promise<number>;
  readonly diskOf: (dir: string) => Promise<Disk>;
  /** Returns the free space below which no clip is saved. */
  readonly minFreeBytes: (disk: Disk) => number;
};

/** Measures the nearest existing folder, because the clips folder is created with the first clip. */
async function diskAt(path: string, diskOf: UsageDeps["diskOf"]): Promise<Disk> {
  try {
    return await diskOf(path);
  } catch (error) {
    if (dirname(path) === path) throw error;
    return diskAt(dirname(path), diskOf);
  }
}

export async function computeUsage(needs: UsageDeps): Promise<DiskUsage> {
  const { dir, clipsDir } = needs;
  const [disk, holdings, clips, quotaBytes, asides] = await Promise.all([
    diskAt(clipsDir, needs.diskOf),
    needs.storedAmounts(),
    needs.clips(),
    needs.quotaBytes(),
    findPreviousData(needs),
  ]);
  const [copies, backups, ...database] = await Promise.all(
    [dir.networkCopies, dir.backups, dir.database, `${dir.database}-wal`, `${dir.database}-shm`, dir.liveCopy].map(
      sizeOnDisk,
    ),
  );
  return {
    dataDir: dir.path,
    clipsDir,
    disk,
    lowDisk: disk.freeBytes < needs.minFreeBytes(disk),
    bytes: {
      clips: clips.bytes - clips.binBytes,
      bin: clips.binBytes,
      copies: copies ?? 0,
      database: database.reduce((sum, bytes) => sum + bytes, 0),
      backups: backups ?? 0,
      aside: asides.reduce((sum, { bytes }) => sum + bytes, 0),
    },
    quotaBytes,
    games: [...holdings]
      .map(([game, held]) => ({ game, ...held }))
      .sort((one, other) => other.clipBytes - one.clipBytes || other.events - one.events),
  };
}
