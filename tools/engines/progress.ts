// Prints the progress of the installation of engines.

export function say(line: string): void {
  console.log(`engines: ${line}`);
}

/** Runs `work` and returns its duration as text. */
export function timed<T>(work: () => T): { result: T; took: string } {
  const startedMs = performance.now();
  const result = work();
  return { result, took: `${((performance.now() - startedMs) / 1000).toFixed(1)} s` };
}
