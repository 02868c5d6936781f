// How many new issues a lane may make: a flood of messages that are all different must not become as many issues.

/** Made in one minute. */
const minutelyMax = 60;
const aMinuteMs = 60_000;
/** Seen within the last day. */
export const liveMax = 2_000;
export const liveForMs = 86_400_000;
/** Of all lanes together, whatever their age. */
export const issuesMax = 100_000;

/** What a lane has already. */
export type IssueLoad = {
  /** When its newest issues were made, of the last minute at least. */
  readonly madeMs: readonly number[];
  readonly live: number;
  /** All there are, of all lanes. */
  readonly issues: number;
};

export type Room = {
  /** Whether a new issue may be made at that time; it is counted if so. */
  take(atMs: number): boolean;
};

/** How far back `madeMs` has to reach. */
export const madeSinceMs = (atMs: number): number => atMs - aMinuteMs;

export function createRoom({ madeMs, live, issues }: IssueLoad): Room {
  let made = [...madeMs];
  let more = 0;
  return {
    take(atMs) {
      made = made.filter((ms) => ms > atMs - aMinuteMs);
      if (made.length >= minutelyMax || live + more >= liveMax || issues + more >= issuesMax) return false;
      made.push(atMs);
      more += 1;
      return true;
    },
  };
}
