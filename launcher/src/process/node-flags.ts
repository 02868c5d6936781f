// Node's flags for every start of the launcher.

export const nodeFlags: readonly string[] = [
  "--disable-warning=ExperimentalWarning",
  // Right after a flood of malformed requests, the launcher held 236 MiB with V8's own 16 MB, and 177 to 212 with 4.
  "--max-semi-space-size=4",
  "--v8-pool-size=1",
  // idle-memory.ts releases memory after a burst. V8's reducer would collect twice more, without effect.
  "--no-memory-reducer",
];
