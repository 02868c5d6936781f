// One change after the other: each begins from what the one before it left.

/** Runs what it is given in turn; a change that fails holds up nobody. */
export function createTurns(): <T>(change: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (change) => {
    const result = last.then(change);
    last = result.catch(() => undefined);
    return result;
  };
}
