// What goes first when room is needed, and why. Pure: the dry run a person sees is what is done.
import type { Clip } from "@kit/contract";

export type Going = { readonly clip: Clip; readonly why: string };
export type CleanupPlan = {
  /** What all files together hold. */
  readonly bytes: number;
  readonly freedBytes: number;
  /** First to go first. */
  readonly goes: readonly Going[];
  /** False when even then more is held than may be: what is pinned, or not finished, never goes. */
  readonly fits: boolean;
};

/** What each of these is worth, in the units of a rule's priority. */
const sharedWorth = 400;
const errorWorth = 200;
/** A clip this young goes after all older ones: it may be what is looked at now. A part is as young as it was made. */
const freshMs = 3_600_000;

const worthOf = ({ priority, shared, hasError }: Clip) =>
  priority + (shared ? sharedWorth : 0) + (hasError ? errorWorth : 0);
const heldBy = ({ missing, path, bytes }: Clip) => (missing || path === null ? 0 : bytes);

/** The id of a clip, a UUID v7, begins with the time it was made at. */
const madeMs = ({ id, trimmedFrom, startedAt }: Clip) =>
  trimmedFrom === null ? Date.parse(startedAt) : Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);

type Ranked = { readonly clip: Clip; readonly ranks: readonly (number | string)[] };

function ranked(clip: Clip, nowMs: number): Ranked {
  const bornMs = Date.parse(clip.startedAt);
  const binnedMs = clip.deletedAt === null ? null : Date.parse(clip.deletedAt);
  if (binnedMs !== null) return { clip, ranks: [0, 0, binnedMs, clip.id] };
  return { clip, ranks: [nowMs - madeMs(clip) < freshMs ? 2 : 1, worthOf(clip), bornMs, clip.id] };
}

function byRanks(one: Ranked, other: Ranked): number {
  for (const [index, rank] of one.ranks.entries()) {
    const otherRank = other.ranks[index] ?? rank;
    if (rank !== otherRank) return rank < otherRank ? -1 : 1;
  }
  return 0;
}

function whyOf(clip: Clip, nowMs: number): string {
  const daysSince = (iso: string) => Math.max(0, Math.floor((nowMs - Date.parse(iso)) / 86_400_000));
  const days = (count: number) => (count === 1 ? "1 day" : `${count} days`);
  if (clip.deletedAt !== null) return `in the bin for ${days(daysSince(clip.deletedAt))}`;
  const worth = [...(clip.shared ? ["shared"] : []), ...(clip.hasError ? ["with an error"] : [])];
  const about = worth.length === 0 ? "neither shared nor with an error" : worth.join(" and ");
  return `priority ${clip.priority}, ${about}, ${days(daysSince(clip.startedAt))} old`;
}

/** The same clips, quota and time always give the same plan. */
export function cleanupPlan(clips: readonly Clip[], quotaBytes: number, nowMs: number): CleanupPlan {
  const bytes = clips.reduce((sum, clip) => sum + heldBy(clip), 0);
  const order = clips
    .filter((clip) => clip.state === "saved" && heldBy(clip) > 0 && !clip.pinned)
    .map((clip) => ranked(clip, nowMs))
    .toSorted(byRanks);
  const goes: Going[] = [];
  let freedBytes = 0;
  for (const { clip } of order) {
    if (bytes - freedBytes <= quotaBytes) break;
    freedBytes += heldBy(clip);
    goes.push({ clip, why: whyOf(clip, nowMs) });
  }
  return { bytes, freedBytes, goes, fits: bytes - freedBytes <= quotaBytes };
}
