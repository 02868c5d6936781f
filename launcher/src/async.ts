// What runs one thing after another: a serial queue, shared runs, a loop of steps, and a follower of a journal. Needs nothing but
// the language.

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

export type SharedRun<T> = {
  /** Runs the task. If a run is in progress, joins it instead. */
  run(): Promise<T>;
  /** Resolves when no run is in progress, and starts none. */
  settled(): Promise<void>;
};

export function shareRun<T>(task: () => Promise<T>): SharedRun<T> {
  let running: Promise<T> | undefined;
  return {
    run() {
      running ??= task().finally(() => {
        running = undefined;
      });
      return running;
    },
    async settled() {
      await running;
    },
  };
}

// A step loop runs steps one after another, and sleeps between them until a time, a wake-up or its end.

const failureRetryMs = 10_000;
const timerMsMax = 2 ** 31 - 1;

type StepLoopDeps = {
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

// A follower processes new entries of a journal in batches, with a pause after each batch, and sleeps until woken when none
// are left.

/** Maximum pause before a failed batch is retried. */
const retryMsMax = 30_000;

export type Follower = {
  /** Makes the follower look for new entries soon. Cheap enough to call for every event. */
  wake(): void;
  /** Resolves once a running batch has ended. */
  stop(): Promise<void>;
};

type FollowerOptions = {
  /** Processes one batch. Resolves to true if more entries are waiting. If it rejects, the batch is retried. */
  readonly processBatch: () => Promise<boolean>;
  /** Pause between two batches, so that a burst becomes a few large batches and ingest has priority. */
  readonly paceMs: number;
  /** Pause between two batches while more entries are waiting. Defaults to `paceMs`. */
  readonly behindMs?: number;
  readonly onFailure: (error: unknown) => void;
};

export function startFollower({ processBatch, paceMs, behindMs = paceMs, onFailure }: FollowerOptions): Follower {
  const stopping = new AbortController();
  let isAwake = true;
  let failures = 0;
  let signal = Promise.withResolvers<void>();

  const run = async () => {
    while (!stopping.signal.aborted) {
      isAwake = false;
      let isBehind = false;
      try {
        isBehind = await processBatch();
        failures = 0;
      } catch (error) {
        isAwake = true;
        failures += 1;
        onFailure(error);
      }
      if (isBehind) isAwake = true;
      const pauseMs = isBehind ? behindMs : Math.min(retryMsMax, paceMs * 2 ** failures);
      await sleepUntilWoken(pauseMs, stopping.signal);
      if (!isAwake) await sleepUntilWoken(null, stopping.signal, signal.promise);
      signal = Promise.withResolvers();
    }
  };
  const ended = run();
  return {
    wake() {
      isAwake = true;
      signal.resolve();
    },
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
