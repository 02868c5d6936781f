// Which reports of a kind are kept whole: the first ones, then fewer the more there are. What it decides depends on the
// reports alone, not on the batches they come in.

/** Kept whatever comes. */
const firstsMax = 20;
const burstMax = 20;
/** Reports in one hour up to which one a second is kept; beyond it one a minute. */
const calmHourMax = 1_000;
const anHourMs = 3_600_000;
const calmEveryMs = 1_000;
const busyEveryMs = 60_000;

/** How far the choice has come; plain data, kept with the fingerprint. */
export type Sampling = {
  /** How many more may be kept at once, as of `atMs`. */
  readonly left: number;
  readonly atMs: number;
  readonly hourMs: number;
  readonly seenInHour: number;
};

export const unsampled: Sampling = { left: burstMax, atMs: 0, hourMs: 0, seenInHour: 0 };

/** The next report, the `number`th of its kind, and whether it is kept. */
export function sample(before: Sampling, number: number, atMs: number): { after: Sampling; chosen: boolean } {
  const hourMs = Math.floor(atMs / anHourMs) * anHourMs;
  const seenInHour = hourMs === before.hourMs ? before.seenInHour + 1 : 1;
  const isBusy = seenInHour > calmHourMax;
  const gained = Math.max(0, atMs - before.atMs) / (isBusy ? busyEveryMs : calmEveryMs);
  const may = Math.min(isBusy ? 1 : burstMax, before.left + gained);
  const isFirst = number <= firstsMax;
  const chosen = isFirst || may >= 1;
  const left = chosen && !isFirst ? may - 1 : may;
  return { after: { left, atMs: Math.max(before.atMs, atMs), hourMs, seenInHour }, chosen };
}

/**
 * How little a kept report would be missed: the more of its kind there were, the more, with a share of chance that
 * is fixed by its event's id. Rises by one each time that the number doubles.
 */
export function irrelevanceOf(event: string, number: number): number {
  const chance = Number.parseInt(event.slice(-8), 16) / 2 ** 32 || 0;
  return Math.round(chance * 2 * number).toString(2).length;
}
