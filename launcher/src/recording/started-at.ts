// When the launcher began, by the wall clock as it is now: what was over before has no footage.

/**
 * Many a machine sets its clock back by hours soon after it started: without this every moment would be older than the
 * launcher until the clock has caught up.
 */
export function createStartedAt(now: () => number, monotonic: () => number = () => performance.now()): () => number {
  const [atMs, beganMs] = [now(), monotonic()];
  return () => Math.min(atMs, Math.floor(now() - (monotonic() - beganMs)));
}
