// What Node is told at every start of the launcher, whoever starts it.

export const nodeFlags: readonly string[] = [
  "--disable-warning=ExperimentalWarning",
  // A burst leaves less memory behind where young objects have less room.
  "--max-semi-space-size=4",
  "--v8-pool-size=1",
  // Memory is given back at the end of a burst (idle-memory.ts). V8 would collect twice more, eight seconds later, in vain.
  "--no-memory-reducer",
];
