// Deletes clips for good: beyond the quota, after 30 days in the trash, or if the disk is nearly full. A plan decides the order.

import { statfs } from "node:fs/promises";
import { type CleanupRequest, type Clip, type Message, MessageError } from "@kit/contract";
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
  /** Returns the maximum size of all clips together. */
  readonly quotaBytes: () => number;
  /** Returns the ids of the clips of posts that can still be sent. */
  readonly neededClips: () => Promise<ReadonlySet<string>>;
  readonly now: () => number;
  /** For tests. */
  readonly disk?: (dir: string) => Promise<DiskSpace>;
};

/**
 * After this many days in the trash, a clip is deleted. Only days on which the launcher ran count, so that a wrong clock cannot
 * empty the trash.
 */
const trashDaysMax = 30;
/** Maximum number of clips without a file, such as markers. Beyond it, the oldest are deleted. */
const clipsWithoutFileMax = 10_000;

/** How many test recordings are deleted at once. */
const testsMax = 20;

const toClips = (stored: readonly StoredClip[]) => stored.map(({ clip }) => clip);

/** The caller must not run two of these functions at once. */
export function createCleanup({
  dir,
  store,
  files,
  write,
  quotaBytes,
  neededClips,
  now,
  disk = readDiskSpace,
}: CleanupDeps) {
  /** Deletes the file before the row: a row without a file is noticed later, but a file without a row would stay for ever. */
  const deleteClip = async ({ clip, file }: StoredClip): Promise<void> => {
    if (clip.path !== null) await files.discard(clip.path);
    if (file !== null) await files.discard(files.absolutePath(trashFileName(clip.id, file)));
    await files.removePictures(clip.id);
    await write(deleteClips([clip.id]));
  };
  /** Skips clips that cannot be deleted, for example because another program has the file open. */
  const deleteAll = async (removals: readonly ClipRemoval[], stored: readonly StoredClip[]): Promise<ClipRemoval[]> => {
    const byId = new Map(stored.map((one) => [one.clip.id, one]));
    const done: ClipRemoval[] = [];
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
  const plan = async (stored: readonly StoredClip[], quota: number): Promise<CleanupPlan> =>
    makeCleanupPlan(toClips(stored), quota, now(), { needed: await neededClips() });
  const checkDisk = async () => {
    const is = await disk(dir);
    return { is, shortBytes: minFreeBytes(is) - is.freeBytes };
  };

  return {
    deleteClip,
    /**
     * Returns what a quota would delete, or what a person can delete to free some space: nothing that a post needs, and
     * nothing at all if it would not be enough. Deletes nothing.
     */
    async planCleanup({ quotaBytes: wanted = quotaBytes(), freeBytes, ...choice }: CleanupRequest = {}) {
      const clips = toClips(await store.withFile());
      const needed = await neededClips();
      if (freeBytes === undefined) {
        const { goes, ...rest } = makeCleanupPlan(clips, wanted, now(), { ...choice, needed });
        return { ...rest, quotaBytes: wanted, goes: [...goes] };
      }
      const quota = Math.max(0, bytesOfAll(clips) - freeBytes);
      const { goes, ...rest } = makeCleanupPlan(clips, quota, now(), { ...choice, needed, keepsNeeded: true });
      const fits = rest.freeableBytes >= freeBytes;
      return { ...rest, quotaBytes: quota, ...(fits ? { fits, goes: [...goes] } : { fits, goes: [], freedBytes: 0 }) };
    },
    /**
     * Deletes clips beyond the quota, those that were in the trash for 30 days of use, and all test recordings but the newest.
     * Returns what was deleted of the first two.
     */
    async enforceLimits(): Promise<readonly ClipRemoval[]> {
      await write(pruneClipsWithoutFile(clipsWithoutFileMax), countTrashDay(now()));
      const [, ...oldTests] = await store.list({ subject: "test" }, null, testsMax);
      for (const test of oldTests) await deleteClip(test);
      const { bytes, binDays } = await store.usage();
      if (bytes <= quotaBytes() && binDays < trashDaysMax) return [];
      const stored = await store.withFile();
      const old = stored.filter((one) => one.deletedAtMs !== null && one.trashDays >= trashDaysMax);
      const deletedTrash = await deleteAll(
        toClips(old).map((clip) => ({ clip, why: message("clip.in_trash_too_long", { days: trashDaysMax }) })),
        stored,
      );
      const rest = stored.filter((one) => !old.includes(one));
      return [...deletedTrash, ...(await deleteAll((await plan(rest, quotaBytes())).goes, rest))];
    },
    /**
     * Frees disk space for a cut, or throws DiskNearlyFull. If even all clips would not free enough, deletes only those in the
     * trash: no clip should be lost in vain because other programs fill the disk.
     */
    async prepareCut(): Promise<readonly ClipRemoval[]> {
      await files.createFolders();
      const { shortBytes } = await checkDisk();
      if (shortBytes <= 0) return [];
      const stored = await store.withFile();
      const { fits, goes } = await plan(stored, bytesOfAll(toClips(stored)) - shortBytes);
      const deleted = await deleteAll(fits ? goes : goes.filter(({ clip }) => clip.deletedAt !== null), stored);
      const after = await checkDisk();
      if (after.shortBytes <= 0) return deleted;
      const free = formatDiskSize(after.is.freeBytes);
      const floor = formatDiskSize(minFreeBytes(after.is));
      throw new DiskNearlyFull(message("disk.nearly_full_for_clips", { free, floor }));
    },
  };
}

export type ClipRemoval = { readonly clip: Clip; readonly why: Message };
export type CleanupPlan = {
  /** Total size of all files. */
  readonly bytes: number;
  readonly freedBytes: number;
  /** Total size of all files that may be deleted. */
  readonly freeableBytes: number;
  /** What is deleted, in this order. */
  readonly goes: readonly ClipRemoval[];
  /** False if even deleting all of `goes` does not meet the quota, because pinned and pending clips are never deleted. */
  readonly fits: boolean;
};

/** Added to the priority of a clip that was shared. */
const sharedWorth = 400;
/** A clip that is newer than this is deleted after all older ones, because a person may be watching it. */
const freshMs = 3_600_000;

const worth = ({ priority, shared }: Clip) => priority + (shared ? sharedWorth : 0);
const bytesOnDisk = ({ missing, path, bytes }: Clip) => (missing || path === null ? 0 : bytes);

/** Returns when a clip was made. For a trim, its id (a UUID v7) shows that. */
const createdMs = ({ id, trimmedFrom, parts, startedAt }: Clip) =>
  trimmedFrom === null && parts === undefined
    ? Date.parse(startedAt)
    : Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);

