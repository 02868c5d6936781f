// Prints the progress of the installation of engines.

export function say(line: string): void {
  console.log(`engines: ${line}`);
}

/** Runs `work` and returns its duration as text. */
export async function timed<T>(work: () => T | Promise<T>): Promise<{ result: T; took: string }> {
  const startedMs = performance.now();
  const result = await work();
  return { result, took: `${((performance.now() - startedMs) / 1000).toFixed(1)} s` };
}
