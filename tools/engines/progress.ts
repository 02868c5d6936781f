// One line at a time about what is being brought to the machine, so that a long first run explains itself.

export function say(line: string): void {
  console.log(`engines: ${line}`);
}

/** Runs `work` and returns how long it took, in words. */
export function timed<T>(work: () => T): { result: T; took: string } {
  const startedMs = performance.now();
  const result = work();
  return { result, took: `${((performance.now() - startedMs) / 1000).toFixed(1)} s` };
}
