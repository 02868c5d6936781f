// A loop that runs steps one after another, and sleeps between them until a time, a wake-up or its end.
import { createSerialQueue } from "./serial.ts";

const failureRetryMs = 10_000;
const timerMsMax = 2 ** 31 - 1;

export type StepLoopDeps = {
  /** Runs the next step. Resolves to the milliseconds until the step after it, or null to sleep until woken. */
  readonly step: (stopSignal: AbortSignal) => Promise<number | null>;
  readonly onFailure: (error: unknown) => void;
};

export type StepLoop = {
  /** Ends the sleep. To be called when there may be a step to run. */
  wake(): void;
  /** Aborts the running step, then runs the task before the next step. */
  runBetween(task: () => Promise<void>): Promise<void>;
  /** Aborts the running step and waits for its end. */
  stop(): Promise<void>;
};

export function startStepLoop({ step, onFailure }: StepLoopDeps): StepLoop {
  const stopping = new AbortController();
  const serialize = createSerialQueue();
  let wakeUp = Promise.withResolvers<void>();
  let interrupting = new AbortController();

  const runStep = async () => {
    if (stopping.signal.aborted) return null;
    // Set before the step runs, so that a wake-up during the step also ends the sleep after it.
    wakeUp = Promise.withResolvers();
    interrupting = new AbortController();
    return step(AbortSignal.any([interrupting.signal, stopping.signal])).catch((error: unknown) => {
      if (!stopping.signal.aborted) onFailure(error);
      return failureRetryMs;
    });
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      const sleepMs = await serialize(runStep);
      if (sleepMs !== 0) await sleepUntilWoken(sleepMs, stopping.signal, wakeUp.promise);
    }
  };
  const ended = run();
  return {
    wake: () => wakeUp.resolve(),
    async runBetween(task) {
      interrupting.abort();
      await serialize(task).finally(() => wakeUp.resolve());
    },
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

/** Resolves after `ms`, when aborted or when woken. With null, only the latter two end the sleep. */
export function sleepUntilWoken(ms: number | null, stopped: AbortSignal, woken?: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = ms === null ? undefined : setTimeout(resolve, Math.min(ms, timerMsMax)).unref();
  const end = () => resolve();
  if (stopped.aborted) end();
  stopped.addEventListener("abort", end, { once: true });
  void woken?.then(resolve);
  return promise.finally(() => {
    clearTimeout(timer);
    stopped.removeEventListener("abort", end);
  });
}
