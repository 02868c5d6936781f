// One change after the other: each begins from what the one before it left.

export type InTurn = <T>(change: () => Promise<T>) => Promise<T>;

/** Runs what it is given in turn; a change that fails holds up nobody. */
export function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (change) => {
    const result = last.then(change);
    last = result.catch(() => undefined);
    return result;
  };
}
