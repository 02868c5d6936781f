// The last seconds of footage, in memory: whole groups of pictures, bounded in age and in bytes.
import type { Fragment } from "../mp4/fragment.ts";

export type ReplayBuffer = {
  add(fragment: Fragment): void;
  /** Keeps footage from that epoch time on beyond `secondsMax`, never beyond `bytesMax`. */
  hold(id: string, fromMs: number): void;
  release(id: string): void;
  /** Whole groups of pictures that cover the window, of all runs of the encoder, as they came. */
  select(fromMs: number, toMs: number): readonly Fragment[];
  /** Where the newest footage ends, in epoch milliseconds; null while there is none. */
  endMs(): number | null;
  /** All that is in it. */
  held(): Amount;
  /** What had to go although it was held, since the buffer was made. */
  lost(): Amount;
};

type Amount = { readonly seconds: number; readonly bytes: number };

export type ReplayBufferNeeds = {
  readonly secondsMax: number;
  /** Hard: nothing is kept beyond it, held or not. */
  readonly bytesMax: number;
  /** Monotonic milliseconds: a step of the wall clock must not empty the buffer. */
  now(): number;
};

/** Begins with a picture that stands for itself. Its pictures need none of another group. */
type Group = { readonly fragments: Fragment[]; startMs: number; endMs: number; bytes: number; arrivedMs: number };

/** Sound lies in the file a little before or after the pictures of its time, at times in the group beside. */
const besideMs = 500;

export function createReplayBuffer({ secondsMax, bytesMax, now }: ReplayBufferNeeds): ReplayBuffer {
  let groups: Group[] = [];
  let bytes = 0;
  let newestEndMs: number | null = null;
  const holds = new Map<string, number>();
  const lost = { seconds: 0, bytes: 0 };

  return {
    add(fragment) {
      const group = groupFor(fragment);
      if (group !== undefined) put(fragment, group);
      else if (isHeld(fragment)) count(fragment);
      if (fragment.video.length > 0) newestEndMs = fragment.endMs;
      evict();
    },
    hold: (id, fromMs) => void holds.set(id, fromMs),
    release(id) {
      holds.delete(id);
      evict();
    },
    select: (fromMs, toMs) =>
      groups
        .filter(({ startMs, endMs }) => endMs > fromMs - besideMs && startMs < toMs + besideMs)
        .flatMap(({ fragments }) => fragments),
    endMs: () => newestEndMs,
    held: () => ({ seconds: groups.reduce((sum, group) => sum + secondsOf(group), 0), bytes }),
    lost: () => ({ ...lost }),
  };

  /** None for a fragment whose group is gone, or never began: it cannot be decoded. */
  function groupFor(fragment: Fragment): Group | undefined {
    const last = groups.at(-1);
    if (!fragment.key) return last?.fragments[0]?.init === fragment.init ? last : undefined;
    const group = { fragments: [], startMs: fragment.startMs, endMs: fragment.endMs, bytes: 0, arrivedMs: 0 };
    groups.push(group);
    return group;
  }

  function put(fragment: Fragment, group: Group): void {
    group.fragments.push(fragment);
    group.startMs = Math.min(group.startMs, fragment.startMs);
    group.endMs = Math.max(group.endMs, fragment.endMs);
    group.bytes += fragment.bytes;
    group.arrivedMs = now();
    bytes += fragment.bytes;
  }

  function evict(): void {
    const oldestMs = now() - secondsMax * 1000;
    const old = groups.filter((group) => group.arrivedMs < oldestMs && !isHeld(group));
    if (old.length > 0) {
      groups = groups.filter((group) => !old.includes(group));
      for (const group of old) bytes -= group.bytes;
    }
    while (bytes > bytesMax) {
      const free = groups.findIndex((group) => !isHeld(group));
      const [gone] = groups.splice(Math.max(0, free), 1);
      if (gone === undefined) return;
      bytes -= gone.bytes;
      if (free < 0) count(gone);
    }
  }

  function isHeld({ endMs }: { readonly endMs: number }): boolean {
    for (const fromMs of holds.values()) if (endMs > fromMs) return true;
    return false;
  }

  function count(gone: Pick<Group, "startMs" | "endMs" | "bytes">): void {
    lost.seconds += secondsOf(gone);
    lost.bytes += gone.bytes;
  }
}

function secondsOf({ startMs, endMs }: Pick<Group, "startMs" | "endMs">): number {
  return (endMs - startMs) / 1000;
}
