// Chooses which reports of a fingerprint are stored whole: the first ones, then about one per second, in a busy hour one per
// minute. The choice depends only on the reports, not on how they are divided into batches.

/** Number of first reports that are always stored. */
const firstReportsMax = 20;
const burstMax = 20;
/** Up to this many reports in an hour, one a second is stored; of further ones, one a minute. */
const calmHourMax = 1_000;
const anHourMs = 3_600_000;
const calmEveryMs = 1_000;
const busyEveryMs = 60_000;

/**
 * State of a token bucket, from which each stored report after the first ones takes a token. Stored as JSON with the
 * fingerprint.
 */
export type SamplingState = {
  /** Tokens left at `atMs`. */
  readonly left: number;
  readonly atMs: number;
  readonly hourMs: number;
  readonly seenInHour: number;
};

export const initialSampling: SamplingState = { left: burstMax, atMs: 0, hourMs: 0, seenInHour: 0 };

/** Returns whether the report is stored, and the state for the next one. `number` counts the fingerprint's reports from 1. */
export function sampleReport(
  before: SamplingState,
  number: number,
  atMs: number,
): { after: SamplingState; chosen: boolean } {
  const hourMs = Math.floor(atMs / anHourMs) * anHourMs;
  const seenInHour = hourMs === before.hourMs ? before.seenInHour + 1 : 1;
  const isBusy = seenInHour > calmHourMax;
  const gained = Math.max(0, atMs - before.atMs) / (isBusy ? busyEveryMs : calmEveryMs);
  const available = Math.min(isBusy ? 1 : burstMax, before.left + gained);
  const isFirst = number <= firstReportsMax;
  const chosen = isFirst || available >= 1;
  const left = chosen && !isFirst ? available - 1 : available;
  return { after: { left, atMs: Math.max(before.atMs, atMs), hourMs, seenInHour }, chosen };
}

/**
 * Returns how expendable a stored report is: about one more for each doubling of `number`. A random part, which spreads the
 * kept reports over all numbers, comes from the event's id, so that the result for a report never changes.
 */
export function irrelevance(event: string, number: number): number {
  const chance = Number.parseInt(event.slice(-8), 16) / 2 ** 32 || 0;
  return Math.round(chance * 2 * number).toString(2).length;
}
