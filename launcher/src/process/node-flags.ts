// Node's flags for every start of the launcher.

export const nodeFlags: readonly string[] = [
  "--disable-warning=ExperimentalWarning",
  // A smaller young generation leaves less memory allocated after a burst.
  "--max-semi-space-size=4",
  "--v8-pool-size=1",
  // idle-memory.ts releases memory after a burst. V8's reducer would collect twice more, without effect.
  "--no-memory-reducer",
];
