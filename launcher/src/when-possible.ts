// Small files that a full or read-only disk does not take now: they are written as soon as it does.

const againMs = 1_000;

/** Writes now, or tries until it works; the returned function ends the trying. */
export function whenPossible(write: () => void): () => void {
  try {
    write();
    return () => undefined;
  } catch {
    const timer = setInterval(() => {
      try {
        write();
        clearInterval(timer);
      } catch {
        // The next try may find room; that there is none the storage says.
      }
    }, againMs).unref();
    return () => clearInterval(timer);
  }
}
