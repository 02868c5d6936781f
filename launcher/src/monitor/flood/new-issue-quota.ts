// How many kinds that nobody has met yet a lane may bring in a minute.

/** More than the new issues a minute has room for: what makes one is never kept out. */
const minutelyMax = 120;
const aMinuteMs = 60_000;
const lanesMax = 64;

/** The kinds that came, by name; false: there was no room for an issue of it. */
type Minute = { readonly beganMs: number; readonly kinds: Map<string, boolean> };

export type NewIssueQuota = {
  /** The same kind is one, however often it comes. */
  isOneOfFew(lane: string, name: string, atMs: number): boolean;
  /** Until the minute is over it is not. */
  turnAway(lane: string, name: string): void;
};

export function createNewIssueQuota(): NewIssueQuota {
  const lanes = new Map<string, Minute>();
  return {
    isOneOfFew(lane, name, atMs) {
      const before = lanes.get(lane);
      const isOver = before === undefined || Math.abs(atMs - before.beganMs) >= aMinuteMs;
      const { beganMs, kinds } = isOver ? { beganMs: atMs, kinds: new Map<string, boolean>() } : before;
      lanes.delete(lane);
      lanes.set(lane, { beganMs, kinds });
      if (lanes.size > lanesMax) lanes.delete(lanes.keys().next().value ?? lane);
      const isWelcome = kinds.get(name) ?? kinds.size < minutelyMax;
      if (isWelcome) kinds.set(name, true);
      return isWelcome;
    },
    turnAway: (lane, name) => void lanes.get(lane)?.kinds.set(name, false),
  };
}
