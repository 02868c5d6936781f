// Chooses which reports of a fingerprint are stored whole: the first ones, then a decreasing share. The choice depends on the
// reports alone, not on their batches.

/** Number of first reports that are always stored. */
const firstReportsMax = 20;
const burstMax = 20;
/** Up to this many reports in an hour, one per second is stored. Beyond, one per minute. */
const calmHourMax = 1_000;
const anHourMs = 3_600_000;
const calmEveryMs = 1_000;
const busyEveryMs = 60_000;

/** State of the choice: plain JSON data, stored with the fingerprint. */
export type SamplingState = {
  /** Tokens left at `atMs`: each stored report takes one. */
  readonly left: number;
  readonly atMs: number;
  readonly hourMs: number;
  readonly seenInHour: number;
};

export const initialSampling: SamplingState = { left: burstMax, atMs: 0, hourMs: 0, seenInHour: 0 };

/** Returns whether the report is stored, and the next state. `number` counts the reports of the fingerprint from 1. */
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
 * Returns how expendable a stored report is. Rises by about one each time the number of reports doubles. The random share is
 * derived from the id of the event, so that it never changes.
 */
export function irrelevance(event: string, number: number): number {
  const chance = Number.parseInt(event.slice(-8), 16) / 2 ** 32 || 0;
  return Math.round(chance * 2 * number).toString(2).length;
}
