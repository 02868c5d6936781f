// Goes along the journal behind the events: one look a second at most, whatever arrives meanwhile.
import { setTimeout as pause } from "node:timers/promises";

/** Under load a look finds many events, so that it costs the thread that writes one small commit a second. */
const paceMs = 1_000;
/** Of looks that fail. */
const retryMsMax = 30_000;
/** Behind a full page the next one follows soon, and still lets taking events in come first. */
const behindMs = 50;

export type Follower = {
  /** Something was stored. Cheap to call for every event: it sets a flag. */
  wake(): void;
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>;
};

/** `look` says whether more waits. One that fails is made again. */
export function startFollower(look: () => Promise<boolean>, onFailure: (error: unknown) => void): Follower {
  const stopping = new AbortController();
  let awake = true;
  let failures = 0;
  let signal = Promise.withResolvers<void>();
  const pauseFor = (ms: number) => pause(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);

  const run = async () => {
    while (!stopping.signal.aborted) {
      awake = false;
      let isBehind = false;
      try {
        isBehind = await look();
        failures = 0;
      } catch (error) {
        awake = true;
        failures += 1;
        onFailure(error);
      }
      if (isBehind) awake = true;
      await pauseFor(isBehind ? behindMs : Math.min(retryMsMax, paceMs * 2 ** failures));
      if (!awake && !stopping.signal.aborted) await signal.promise;
      signal = Promise.withResolvers();
    }
  };
  const wake = () => {
    awake = true;
    signal.resolve();
  };
  stopping.signal.addEventListener("abort", wake, { once: true });
  const ended = run();
  return {
    wake,
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
