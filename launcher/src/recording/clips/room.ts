// Makes room: removes clips for good, in the order of the cleanup plan, for the quota, the bin's time and a disk nearly full.
import type { Statement } from "../../storage/sql.ts";
import { type CleanupPlan, cleanupPlan, type Going } from "./cleanup-plan.ts";
import type { ClipFiles } from "./clip-files.ts";
import { binNameOf, type StoredClip } from "./clip-row.ts";
import { binDay, type ClipStore, leftoversBeyond, removed } from "./clip-store.ts";
import { type Disk, DiskNearlyFull, diskOf, floorOf, sizeInWords } from "./disk.ts";

export type RoomNeeds = {
  /** The clips folder; absolute. */
  readonly dir: string;
  readonly store: ClipStore;
  readonly files: ClipFiles;
  readonly write: (...statements: Statement[]) => Promise<void>;
  /** What all clips together may hold now. */
  readonly quotaBytes: () => number;
  readonly now: () => number;
  /** Tests set it. */
  readonly disk?: (dir: string) => Promise<Disk>;
};

/** Days on which the launcher ran: a clock that is far ahead for once is one of them. */
const binDaysMax = 30;
/** Markers and failures that are listed; the oldest go. */
const leftoversMax = 10_000;

const clipsOf = (kept: readonly StoredClip[]) => kept.map(({ clip }) => clip);

/** One call at a time; the library sees to that. */
export function createRoom({ dir, store, files, write, quotaBytes, now, disk = diskOf }: RoomNeeds) {
  /** File first: a row without its file is noticed, a file without its row would stay for ever. */
  const wipe = async ({ clip, file }: StoredClip): Promise<void> => {
    if (clip.path !== null) await files.discard(clip.path);
    if (file !== null) await files.discard(files.pathOf(binNameOf(clip.id, file)));
    await files.removePictures(clip.id);
    await write(removed([clip.id]));
  };
  /** Goes on when one of them cannot be removed now: another program may hold it open. */
  const wipeAll = async (going: readonly Going[], kept: readonly StoredClip[]): Promise<Going[]> => {
    const byId = new Map(kept.map((one) => [one.clip.id, one]));
    const gone: Going[] = [];
    for (const one of going) {
      const found = byId.get(one.clip.id);
      const isGone =
        found !== undefined &&
        (await wipe(found).then(
          () => true,
          () => false,
        ));
      if (isGone) gone.push(one);
    }
    return gone;
  };
  const planOf = (kept: readonly StoredClip[], quota: number): CleanupPlan => cleanupPlan(clipsOf(kept), quota, now());
  const disksShort = async () => {
    const is = await disk(dir);
    return { is, shortBytes: floorOf(is) - is.freeBytes };
  };

  return {
    wipe,
    /** What would go; nothing does. */
    async cleanup(quota: number = quotaBytes()) {
      const { goes, ...plan } = planOf(await store.withFile(), quota);
      return { ...plan, quotaBytes: quota, goes: [...goes] };
    },
    /** Keeps to the quota and empties what lay in the bin for 30 days of use. Says what went. */
    async tidy(): Promise<readonly Going[]> {
      await write(leftoversBeyond(leftoversMax), binDay(now()));
      const { bytes, binDays } = await store.usage();
      if (bytes <= quotaBytes() && binDays < binDaysMax) return [];
      const kept = await store.withFile();
      const old = kept.filter((one) => one.deletedAtMs !== null && one.binDays >= binDaysMax);
      const oldGone = await wipeAll(
        clipsOf(old).map((clip) => ({ clip, why: `in the bin for ${binDaysMax} days of use` })),
        kept,
      );
      const rest = kept.filter((one) => !old.includes(one));
      return [...oldGone, ...(await wipeAll(planOf(rest, quotaBytes()).goes, rest))];
    },
    /**
     * Before anything is written. Throws DiskNearlyFull when there is no room, not even after removing what may go;
     * when all of that would not be enough, only the bin goes: clips are not given up in vain for a disk others fill.
     */
    async prepareCut(): Promise<readonly Going[]> {
      await files.prepare();
      const { shortBytes } = await disksShort();
      if (shortBytes <= 0) return [];
      const kept = await store.withFile();
      const { bytes } = planOf(kept, Number.MAX_SAFE_INTEGER);
      const { fits, goes } = planOf(kept, bytes - shortBytes);
      const gone = await wipeAll(fits ? goes : goes.filter(({ clip }) => clip.deletedAt !== null), kept);
      const after = await disksShort();
      if (after.shortBytes <= 0) return gone;
      const free = sizeInWords(after.is.freeBytes);
      const floor = sizeInWords(floorOf(after.is));
      throw new DiskNearlyFull(`the disk is nearly full: ${free} free, and clips leave ${floor} free`);
    },
  };
}
