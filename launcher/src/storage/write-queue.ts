// Group commit, seen from the main thread: while one batch is being committed the next one gathers.
import { KitError } from "@kit/contract";
import type { Unit } from "./messages.ts";

/** Units in one transaction; more would make the first of them wait too long. */
const batchUnitsMax = 1_024;
/** Units that may wait; beyond this the launcher says it is busy instead of growing. */
const queueUnitsMax = 20_000;
/** The same in characters of what the units hold. */
const queueCharsMax = 64 * 1024 * 1024;

/** A unit, or what makes one of what has gathered by the time that it is sent. */
type Making = Unit | (() => Unit);
type Waiting = { unit: Making; chars: number; resolve(): void; reject(error: unknown): void };

function charsOf(unit: Making): number {
  let chars = 0;
  if (typeof unit === "function") return chars;
  for (const { values } of unit) for (const value of values) if (typeof value === "string") chars += value.length;
  return chars;
}

export type WriteQueue = {
  /**
   * Resolves once the unit is durable. Rejects with KitError storage_unavailable or too_many_requests: then it may be that
   * one that was to be made never was.
   */
  write(unit: Making): Promise<void>;
  /** To be called with the outcome of the batch that was sent. */
  settle(outcomes: readonly (string | null)[], failing: boolean): void;
  /** Resolves when nothing waits. */
  drained(): Promise<void>;
};

/** `send` hands a batch to the writer; the next one is only sent after `settle`. */
export function createWriteQueue(send: (units: readonly Unit[]) => void): WriteQueue {
  let waiting: Waiting[] = [];
  let sent: Waiting[] | undefined;
  let waitingChars = 0;
  let scheduled = false;
  let onDrained: (() => void)[] = [];

  const sendNext = () => {
    scheduled = false;
    if (sent !== undefined) return;
    if (waiting.length === 0) {
      for (const resolve of onDrained) resolve();
      onDrained = [];
      return;
    }
    sent = waiting.length <= batchUnitsMax ? waiting : waiting.slice(0, batchUnitsMax);
    waiting = waiting.length <= batchUnitsMax ? [] : waiting.slice(batchUnitsMax);
    for (const { chars } of sent) waitingChars -= chars;
    send(sent.map(({ unit }) => (typeof unit === "function" ? unit() : unit)));
  };
  const schedule = () => {
    if (scheduled || sent !== undefined) return;
    scheduled = true;
    // After this turn of the event loop: what arrived together is committed together.
    setImmediate(sendNext);
  };
  const answer = (batch: readonly Waiting[], outcomes: readonly (string | null)[], failing: boolean) => {
    for (const [index, entry] of batch.entries()) {
      const fault = outcomes[index];
      if (fault === null) entry.resolve();
      else entry.reject(failing ? new KitError("storage_unavailable", String(fault)) : new Error(String(fault)));
    }
  };

  return {
    write(unit) {
      const chars = charsOf(unit);
      if (waiting.length >= queueUnitsMax || waitingChars + chars > queueCharsMax) {
        return Promise.reject(
          new KitError("too_many_requests", "Too much is waiting to be stored. Try again shortly."),
        );
      }
      return new Promise((resolve, reject) => {
        waitingChars += chars;
        waiting.push({ unit, chars, resolve, reject });
        schedule();
      });
    },
    settle(outcomes, failing) {
      const settled = sent ?? [];
      sent = undefined;
      // The answers go out first: who has one sends the next event while the writer commits.
      schedule();
      answer(settled, outcomes, failing);
    },
    drained() {
      if (sent === undefined && waiting.length === 0) return Promise.resolve();
      return new Promise((resolve) => {
        onDrained.push(resolve);
        schedule();
      });
    },
  };
}
