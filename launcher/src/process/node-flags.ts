// Node's flags for every start of the launcher.

export const nodeFlags: readonly string[] = [
  "--disable-warning=ExperimentalWarning",
  // V8's own 16 MB take 36 MB more during a flood. With 4 MB, the collector costs a sixth more processor time then.
  "--max-semi-space-size=8",
  "--v8-pool-size=1",
  // idle-memory.ts releases memory after a burst. V8's reducer would collect twice more, without effect.
  "--no-memory-reducer",
];
