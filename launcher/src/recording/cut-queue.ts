// Clips are cut a few at a time, in the order they are due, and not without end.
import type PQueue from "p-queue";

/** More is waiting than will be cut in any useful time. */
export class QueueFull extends Error {
  override name = "QueueFull";
}

export type CutQueue = {
  /** Runs the job when it is its turn. Rejects with QueueFull, or with what the job throws. */
  add<T>(job: () => Promise<T>): Promise<T>;
};

export type CutQueueNeeds = { readonly concurrency: number; readonly waitingMax: number };

/** The queue's library is only loaded when there is something to do: most launchers of a day cut nothing. */
export function createCutQueue({ concurrency, waitingMax }: CutQueueNeeds): CutQueue {
  let loading: Promise<PQueue> | undefined;
  let waiting = 0;
  const load = async () => {
    const { default: Queue } = await import("p-queue");
    return new Queue({ concurrency });
  };
  return {
    async add(job) {
      if (waiting >= waitingMax) throw new QueueFull(`${waitingMax} wait for their turn already`);
      waiting += 1;
      try {
        loading ??= load();
        return await (await loading).add(job);
      } finally {
        waiting -= 1;
      }
    },
  };
}
