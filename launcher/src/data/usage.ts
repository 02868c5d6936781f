// What uses the disk, by kind and by game.
import { dirname } from "node:path";
import type { StoredAmounts, Usage } from "@kit/contract";
import type { DataDir } from "../storage/data-dir.ts";
import { bytesIn } from "./folder-size.ts";
import { listReplacedData } from "./quarantine.ts";

type Disk = { readonly freeBytes: number; readonly totalBytes: number };

export type UsageNeeds = {
  readonly dir: DataDir;
  readonly clipsDir: string;
  readonly holdings: () => Promise<ReadonlyMap<string | null, StoredAmounts>>;
  /** Bytes of clips' files, and of those among them that lie in the bin. */
  readonly clips: () => Promise<{ readonly bytes: number; readonly binBytes: number }>;
  readonly quotaBytes: () => Promise<number>;
  readonly diskOf: (dir: string) => Promise<Disk>;
  /** What clips leave free. */
  readonly floorOf: (disk: Disk) => number;
};

/** Of the nearest folder that is there: the clips' own is made with the first clip. */
async function diskAt(path: string, diskOf: UsageNeeds["diskOf"]): Promise<Disk> {
  try {
    return await diskOf(path);
  } catch (error) {
    if (dirname(path) === path) throw error;
    return diskAt(dirname(path), diskOf);
  }
}

export async function usageOf(needs: UsageNeeds): Promise<Usage> {
  const { dir, clipsDir } = needs;
  const [disk, holdings, clips, quotaBytes, asides] = await Promise.all([
    diskAt(clipsDir, needs.diskOf),
    needs.holdings(),
    needs.clips(),
    needs.quotaBytes(),
    listReplacedData(needs),
  ]);
  const [copies, backups, ...database] = await Promise.all(
    [dir.fitted, dir.backups, dir.database, `${dir.database}-wal`, `${dir.database}-shm`, dir.liveCopy].map(bytesIn),
  );
  return {
    dataDir: dir.path,
    clipsDir,
    disk,
    lowDisk: disk.freeBytes < needs.floorOf(disk),
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
