// Whether a request may be made again of which nobody knows whether it made the post.

/** Between asking for a repeat and the network's reading it. */
const marginMs = 60_000;

/** What a person does about a delivery that may be there. */
export const checkYourself = "It may have arrived: say here what you see there, or have it sent again.";

export const unanswered = `A request went out that was never answered. ${checkYourself}`;

/** `committedMs`: the first request under the same key. */
export function mayRepeat(committedMs: number | null, repeatsForMs: number, nowMs: number): boolean {
  if (committedMs === null || repeatsForMs === Number.POSITIVE_INFINITY) return true;
  // A clock that was set back says nothing of how long ago it was.
  return nowMs >= committedMs && nowMs < committedMs + repeatsForMs - Math.min(marginMs, repeatsForMs / 2);
}
