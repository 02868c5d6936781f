// A serial queue: runs tasks one after another.

/** Runs the task once every earlier task has settled. Resolves or rejects as the task does. */
export type Serialize = <T>(task: () => Promise<T>) => Promise<T>;

/** Creates an empty queue. A task that rejects does not stop the tasks behind it. */
export function createSerialQueue(): Serialize {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  };
}
