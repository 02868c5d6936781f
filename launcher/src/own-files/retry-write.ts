// Retries writing small files until a full or read-only disk accepts them.

const againMs = 1_000;

/** Writes now, or retries until it succeeds. Returns a function that stops retrying. */
export function retryUntilWritten(write: () => void): () => void {
  try {
    write();
    return () => undefined;
  } catch {
    const timer = setInterval(() => {
      try {
        write();
        clearInterval(timer);
      } catch {
        // The next try may succeed. The storage reports a full disk.
      }
    }, againMs).unref();
    return () => clearInterval(timer);
  }
}
