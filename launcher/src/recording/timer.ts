// Calls something at a time that may be set anew at any time.

/** Longer than that a timer of Node cannot wait; it is then set anew. */
const longestMs = 3_600_000;

export type DueTimer = {
  /** Undefined: not at all. */
  set(dueMs: number | undefined): void;
};

export function createDueTimer(now: () => number, onDue: () => void): DueTimer {
  let timer: NodeJS.Timeout | undefined;
  return {
    set(dueMs) {
      clearTimeout(timer);
      timer = dueMs === undefined ? undefined : setTimeout(onDue, Math.min(longestMs, Math.max(0, dueMs - now())));
    },
  };
}
