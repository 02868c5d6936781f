// The replay buffer: the last seconds of encoded footage in memory, as whole groups of pictures, limited in seconds and bytes.
import type { Fragment } from "../mp4/fragment.ts";

export type ReplayBuffer = {
  add(fragment: Fragment): void;
  /** Keeps footage since `fromMs` (epoch) beyond `secondsMax`, but never beyond `bytesMax`. */
  hold(id: string, fromMs: number): void;
  release(id: string): void;
  hasHolds(): boolean;
  /** Changes the limits and drops footage that exceeds the new ones. */
  resize(limits: ReplayBufferLimits): void;
  /** Returns the groups of pictures that cover the range, from all runs of the encoder, in order of arrival. */
  select(fromMs: number, toMs: number): readonly Fragment[];
  /** Returns where the newest picture ends (epoch), or null before the first. */
  endMs(): number | null;
  /** Returns how much footage is in the buffer. */
  amount(): { readonly seconds: number; readonly bytes: number };
};

type ReplayBufferLimits = {
  readonly secondsMax: number;
  /** Also limits held footage. */
  readonly bytesMax: number;
};

/** `now` returns monotonic milliseconds, so that setting the wall clock does not empty the buffer. */
export type ReplayBufferOptions = ReplayBufferLimits & { now(): number };

/** A group of pictures: starts with a keyframe and can be decoded without other groups. */
type Group = { readonly fragments: Fragment[]; startMs: number; endMs: number; bytes: number; arrivedMs: number };

/** Sound may be in the file slightly before or after its pictures, sometimes in the adjacent group. */
const soundOffsetMs = 500;

export function createReplayBuffer({ now, ...initialLimits }: ReplayBufferOptions): ReplayBuffer {
  let limits: ReplayBufferLimits = initialLimits;
  let groups: Group[] = [];
  let bytes = 0;
  let newestEndMs: number | null = null;
  const holds = new Map<string, number>();

  return {
    add(fragment) {
      const group = groupFor(fragment);
      if (group !== undefined) append(fragment, group);
      if (fragment.video.length > 0) newestEndMs = fragment.endMs;
      evict();
    },
    hold: (id, fromMs) => void holds.set(id, fromMs),
    release(id) {
      holds.delete(id);
      evict();
    },
    hasHolds: () => holds.size > 0,
    resize(newLimits) {
      limits = newLimits;
      evict();
    },
    select: (fromMs, toMs) =>
      groups
        .filter(({ startMs, endMs }) => endMs > fromMs - soundOffsetMs && startMs < toMs + soundOffsetMs)
        .flatMap(({ fragments }) => fragments),
    endMs: () => newestEndMs,
    amount: () => ({ seconds: groups.reduce((sum, { startMs, endMs }) => sum + (endMs - startMs) / 1000, 0), bytes }),
  };

  /** Returns undefined if the start of the fragment's group is missing, so that the fragment cannot be decoded. */
  function groupFor(fragment: Fragment): Group | undefined {
    const last = groups.at(-1);
    if (!fragment.startsWithKeyframe) return last?.fragments[0]?.init === fragment.init ? last : undefined;
    const group = { fragments: [], startMs: fragment.startMs, endMs: fragment.endMs, bytes: 0, arrivedMs: 0 };
    groups.push(group);
    return group;
  }

  function append(fragment: Fragment, group: Group): void {
    group.fragments.push(fragment);
    group.startMs = Math.min(group.startMs, fragment.startMs);
    group.endMs = Math.max(group.endMs, fragment.endMs);
    group.bytes += fragment.bytes;
    group.arrivedMs = now();
    bytes += fragment.bytes;
  }

  /** Drops groups that are too old and not held, then the oldest groups until the rest fits into `bytesMax`, held groups last. */
  function evict(): void {
    const oldestMs = now() - limits.secondsMax * 1000;
    const old = groups.filter((group) => group.arrivedMs < oldestMs && !isHeld(group));
    if (old.length > 0) {
      groups = groups.filter((group) => !old.includes(group));
      for (const group of old) bytes -= group.bytes;
    }
    while (bytes > limits.bytesMax) {
      const unheld = groups.findIndex((group) => !isHeld(group));
      const [dropped] = groups.splice(Math.max(0, unheld), 1);
      if (dropped === undefined) return;
      bytes -= dropped.bytes;
    }
  }

  function isHeld({ endMs }: { readonly endMs: number }): boolean {
    for (const fromMs of holds.values()) if (endMs > fromMs) return true;
    return false;
  }
}
