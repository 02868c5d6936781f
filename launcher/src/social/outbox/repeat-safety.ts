// Decides whether a request without an answer may be repeated.

/** Margin for the time between the decision and the arrival of the repeat. */
const marginMs = 60_000;

/** Tells a person what to do about a post that may exist. */
export const checkYourself = "The post may have arrived: check there and confirm it here, or send it again.";

export const requestUnanswered = `A request got no answer. ${checkYourself}`;

/** Whether a repeat cannot create a second post. `committedMs` is the first request with the same key. */
export function isRepeatSafe(committedMs: number | null, repeatsForMs: number, nowMs: number): boolean {
  if (committedMs === null || repeatsForMs === Number.POSITIVE_INFINITY) return true;
  // If the clock was set back, the elapsed time is unknown.
  return nowMs >= committedMs && nowMs < committedMs + repeatsForMs - Math.min(marginMs, repeatsForMs / 2);
}
