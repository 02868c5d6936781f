// Deletes clips permanently, in the order of the cleanup plan: beyond the quota, after 30 days in the trash, or on a nearly full disk.

import { statfs } from "node:fs/promises";
import { type Clip, type Message, MessageError } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Statement } from "../../storage/sql.ts";
import type { ClipFiles } from "./clip-files.ts";
import { type StoredClip, trashFileName } from "./clip-row.ts";
import { type ClipStore, countTrashDay, deleteClips, pruneClipsWithoutFile } from "./clip-store.ts";

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
        toClips(old).map((clip) => ({ clip, why: message("clip.in_trash_too_long", { days: trashDaysMax }) })),
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
      throw new DiskNearlyFull(message("disk.nearly_full_for_clips", { free, floor }));
    },
  };
}

export type Removal = { readonly clip: Clip; readonly why: Message };
export type CleanupPlan = {
  /** Total size of all files. */
  readonly bytes: number;
  readonly freedBytes: number;
  /** In order of removal. */
  readonly goes: readonly Removal[];
  /** False if the quota cannot be met, because pinned and pending clips are never removed. */
  readonly fits: boolean;
};

/** Added to the priority of a clip that was shared, or that shows an error. */
const sharedWorth = 400;
const errorWorth = 200;
/** A clip made within this time is removed after all older ones, because a person may be watching it. */
const freshMs = 3_600_000;

const worth = ({ priority, shared, hasError }: Clip) =>
  priority + (shared ? sharedWorth : 0) + (hasError ? errorWorth : 0);
const bytesOnDisk = ({ missing, path, bytes }: Clip) => (missing || path === null ? 0 : bytes);

/** For a trim, reads the creation time from its id, a UUID v7. */
const createdMs = ({ id, trimmedFrom, startedAt }: Clip) =>
  trimmedFrom === null ? Date.parse(startedAt) : Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);

type Ranked = { readonly clip: Clip; readonly ranks: readonly (number | string)[] };

function rankClip(clip: Clip, nowMs: number): Ranked {
  const startedMs = Date.parse(clip.startedAt);
  const deletedMs = clip.deletedAt === null ? null : Date.parse(clip.deletedAt);
  if (deletedMs !== null) return { clip, ranks: [0, 0, deletedMs, clip.id] };
  return { clip, ranks: [nowMs - createdMs(clip) < freshMs ? 2 : 1, worth(clip), startedMs, clip.id] };
}

function compareRanks(one: Ranked, other: Ranked): number {
  for (const [index, rank] of one.ranks.entries()) {
    const otherRank = other.ranks[index] ?? rank;
    if (rank !== otherRank) return rank < otherRank ? -1 : 1;
  }
  return 0;
}

function describeWorth({ shared, hasError }: Clip): Message {
  if (shared) return hasError ? message("clip.is_shared_with_error") : message("clip.is_shared");
  return hasError ? message("clip.has_error") : message("clip.neither_shared_nor_error");
}

function removalReason(clip: Clip, nowMs: number): Message {
  const daysSince = (iso: string) => Math.max(0, Math.floor((nowMs - Date.parse(iso)) / 86_400_000));
  const days = (count: number) => (count === 1 ? message("age.one_day") : message("age.days", { count }));
  if (clip.deletedAt !== null) return message("clip.in_trash_for", { age: days(daysSince(clip.deletedAt)) });
  const age = days(daysSince(clip.startedAt));
  return message("clip.removal_rank", { priority: clip.priority, about: describeWorth(clip), age });
}

/** Deterministic: the same clips, quota and time give the same plan. */
export function cleanupPlan(clips: readonly Clip[], quotaBytes: number, nowMs: number): CleanupPlan {
  const bytes = clips.reduce((sum, clip) => sum + bytesOnDisk(clip), 0);
  const order = clips
    .filter((clip) => clip.state === "saved" && bytesOnDisk(clip) > 0 && !clip.pinned)
    .map((clip) => rankClip(clip, nowMs))
    .toSorted(compareRanks);
  const goes: Removal[] = [];
  let freedBytes = 0;
  for (const { clip } of order) {
    if (bytes - freedBytes <= quotaBytes) break;
    freedBytes += bytesOnDisk(clip);
    goes.push({ clip, why: removalReason(clip, nowMs) });
  }
  return { bytes, freedBytes, goes, fits: bytes - freedBytes <= quotaBytes };
}

/** There is no space for another clip. The message states the free space for a person. */
export class DiskNearlyFull extends MessageError {
  override name = "DiskNearlyFull";
}

export type Disk = { readonly freeBytes: number; readonly totalBytes: number };

const minFreeBytesMax = 2_000_000_000;
const minFreeShare = 0.05;

export async function readDisk(dir: string): Promise<Disk> {
  const { bavail, blocks, bsize } = await statfs(dir);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/** Space left free for the game and the system: 2 GB, or 5 % of a small disk. */
export const minFreeBytes = ({ totalBytes }: Disk): number =>
  Math.min(minFreeBytesMax, Math.floor(totalBytes * minFreeShare));

export function formatDiskSize(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.round(bytes / 1e6)} MB`;
}
