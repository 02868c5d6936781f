// Adds up the amounts of data that each slice stores for each game.
import type { StoredAmounts } from "@kit/contract";

/** Counts by game; null is unsorted. */
export type CountByGame = () => Promise<ReadonlyMap<string | null, Partial<StoredAmounts>>>;

export const noStoredAmounts: StoredAmounts = {
  events: 0,
  clips: 0,
  clipBytes: 0,
  pinned: 0,
  issues: 0,
  posts: 0,
  sessions: 0,
};

export async function sumStoredAmounts(counts: readonly CountByGame[]): Promise<Map<string | null, StoredAmounts>> {
  const all = new Map<string | null, StoredAmounts>();
  for (const counted of await Promise.all(counts.map((count) => count()))) {
    for (const [game, some] of counted) all.set(game, { ...noStoredAmounts, ...all.get(game), ...some });
  }
  return all;
}
