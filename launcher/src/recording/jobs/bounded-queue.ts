// Runs jobs in order, a few at a time. Only a limited number may wait.
import { MessageError } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type PQueue from "p-queue";

/** Too many jobs are waiting. */
export class QueueFull extends MessageError {
  override name = "QueueFull";
}

export type BoundedQueue = {
  /** Runs the job when it is its turn. Rejects with QueueFull, or with the error of the job. */
  add<T>(job: () => Promise<T>): Promise<T>;
};

export type BoundedQueueOptions = { readonly concurrency: number; readonly waitingMax: number };

/** Loads the library for queues with the first job, because most runs of the launcher cut nothing. */
export function createBoundedQueue({ concurrency, waitingMax }: BoundedQueueOptions): BoundedQueue {
  let loading: Promise<PQueue> | undefined;
  let waiting = 0;
  const load = async () => {
    const { default: Queue } = await import("p-queue");
    return new Queue({ concurrency });
  };
  return {
    async add(job) {
      if (waiting >= waitingMax) throw new QueueFull(message("job.too_many_waiting", { limit: waitingMax }));
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
