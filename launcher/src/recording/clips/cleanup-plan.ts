// Decides which clips are removed first to free space, and why. Pure, so the preview that a person sees is what is done.
import type { Clip } from "@kit/contract";

export type Removal = { readonly clip: Clip; readonly why: string };
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

function removalReason(clip: Clip, nowMs: number): string {
  const daysSince = (iso: string) => Math.max(0, Math.floor((nowMs - Date.parse(iso)) / 86_400_000));
  const days = (count: number) => (count === 1 ? "1 day" : `${count} days`);
  if (clip.deletedAt !== null) return `in the trash for ${days(daysSince(clip.deletedAt))}`;
  const reasons = [...(clip.shared ? ["shared"] : []), ...(clip.hasError ? ["with an error"] : [])];
  const about = reasons.length === 0 ? "neither shared nor with an error" : reasons.join(" and ");
  return `priority ${clip.priority}, ${about}, ${days(daysSince(clip.startedAt))} old`;
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