const bytesOfAll = (clips: readonly Clip[]) => clips.reduce((sum, clip) => sum + bytesOnDisk(clip), 0);

type CleanupChoice = Pick<CleanupRequest, "by" | "game"> & {
  /** Ids of clips that go after all others, because a post needs them. */
  readonly needed?: ReadonlySet<string>;
  /** Those clips do not go at all. */
  readonly keepsNeeded?: boolean;
};
type Ranked = { readonly clip: Clip; readonly ranks: readonly (number | string)[] };

function rankClip(clip: Clip, nowMs: number, { by, needed }: CleanupChoice): Ranked {
  const startedMs = Date.parse(clip.startedAt);
  const deletedMs = clip.deletedAt === null ? null : Date.parse(clip.deletedAt);
  if (deletedMs !== null) return { clip, ranks: [0, 0, deletedMs, clip.id] };
  if (clip.subject === "test") return { clip, ranks: [0, 1, startedMs, clip.id] };
  const isNeeded = needed?.has(clip.id) === true;
  if (by === "age") return { clip, ranks: [isNeeded ? 3 : 1, 0, startedMs, clip.id] };
  const group = isNeeded ? 3 : nowMs - createdMs(clip) < freshMs ? 2 : 1;
  return { clip, ranks: [group, clip.subject === "error" ? -1 : worth(clip), startedMs, clip.id] };
}

function compareRanks(one: Ranked, other: Ranked): number {
  for (const [index, rank] of one.ranks.entries()) {
    const otherRank = other.ranks[index] ?? rank;
    if (rank !== otherRank) return rank < otherRank ? -1 : 1;
  }
  return 0;
}

function removalReason(clip: Clip, nowMs: number): Message {
  const daysSince = (iso: string) => Math.max(0, Math.floor((nowMs - Date.parse(iso)) / 86_400_000));
  const days = (count: number) => (count === 1 ? message("age.one_day") : message("age.days", { count }));
  if (clip.deletedAt !== null) return message("clip.in_trash_for", { age: days(daysSince(clip.deletedAt)) });
  const age = days(daysSince(clip.startedAt));
  if (clip.subject === "error") return message("clip.removal_error", { age });
  return message("clip.removal_rank", {
    priority: clip.priority,
    about: message(clip.shared ? "clip.is_shared" : "clip.is_not_shared"),
    age,
  });
}

/** The same clips, quota and time always give the same plan. */
export function makeCleanupPlan(
  clips: readonly Clip[],
  quotaBytes: number,
  nowMs: number,
  choice: CleanupChoice = {},
): CleanupPlan {
  const { game, needed, keepsNeeded = false } = choice;
  const bytes = bytesOfAll(clips);
  const isOfGame = (clip: Clip) => game === undefined || (clip.game ?? "unsorted") === game;
  const isKept = ({ id, pinned }: Clip) => pinned || (keepsNeeded && needed?.has(id) === true);
  const freeable = clips.filter(
    (clip) => clip.state === "saved" && bytesOnDisk(clip) > 0 && !isKept(clip) && isOfGame(clip),
  );
  const order = freeable.map((clip) => rankClip(clip, nowMs, choice)).toSorted(compareRanks);
  const goes: ClipRemoval[] = [];
  let freedBytes = 0;
  for (const { clip } of order) {
    if (bytes - freedBytes <= quotaBytes) break;
    freedBytes += bytesOnDisk(clip);
    goes.push({ clip, why: removalReason(clip, nowMs) });
  }
  return {
    bytes,
    freedBytes,
    freeableBytes: bytesOfAll(freeable),
    goes,
    fits: bytes - freedBytes <= quotaBytes,
  };
}

/** There is no space for another clip. The message tells a person how much is free. */
export class DiskNearlyFull extends MessageError {
  override name = "DiskNearlyFull";
}

export type DiskSpace = { readonly freeBytes: number; readonly totalBytes: number };

const minFreeBytesMax = 2_000_000_000;
const minFreeShare = 0.05;

export async function readDiskSpace(dir: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(dir);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/** Returns how much space must stay free for the game and the system: 2 GB, or 5 % of a small disk. */
export const minFreeBytes = ({ totalBytes }: DiskSpace): number =>
  Math.min(minFreeBytesMax, Math.floor(totalBytes * minFreeShare));

export function formatDiskSize(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.round(bytes / 1e6)} MB`;
}
