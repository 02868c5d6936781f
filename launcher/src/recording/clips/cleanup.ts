// Deletes clips permanently, in the order of the cleanup plan: beyond the quota, after 30 days in the trash, or on a nearly full disk.
import type { Statement } from "../../storage/sql.ts";
import { type CleanupPlan, cleanupPlan, type Removal } from "./cleanup-plan.ts";
import type { ClipFiles } from "./clip-files.ts";
import { type StoredClip, trashFileName } from "./clip-row.ts";
import { type ClipStore, countTrashDay, deleteClips, pruneClipsWithoutFile } from "./clip-store.ts";
import { type Disk, DiskNearlyFull, formatDiskSize, minFreeBytes, readDisk } from "./disk-space.ts";

export type CleanupDeps = {
  /** The clips folder; absolute. */
  readonly dir: string;
  readonly store: ClipStore;
  readonly files: ClipFiles;
  readonly write: (...statements: Statement[]) => Promise<void>;
  /** Current maximum size of all clips. */
  readonly quotaBytes: () => number;
  readonly now: () => number;
  /** Set in tests. */
  readonly disk?: (dir: string) => Promise<Disk>;
};

/** Counts days on which the launcher ran, so that a wrong clock cannot empty the trash. */
const trashDaysMax = 30;
/** Maximum markers and failed clips. The oldest are deleted. */
const clipsWithoutFileMax = 10_000;

const toClips = (stored: readonly StoredClip[]) => stored.map(({ clip }) => clip);

/** Not safe for concurrent calls. The library serializes them. */
export function createCleanup({ dir, store, files, write, quotaBytes, now, disk = readDisk }: CleanupDeps) {
  /** Deletes the file first: a row without a file is noticed later, but a file without a row would stay forever. */
  const deleteClip = async ({ clip, file }: StoredClip): Promise<void> => {
    if (clip.path !== null) await files.discard(clip.path);
    if (file !== null) await files.discard(files.absolutePath(trashFileName(clip.id, file)));
    await files.removePictures(clip.id);
    await write(deleteClips([clip.id]));
  };
  /** Skips clips that cannot be deleted, for example because another program has the file open. */
  const deleteAll = async (removals: readonly Removal[], stored: readonly StoredClip[]): Promise<Removal[]> => {
    const byId = new Map(stored.map((one) => [one.clip.id, one]));
    const done: Removal[] = [];
    for (const removal of removals) {
      const clip = byId.get(removal.clip.id);
      const isDeleted =
        clip !== undefined &&
        (await deleteClip(clip).then(
          () => true,
          () => false,
        ));
      if (isDeleted) done.push(removal);
    }
    return done;
  };
  const plan = (stored: readonly StoredClip[], quota: number): CleanupPlan =>
    cleanupPlan(toClips(stored), quota, now());
  const checkDisk = async () => {
    const is = await disk(dir);
    return { is, shortBytes: minFreeBytes(is) - is.freeBytes };
  };

  return {
    deleteClip,
    /** Returns what a quota would remove, without removing it. */
    async planCleanup(quota: number = quotaBytes()) {
      const { goes, ...totals } = plan(await store.withFile(), quota);
      return { ...totals, quotaBytes: quota, goes: [...goes] };
    },
    /** Enforces the quota, and deletes clips after 30 days of use in the trash. Returns what was deleted. */
    async enforceLimits(): Promise<readonly Removal[]> {
      await write(pruneClipsWithoutFile(clipsWithoutFileMax), countTrashDay(now()));
      const { bytes, binDays } = await store.usage();
      if (bytes <= quotaBytes() && binDays < trashDaysMax) return [];
      const stored = await store.withFile();
      const old = stored.filter((one) => one.deletedAtMs !== null && one.trashDays >= trashDaysMax);
      const deletedTrash = await deleteAll(
        toClips(old).map((clip) => ({ clip, why: `in the trash for ${trashDaysMax} days of use` })),
        stored,
      );
      const rest = stored.filter((one) => !old.includes(one));
      return [...deletedTrash, ...(await deleteAll(plan(rest, quotaBytes()).goes, rest))];
    },
    /**
     * Frees disk space for a cut. Throws DiskNearlyFull if that is impossible. If deleting all clips would not free enough, deletes
     * only the trash, so that no clip is lost in vain on a disk that others fill.
     */
    async prepareCut(): Promise<readonly Removal[]> {
      await files.createFolders();
      const { shortBytes } = await checkDisk();
      if (shortBytes <= 0) return [];
      const stored = await store.withFile();
      const { bytes } = plan(stored, Number.MAX_SAFE_INTEGER);
      const { fits, goes } = plan(stored, bytes - shortBytes);
      const deleted = await deleteAll(fits ? goes : goes.filter(({ clip }) => clip.deletedAt !== null), stored);
      const after = await checkDisk();
      if (after.shortBytes <= 0) return deleted;
      const free = formatDiskSize(after.is.freeBytes);
      const floor = formatDiskSize(minFreeBytes(after.is));
      throw new DiskNearlyFull(`the disk is nearly full: ${free} free, and clips leave ${floor} free`);
    },
  };
}
