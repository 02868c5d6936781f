// What a file shows of a time: a receipt says `saved` of nothing else.
import type { Footage } from "../capture/backend.ts";

/** A few frames. */
export const outsideMs = 250;
/** A recorder that a moment itself starts delivers within a second: such a clip holds what followed, and its receipt says so. */
export const startedForMs = 1_500;

/** How far a time lies from what was recorded, in milliseconds; 0 for what the clip is about all the same. */
export function missedBy({ fromMs, toMs, holes }: Pick<Footage, "fromMs" | "toMs" | "holes">, atMs: number): number {
  if (fromMs - atMs > startedForMs) return fromMs - atMs;
  const inHoles = holes.map((hole) => Math.min(atMs - hole.fromMs, hole.toMs - atMs));
  const apartMs = Math.max(atMs - toMs, ...inHoles);
  return apartMs > outsideMs ? apartMs : 0;
}
