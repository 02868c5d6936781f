// One account's line: what is to be sent there, in the order in which it was made, one at a time, and not before its time.
import { createSerialQueue } from "../../async/serial.ts";

const storageRetryMs = 10_000;
const timerMsMax = 2 ** 31 - 1;

export type LineNeeds = {
  /** Takes the next step. How long there is nothing to do; null until woken. */
  readonly step: (halt: AbortSignal) => Promise<number | null>;
  readonly onFailure: (error: unknown) => void;
};

export type Line = {
  /** There may be something new. */
  wake(): void;
  /** Ends the step under way, and does this before the next one. */
  between(work: () => Promise<void>): Promise<void>;
  /** Ends the step under way, at once where the post is not out yet, else within seconds. */
  stop(): Promise<void>;
};

export function startLine({ step, onFailure }: LineNeeds): Line {
  const stopping = new AbortController();
  const serialize = createSerialQueue();
  let signal = Promise.withResolvers<void>();
  let halting = new AbortController();

  const stepOn = async () => {
    if (stopping.signal.aborted) return null;
    // Woken from here on, it looks again.
    signal = Promise.withResolvers();
    halting = new AbortController();
    return step(AbortSignal.any([halting.signal, stopping.signal])).catch((error: unknown) => {
      if (!stopping.signal.aborted) onFailure(error);
      return storageRetryMs;
    });
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      const restMs = await serialize(stepOn);
      if (restMs !== 0) await rest(restMs, stopping.signal, signal.promise);
    }
  };
  const ended = run();
  return {
    wake: () => signal.resolve(),
    async between(work) {
      halting.abort();
      await serialize(work).finally(() => signal.resolve());
    },
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

/** Until the time is over, it is stopped or woken. */
function rest(ms: number | null, stopped: AbortSignal, woken: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = ms === null ? undefined : setTimeout(resolve, Math.min(ms, timerMsMax)).unref();
  const end = () => resolve();
  if (stopped.aborted) end();
  stopped.addEventListener("abort", end, { once: true });
  void woken.then(resolve);
  return promise.finally(() => {
    clearTimeout(timer);
    stopped.removeEventListener("abort", end);
  });
}
