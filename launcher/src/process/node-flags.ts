// Node's flags for every start of the launcher.

export const nodeFlags: readonly string[] = [
  "--disable-warning=ExperimentalWarning",
  // Right after a flood of malformed requests, V8's own 16 MB leave the launcher above its limit of 200 MiB.
  "--max-semi-space-size=4",
  "--v8-pool-size=1",
  // idle-memory.ts releases memory after a burst. V8's reducer would collect twice more, without effect.
  "--no-memory-reducer",
];
