// What is kept of each game: each slice counts its own, here it comes together.
import type { Holdings } from "@kit/contract";

/** By game; null is unsorted. */
export type Count = () => Promise<ReadonlyMap<string | null, Partial<Holdings>>>;

export const nothing: Holdings = {
  events: 0,
  clips: 0,
  clipBytes: 0,
  pinned: 0,
  issues: 0,
  posts: 0,
  sessions: 0,
};

export async function holdingsOf(counts: readonly Count[]): Promise<Map<string | null, Holdings>> {
  const all = new Map<string | null, Holdings>();
  for (const counted of await Promise.all(counts.map((count) => count()))) {
    for (const [game, some] of counted) all.set(game, { ...nothing, ...all.get(game), ...some });
  }
  return all;
}
