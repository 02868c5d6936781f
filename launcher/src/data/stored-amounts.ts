// What is kept of each game: each slice counts its own, here it comes together.
import type { StoredAmounts } from "@kit/contract";

/** By game; null is unsorted. */
export type Count = () => Promise<ReadonlyMap<string | null, Partial<StoredAmounts>>>;

export const nothing: StoredAmounts = {
  events: 0,
  clips: 0,
  clipBytes: 0,
  pinned: 0,
  issues: 0,
  posts: 0,
  sessions: 0,
};

export async function storedAmountsOf(counts: readonly Count[]): Promise<Map<string | null, StoredAmounts>> {
  const all = new Map<string | null, StoredAmounts>();
  for (const counted of await Promise.all(counts.map((count) => count()))) {
    for (const [game, some] of counted) all.set(game, { ...nothing, ...all.get(game), ...some });
  }
  return all;
}
